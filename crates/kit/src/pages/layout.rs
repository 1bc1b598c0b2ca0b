//! What all pages have in common: their frame, their media type and their security headers.

use super::assets::Asset;
use crate::call::{Principal, Request};
use crate::route::ServiceName;

/// The media type of pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// Everything comes from the service itself, nothing is inline, and no other page can frame it.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                                 connect-src 'self'; form-action 'self'; manifest-src 'self'; worker-src 'self'; \
                                 base-uri 'none'; frame-ancestors 'none'";

/// The frame of a page: its service, the signed-in user, and the files that it loads.
#[derive(Clone)]
pub(crate) struct Frame {
    /// The service.
    pub(crate) service: ServiceName,
    /// The scripts of the page.
    pub(crate) scripts: Vec<Asset>,
    /// The name of the user with a session, as the page shows it.
    pub(crate) viewer: Option<String>,
    /// The path of the user's page.
    pub(crate) account: &'static str,
    /// Whether sign-in is enabled.
    pub(crate) has_sign_in: bool,
}

impl Frame {
    /// Returns the frame of a page for everybody.
    pub(crate) fn new(service: ServiceName) -> Self {
        let (scripts, account) = (Vec::new(), "/account");
        Self { service, scripts, viewer: None, account, has_sign_in: false }
    }

    /// Returns the frame of a page that a request is for.
    pub(crate) fn of(request: &Request) -> Self {
        let principal = request.principal.as_ref().filter(|_| request.viewer.session.is_some());
        let name = |person: &Principal| person.email.clone().unwrap_or_else(|| person.id.clone());
        Self {
            viewer: principal.map(name),
            has_sign_in: request.viewer.has_sign_in,
            ..Self::new(request.service)
        }
    }

    /// Returns the frame with a script.
    pub(crate) fn script(mut self, script: Asset) -> Self {
        self.scripts.push(script);
        self
    }

    /// Returns the path of a file of the page layer.
    pub(crate) fn asset(&self, asset: &Asset) -> String {
        format!("/{}/assets/{}", self.service.name, asset.file_name())
    }

    /// Returns what the heads of all pages have in common.
    pub(crate) fn head(&self) -> String {
        super::head(&format!("/{}/assets/", self.service.name))
    }
}
