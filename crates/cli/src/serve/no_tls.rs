//! `monotable serve` in a program without the feature `tls`: there are no flags for certificates.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::Path;

use anyhow::Result;
use clap::Args;
use monotable_server::Server;

#[derive(Args)]
pub(crate) struct TlsArguments {}

/// A certificate, which can't be configured.
pub(crate) struct Certificate(Infallible);

impl TlsArguments {
    pub(crate) fn read(&self) -> Result<Option<Certificate>> {
        Ok(None)
    }

    pub(crate) fn self_signed(&self, _: Option<&Path>, _: &Server) -> Result<Option<Certificate>> {
        Ok(None)
    }
}

impl Certificate {
    pub(crate) fn secure(&self, _: Server) -> Server {
        match self.0 {}
    }

    pub(crate) fn file(&self) -> Option<&Path> {
        match self.0 {}
    }

    pub(crate) fn reload(&self) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn invitation(&self, _: SocketAddr) -> Option<String> {
        match self.0 {}
    }
}
