//! `monotable serve`: the services to open, and their settings.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use monotable_host::{Backfill, OptionValues, Service, Services};
use monotable_kit::{Grant, LogSink, NoLog, StandardError};
use monotable_types::TableName;

use super::blobs::BlobArguments;
use super::field_keys::FieldKeyArguments;
use super::mail::MailArguments;
use crate::access_log::AccessLog;

#[derive(Args)]
#[command(next_help_heading = "Services")]
pub(crate) struct ServiceArguments {
    /// Open these services: all, none, or names separated by commas [default: none; all with --demo]
    #[arg(long, value_name = "NAMES", value_parser = selection)]
    services: Option<Selection>,
    /// Load sample data, and open all services; existing data is not changed
    #[arg(long)]
    pub(crate) demo: bool,
    /// The environment in the names of the services' tables, such as hacktracker-dev
    #[arg(long, value_name = "NAME", default_value = "dev", value_parser = environment)]
    pub(crate) environment: String,
    /// Store the rows of a service in a table with another name: btl-run=btl-run-kvs-{environment};
    /// can be repeated
    #[arg(long = "table", value_name = "SERVICE=NAME", value_parser = table)]
    tables: Vec<(String, String)>,
    /// The public address of the services, for links in e-mails and for cookies: scheme, host and
    /// port [default: the address that they listen on]
    #[arg(long = "services-url", value_name = "ORIGIN", value_parser = origin)]
    pub(crate) url: Option<String>,
    /// Give a role to the user who signs in with this e-mail address:
    /// hacktracker:admin=ann@example.org; can be repeated
    #[arg(long = "grant", value_name = "SERVICE:ROLE=EMAIL", value_parser = grant)]
    pub(crate) grants: Vec<Grant>,
    #[command(flatten)]
    pub(crate) mail: MailArguments,
    #[command(flatten)]
    pub(crate) blobs: BlobArguments,
    #[command(flatten)]
    pub(crate) field_keys: FieldKeyArguments,
    /// Accept requests from web pages of this origin (scheme, host and port); can be repeated
    #[arg(long = "cors-origin", value_name = "ORIGIN", value_parser = origin)]
    pub(crate) origins: Vec<String>,
    /// Admit this many writes per second from one caller of the services, such as a program that
    /// uses the key-value routes of btl.run [default: 20]
    #[arg(long, value_name = "NUMBER", value_parser = writes_per_second)]
    pub(crate) writes_per_second: Option<NonZeroU32>,
    /// Bring rows that older programs wrote into the services' tables up to date, while serving
    #[arg(long)]
    backfill: bool,
    /// Do not log the requests to services
    #[arg(long)]
    quiet: bool,
}

/// Services by their names.
#[derive(Clone)]
pub(super) struct Selection(pub(super) Vec<&'static str>);

impl ServiceArguments {
    /// Returns the services to open. Services that are not opened also refuse invalid values of
    /// their options.
    pub(crate) fn selected(&self, options: &OptionValues) -> Result<Vec<Box<dyn Service>>> {
        let is_selected = |name| match &self.services {
            Some(Selection(names)) => names.contains(&name),
            None => self.demo,
        };
        let mut services = super::all();
        Services::configure(&mut services, options)?;
        services.retain(|service| is_selected(service.name()));
        Ok(services)
    }

    /// Returns the names of the services' tables, by service.
    ///
    /// # Errors
    /// Fails for an invalid name of a table, two services in one table, or a flag for a service
    /// that is not opened.
    pub(crate) fn table_names(
        &self,
        services: &[Box<dyn Service>],
    ) -> Result<BTreeMap<String, String>> {
        let given: BTreeMap<&str, &str> =
            self.tables.iter().map(|(service, name)| (&**service, &**name)).collect();
        for name in given.keys() {
            if !services.iter().any(|service| service.name() == *name) {
                bail!("--table names {name}, which is not opened; add --services {name}");
            }
        }
        let mut names = BTreeMap::new();
        for service in services {
            let pattern = given.get(service.name()).copied().unwrap_or(service.table_name());
            let name = pattern.replace("{environment}", &self.environment);
            if let Err(error) = TableName::try_from(name.as_str()) {
                bail!("{} can't have the table {name:?}: {error}", service.name());
            }
            if names.values().any(|other| *other == name) {
                bail!(
                    "two services can't share the table {name}; give each one of its own with --table"
                );
            }
            names.insert(service.name().to_owned(), name);
        }
        Ok(names)
    }

    /// Returns whether rows of older programs are brought up to date.
    pub(crate) fn backfill(&self) -> Backfill {
        if self.backfill { Backfill::AtStart } else { Backfill::Never }
    }

    /// Returns the log of requests: the access log, if there is one.
    pub(crate) fn request_log(&self, access_log: Option<&Arc<AccessLog>>) -> Arc<dyn LogSink> {
        match access_log {
            _ if self.quiet => Arc::new(NoLog),
            Some(log) => Arc::clone(log) as _,
            None => Arc::new(StandardError),
        }
    }

    /// Returns the first flag that has no effect without a service.
    pub(crate) fn flag_for_services(&self) -> Option<&'static str> {
        [
            (!self.tables.is_empty(), "--table"),
            (!self.origins.is_empty(), "--cors-origin"),
            (self.url.is_some(), "--services-url"),
            (!self.grants.is_empty(), "--grant"),
            (self.mail.is_given(), "--smtp"),
            (self.blobs.is_given(), "--blobs"),
            (self.field_keys.is_given(), "--field-keys"),
            (self.backfill, "--backfill"),
        ]
        .into_iter()
        .find_map(|(is_given, flag)| is_given.then_some(flag))
    }
}

fn names() -> Vec<&'static str> {
    super::all().iter().map(|service| service.name()).collect()
}

