//! `monotable serve`: listening addresses and access.

use std::convert::Infallible;
use std::ffi::OsStr;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::builder::TypedValueParser;
use clap::error::ErrorKind;
use clap::{Arg, Args, Command};
use monotable_kit::TrustedProxy;
use monotable_server::credentials::Credentials;
use monotable_server::{Access, Config, Keys, Server};
use monotable_wire::Operation;
use monotable_wire::sigv4::KeyRing;

use super::reload::Reloading;
use super::tls::TlsArguments;

#[derive(Args)]
#[command(next_help_heading = "Network", arg = port_hint())]
pub(crate) struct NetworkArguments {
    /// The address of the database: a port of this machine, or IP:PORT. Addresses other than the
    /// loopback need --credentials or --allow-anonymous
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8000", value_parser = address)]
    listen: SocketAddr,
    /// Require signatures by the keys in this file, and allow each key what the file lists
    #[arg(long, value_name = "FILE")]
    pub(crate) credentials: Option<PathBuf>,
    /// Let everyone who can connect read and change all data: on addresses other than the loopback,
    /// under any host name and through proxies. For containers and private networks
    #[arg(long, conflicts_with = "credentials")]
    allow_anonymous: bool,
    /// Serve the services on a separate address, and only the database on --listen
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) services_listen: Option<SocketAddr>,
    /// Show /metrics on a separate address to everyone who can connect to it. Other addresses show
    /// them to this machine only
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    metrics_listen: Option<SocketAddr>,
    #[command(flatten)]
    pub(crate) tls: TlsArguments,
    /// Trust the client addresses in the Forwarded or X-Forwarded-For header of this proxy, an
    /// address or a network such as 10.0.0.0/8; can be repeated
    #[arg(long = "trusted-proxy", value_name = "ADDRESS|CIDR")]
    pub(crate) trusted_proxies: Vec<TrustedProxy>,
}

impl NetworkArguments {
    /// Reads the files of the server's settings, which `reloading` can read again.
    pub(crate) fn config(&self, is_site_alone: bool, reloading: &mut Reloading) -> Result<Config> {
        reloading.certificate = self.tls.read()?;
        let access = match &self.credentials {
            Some(file) => {
                let keys = Keys::new(read_credentials(file)?);
                reloading.credentials = Some((file.clone(), keys.clone()));
                Access::Signed(keys)
            }
            None if self.allow_anonymous => Access::Anyone,
            None => Access::Local,
        };
        Ok(Config {
            is_site_alone,
            site_listen: self.services_listen,
            metrics_listen: self.metrics_listen,
            access,
            ..Config::new(self.listen)
        })
    }

    /// Returns the first flag that needs a database of this server.
    pub(crate) fn flag_for_database(&self) -> Option<&'static str> {
        [
            (self.credentials.is_some(), "--credentials"),
            (self.allow_anonymous, "--allow-anonymous"),
            (self.services_listen.is_some(), "--services-listen"),
        ]
        .into_iter()
        .find_map(|(is_given, flag)| is_given.then_some(flag))
    }

    /// Returns the address of the services.
    pub(crate) fn services_address(&self) -> SocketAddr {
        self.services_listen.unwrap_or(self.listen)
    }

    /// Returns the lines of the banner: a label and a text each.
    pub(crate) fn banner(&self, server: &Server) -> Vec<(&'static str, String)> {
        let access = match &self.credentials {
            Some(file) => format!("requests signed with a key of {}", file.display()),
            None if self.allow_anonymous => {
                "WARNING: everyone who can connect can read and change all data".to_owned()
            }
            None => "this machine only; signatures are not checked".to_owned(),
        };
        [Some(("access", access)), self.metrics_banner(server)].into_iter().flatten().collect()
    }

    /// Returns the line of the banner about metrics, if they have a separate address.
    pub(crate) fn metrics_banner(&self, server: &Server) -> Option<(&'static str, String)> {
        server.metrics_address().map(|address| {
            let scheme = server.scheme();
            ("metrics", format!("{scheme}://{address}/metrics, for everyone who can connect"))
        })
    }

    /// Returns warnings for operators about the network.
    pub(crate) fn warning(&self) -> Option<String> {
        let text = "Everyone who can connect can read and change all data, without a signature.";
        self.allow_anonymous.then(|| text.to_owned())
    }

    /// Returns the beginning of an example command, with keys for an SDK or the AWS CLI.
    pub(crate) fn keys_shown(&self) -> &'static str {
        match self.credentials {
            Some(_) => "AWS_ACCESS_KEY_ID=KEY AWS_SECRET_ACCESS_KEY=SECRET",
            None => "AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any",
        }
    }
}

/// Reads a credentials file; prints warnings about it.
pub(super) fn read_credentials(file: &Path) -> Result<KeyRing> {
    let credentials = Credentials::read(file, &known_actions())?;
    for warning in &credentials.warnings {
        log::warn!("{warning}");
    }
    Ok(credentials.keys)
}

/// Returns the flag for the port on other servers.
fn port_hint() -> Arg {
    let port = Arg::new("port").long("port").short('p').hide(true);
    port.num_args(0..=1).default_missing_value("8000").value_parser(PortHint)
}

/// Refuses a port and names the flag for it.
#[derive(Clone)]
struct PortHint;

impl TypedValueParser for PortHint {
    type Value = Infallible;

    fn parse_ref(
        &self,
        command: &Command,
        _: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Infallible, clap::Error> {
        let port = value.to_str().and_then(|text| text.parse().ok()).unwrap_or(8000_u16);
        let message = format!(
            "the port is part of --listen: use '--listen {port}', or '--listen 127.0.0.1:{port}'"
        );
        Err(command.clone().error(ErrorKind::UnknownArgument, message))
    }
}

/// Parses a port of this machine, or an IP address and a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let loopback = matches!(host.to_ascii_lowercase().as_str(), "" | "localhost");
    let address = match port.parse() {
        Ok(port) if is_number && loopback => {
            Some(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port))
        }
        _ => text.parse().ok(),
    };
    address.ok_or_else(|| {
        "give a port up to 65535, or an IP address or localhost and a port, such as 8000, \
         localhost:8000 or 127.0.0.1:8000"
            .to_owned()
    })
}

/// Returns the actions that a key can be allowed: operations, and the parts of transactions and
/// statements.
fn known_actions() -> Vec<&'static str> {
    let parts =
        ["ConditionCheckItem", "PartiQLSelect", "PartiQLInsert", "PartiQLUpdate", "PartiQLDelete"];
    Operation::ALL.iter().map(|operation| operation.name()).chain(parts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_one_of_this_machine() {
        for (text, expected) in [
            ("8000", "127.0.0.1:8000"),
            (":8000", "127.0.0.1:8000"),
            ("localhost:8000", "127.0.0.1:8000"),
            ("LocalHost:0", "127.0.0.1:0"),
            ("0.0.0.0:8000", "0.0.0.0:8000"),
            ("[::1]:8000", "[::1]:8000"),
            ("10.1.2.3:65535", "10.1.2.3:65535"),
        ] {
            assert_eq!(address(text).unwrap().to_string(), expected, "{text}");
        }
        for text in [
            "",
            ":",
            "localhost",
            "127.0.0.1",
            "127.0.0.1:99999",
            "99999",
            "+80",
            "-1",
            "example.com:80",
            "*:80",
            "http://localhost:8000",
            "::1",
        ] {
            assert!(address(text).unwrap_err().contains("127.0.0.1:8000"), "{text}");
        }
    }
}
