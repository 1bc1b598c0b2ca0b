//! What all pages have in common: their frame, their media type and their security headers.

use super::assets::Asset;
use crate::route::ServiceName;

/// The media type of pages.
pub const HTML: &str = "text/html; charset=utf-8";

/// Everything comes from the service itself, nothing is inline, and no other page can frame it.
pub const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                                 connect-src 'self'; form-action 'self'; manifest-src 'self'; worker-src 'self'; \
                                 base-uri 'none'; frame-ancestors 'none'";

/// The frame of a page: the service that it belongs to, and what the browser loads with it.
pub(crate) struct Frame {
    /// The service.
    pub(crate) service: ServiceName,
    /// The scripts of the page.
    pub(crate) scripts: &'static [Asset],
}

impl Frame {
    /// Returns the path of a file of the page layer.
    pub(crate) fn asset(&self, asset: &Asset) -> String {
        format!("/{}/assets/{}", self.service.name, asset.file_name())
    }

    /// Returns the path of the stylesheet.
    pub(crate) fn style(&self) -> String {
        self.asset(&Asset::Style)
    }
}