/// `all`, `none`, or names.
pub(super) fn selection(text: &str) -> Result<Selection, String> {
    let known = names();
    let selected = match text {
        "all" => return Ok(Selection(known)),
        "none" => return Ok(Selection(Vec::new())),
        _ => text.split(',').map(|name| {
            let name = name.trim();
            let found = known.iter().find(|known| **known == name);
            found.copied().ok_or_else(|| {
                format!(
                    "there is no service {name:?}; give all, none, or names of {}",
                    known.join(", ")
                )
            })
        }),
    };
    selected.collect::<Result<_, _>>().map(Selection)
}

/// `SERVICE=NAME`.
fn table(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((service, name)) if names().contains(&service) && !name.is_empty() => {
            Ok((service.to_owned(), name.to_owned()))
        }
        _ => Err(format!("give SERVICE=NAME, where SERVICE is {}", names().join(" or "))),
    }
}

/// `SERVICE:ROLE=EMAIL`.
fn grant(text: &str) -> Result<Grant, String> {
    let parts = text.split_once(':').and_then(|(service, rest)| {
        let (role, email) = rest.split_once('=')?;
        Some((service.trim(), role.trim(), email.trim().to_lowercase()))
    });
    match parts {
        Some((service, role, email))
            if names().contains(&service) && !role.is_empty() && email.contains('@') =>
        {
            Ok(Grant { service: service.to_owned(), role: role.to_owned(), email })
        }
        _ => Err(format!(
            "give SERVICE:ROLE=EMAIL, where SERVICE is {}, such as hacktracker:admin=ann@example.org",
            names().join(" or ")
        )),
    }
}

/// Parses a number above zero.
fn writes_per_second(text: &str) -> Result<NonZeroU32, String> {
    text.parse().map_err(|_| format!("give a number from 1 to {}", u32::MAX))
}

/// Parses a part of a table's name.
fn environment(text: &str) -> Result<String, String> {
    let is_known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_known) {
        Ok(text.to_owned())
    } else {
        Err("an environment has letters, digits, hyphens, underscores and dots".to_owned())
    }
}

/// Parses an origin exactly as browsers send it: anything else would never match.
fn origin(text: &str) -> Result<String, String> {
    let wrong = "give scheme, host and, if it is not the usual one, port, such as \
                 https://app.example.org";
    let lower = text.to_ascii_lowercase();
    let (scheme, rest) = lower.split_once("://").ok_or(wrong)?;
    let usual_port = match scheme {
        "http" => ":80",
        "https" => ":443",
        _ => return Err(wrong.to_owned()),
    };
    let authority: http::uri::Authority =
        rest.strip_suffix('/').unwrap_or(rest).parse().map_err(|_| wrong)?;
    let has_port = authority.as_str() != authority.host();
    if authority.as_str().contains(['@', '*']) || (has_port && authority.port_u16().is_none()) {
        return Err(wrong.to_owned());
    }
    let authority = authority.as_str();
    let sent = format!("{scheme}://{}", authority.strip_suffix(usual_port).unwrap_or(authority));
    if sent == text { Ok(sent) } else { Err(format!("browsers send this origin as {sent}")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_selected_by_name() {
        let selected = |text| selection(text).map(|Selection(names)| names.join(" "));
        assert_eq!(
            selected("all"),
            Ok("hacktracker btl-run 3fc codekurukshetra scavenger-hunt".to_owned())
        );
        assert_eq!(selected("none"), Ok(String::new()));
        assert_eq!(selected("btl-run, hacktracker"), Ok("btl-run hacktracker".to_owned()));
        for text in ["", "chess", "btl-run,", "all,btl-run", "BTL-RUN"] {
            assert!(selected(text).unwrap_err().contains("hacktracker, btl-run"), "{text}");
        }
    }

    #[test]
    fn grants_name_a_service_a_role_and_an_address() {
        let given = grant("hacktracker:admin=Ann@Example.org").unwrap();
        let (service, role, email) = (given.service.as_str(), given.role.as_str(), given.email);
        assert_eq!((service, role, email.as_str()), ("hacktracker", "admin", "ann@example.org"));
        for text in
            ["", "hacktracker", "chess:admin=a@b.c", "hacktracker:=a@b.c", "btl-run:admin=ann"]
        {
            assert!(grant(text).unwrap_err().contains("hacktracker:admin="), "{text}");
        }
    }

    #[test]
    fn origins_are_written_as_browsers_send_them() {
        for text in ["https://app.example.org", "http://localhost:3000", "http://[::1]:3000"] {
            assert_eq!(origin(text).as_deref(), Ok(text));
        }
        for (text, sent) in [
            ("https://Example.org", "https://example.org"),
            ("https://example.org/", "https://example.org"),
            ("https://example.org:443", "https://example.org"),
            ("http://example.org:80/", "http://example.org"),
        ] {
            assert_eq!(origin(text), Err(format!("browsers send this origin as {sent}")));
        }
        for text in [
            "*",
            "null",
            "",
            "example.org",
            "https://",
            "https://*",
            "https://*.example.org",
            "https://a.org/path",
            "https://a.org?x",
            "https://user@a.org",
            "https://a.org:",
            "https://a.org:99999",
            "ftp://a.org",
            "https://a b",
        ] {
            assert!(origin(text).unwrap_err().contains("https://app.example.org"), "{text}");
        }
    }

    #[test]
    fn environments_can_be_in_names_of_tables() {
        for text in ["dev", "Prod-1", "a_b.c"] {
            assert_eq!(environment(text).as_deref(), Ok(text));
        }
        for text in ["", "Prod/1", "a b", "é", "{environment}"] {
            assert!(environment(text).is_err(), "{text}");
        }
    }
}
