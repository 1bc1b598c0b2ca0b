//! `monotable serve`: the certificate of the server.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use monotable_server::{Server, Tls};
use qrcode::QrCode;
use qrcode::render::unicode::Dense1x2;

#[derive(Args)]
pub(crate) struct TlsArguments {
    /// Use HTTPS on all addresses, with the certificate in this PEM file, followed by those of its
    /// issuers. SIGHUP reads it again
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of the certificate, in a PEM file
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Use HTTPS with a certificate that the server signs itself, for a phone on the same network.
    /// Clients warn about it until it is accepted
    #[arg(long, conflicts_with_all = ["tls_cert", "tls_key"])]
    tls_self_signed: bool,
}

/// The certificate of connections.
pub(crate) struct Certificate {
    tls: Tls,
    source: Source,
}

enum Source {
    /// Files with the certificate and its key, which can be read again.
    Files([PathBuf; 2]),
    /// The server itself.
    SelfSigned,
}

impl TlsArguments {
    /// Reads the certificate, if one is given.
    pub(crate) fn read(&self) -> Result<Option<Certificate>> {
        let (Some(certificate), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            return Ok(None);
        };
        let tls = Tls::read(certificate, key)?;
        let source = Source::Files([certificate.clone(), key.clone()]);
        Ok(Some(Certificate { tls, source }))
    }

    /// Generates a self-signed certificate if it is requested, or reads the one in the directory.
    pub(crate) fn self_signed(
        &self,
        directory: Option<&Path>,
        server: &Server,
    ) -> Result<Option<Certificate>> {
        if !self.tls_self_signed {
            return Ok(None);
        }
        let loopback = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];
        let listening =
            [Some(server.address()), Some(server.site_address()), server.metrics_address()];
        let reachable = listening.into_iter().flatten().map(|address| reachable_at(address).ip());
        let addresses: Vec<IpAddr> = loopback.into_iter().chain(reachable).collect();
        let tls = Tls::self_signed(directory, &addresses)?;
        Ok(Some(Certificate { tls, source: Source::SelfSigned }))
    }
}

impl Certificate {
    /// Encrypts the connections of a server.
    pub(crate) fn secure(&self, server: Server) -> Server {
        server.tls(Arc::new(self.tls.clone()))
    }

    /// Returns the file that can be read again.
    pub(crate) fn file(&self) -> Option<&Path> {
        match &self.source {
            Source::Files([certificate, _]) => Some(certificate),
            Source::SelfSigned => None,
        }
    }

    /// Reads the files again.
    pub(crate) fn reload(&self) -> Result<()> {
        match &self.source {
            Source::Files([certificate, key]) => Ok(self.tls.reload(certificate, key)?),
            Source::SelfSigned => Ok(()),
        }
    }

    /// Returns how to open the server on a phone, if the certificate is for that and other machines
    /// can connect.
    pub(crate) fn invitation(&self, listening: SocketAddr) -> Option<String> {
        let address = reachable_at(listening);
        if matches!(self.source, Source::Files(_)) || address.ip().is_loopback() {
            return None;
        }
        let url = format!("https://{address}/");
        // Most terminals are dark, so the light modules are drawn.
        let code = QrCode::new(&url).ok()?;
        let mut drawn = code.render();
        let drawn = drawn.dark_color(Dense1x2::Light).light_color(Dense1x2::Dark).build();
        Some(format!("{drawn}\nOn a phone in the same network: {url}\n"))
    }
}

/// Returns the address with which clients reach a server that listens on this one: for all
/// addresses of a machine, the one on its network.
fn reachable_at(listening: SocketAddr) -> SocketAddr {
    let ip = if listening.ip().is_unspecified() { network_address() } else { None };
    SocketAddr::new(ip.unwrap_or_else(|| listening.ip()), listening.port())
}

/// Returns the address of this machine on its network, if it has one.
fn network_address() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // Nothing is sent: the system only chooses the address that it would send from.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}
