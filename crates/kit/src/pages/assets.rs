//! The files that pages load. Their names contain a hash of their content, so browsers may cache
//! them forever.

use std::sync::OnceLock;

use http::HeaderValue;
use http::header::CACHE_CONTROL;
use sha2::{Digest, Sha256};

use crate::problem::Problem;
use crate::reply::Reply;

/// A file of the page layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asset {
    /// The stylesheet of all pages.
    Style,
    /// The icon of the page.
    Icon,
    /// Search, copying and requests of the documentation page.
    DocsScript,
    /// Keeps pages up to date.
    LiveScript,
    /// Sends forms without leaving the page.
    FormScript,
    /// Stores requests until the server has accepted them.
    OutboxScript,
    /// Reads QR codes with the camera.
    CameraScript,
    /// Shows how long ago something was, or how much time is left.
    ClockScript,
    /// Stores typed text until it is sent.
    DraftScript,
    /// Reports the position of the phone.
    PositionScript,
}

pub(crate) const ALL: [Asset; 10] = [
    Asset::Style,
    Asset::Icon,
    Asset::DocsScript,
    Asset::LiveScript,
    Asset::FormScript,
    Asset::OutboxScript,
    Asset::CameraScript,
    Asset::ClockScript,
    Asset::DraftScript,
    Asset::PositionScript,
];

/// The scripts that a page needs, by what its content contains.
const NEEDED_BY: [(&str, Asset); 5] = [
    (" id=\"camera\"", Asset::CameraScript),
    (" data-since=\"", Asset::ClockScript),
    (" data-until=\"", Asset::ClockScript),
    (" data-draft=\"", Asset::DraftScript),
    (" id=\"position\"", Asset::PositionScript),
];

/// Returns the scripts that the content of a page needs.
pub(super) fn needed_by(content: &str) -> Vec<Asset> {
    let needed = NEEDED_BY.into_iter().filter(|(attribute, _)| content.contains(attribute));
    let mut scripts: Vec<Asset> = needed.map(|(_, script)| script).collect();
    scripts.dedup();
    scripts
}

impl Asset {
    fn text(self) -> &'static str {
        match self {
            Self::Style => include_str!("../../assets/style.css"),
            Self::Icon => include_str!("../../assets/icon.svg"),
            Self::DocsScript => include_str!("../../assets/docs.js"),
            Self::LiveScript => include_str!("../../assets/live.js"),
            Self::FormScript => include_str!("../../assets/form.js"),
            Self::OutboxScript => include_str!("../../assets/outbox.js"),
            Self::CameraScript => include_str!("../../assets/camera.js"),
            Self::ClockScript => include_str!("../../assets/clock.js"),
            Self::DraftScript => include_str!("../../assets/draft.js"),
            Self::PositionScript => include_str!("../../assets/position.js"),
        }
    }

    /// Returns its file name, with the hash of its text.
    pub(crate) fn file_name(&self) -> &'static str {
        static NAMES: OnceLock<[String; ALL.len()]> = OnceLock::new();
        &NAMES.get_or_init(|| ALL.map(hashed_name))[*self as usize]
    }

    fn extension(self) -> &'static str {
        match self {
            Self::Style => "css",
            Self::Icon => "svg",
            _ => "js",
        }
    }

    fn media_type(self) -> &'static str {
        match self.extension() {
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            _ => "text/javascript; charset=utf-8",
        }
    }
}

fn hashed_name(asset: Asset) -> String {
    let name = match asset {
        Asset::Style => "style",
        Asset::Icon => "icon",
        Asset::DocsScript => "docs",
        Asset::LiveScript => "live",
        Asset::FormScript => "form",
        Asset::OutboxScript => "outbox",
        Asset::CameraScript => "camera",
        Asset::ClockScript => "clock",
        Asset::DraftScript => "draft",
        Asset::PositionScript => "position",
    };
    let hash = hex::encode(&Sha256::digest(asset.text().as_bytes())[..8]);
    format!("{name}-{hash}.{}", asset.extension())
}

/// Returns the file with this name.
///
/// # Errors
/// Returns 404 if there is none.
pub(crate) fn file(name: &str) -> Result<Reply, Problem> {
    let found = ALL.into_iter().find(|asset| asset.file_name() == name);
    let asset = found.ok_or_else(|| {
        Problem::not_found("NOT_FOUND", "This file does not exist. Load the page again.")
    })?;
    let forever = HeaderValue::from_static("public, max-age=31536000, immutable");
    let reply = Reply::text(asset.media_type(), asset.text().to_owned());
    Ok(reply.header(CACHE_CONTROL, forever))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit for all scripts together: services have none of their own.
    const SCRIPT_BYTES_MAX: usize = 15 * 1024;

    #[test]
    fn every_file_has_a_name_of_its_own_and_is_found_by_it() {
        for asset in ALL {
            let reply = file(asset.file_name()).unwrap();
            assert_eq!(reply.status, 200, "{asset:?}");
            assert_eq!(
                ALL.iter().filter(|other| other.file_name() == asset.file_name()).count(),
                1
            );
        }
        assert_eq!(file("style-0000000000000000.css").err().unwrap().status(), 404);
    }

    #[test]
    fn scripts_are_small_and_styles_have_no_exceptions_of_the_policy() {
        let scripts = ALL.into_iter().filter(|asset| asset.extension() == "js");
        let worker = include_str!("../../assets/worker.js").len();
        let bytes: usize = scripts.map(|script| script.text().len()).sum::<usize>() + worker;
        assert!(bytes <= SCRIPT_BYTES_MAX, "{bytes} bytes of scripts");
        for asset in ALL {
            // This text names a format; browsers don't load it.
            let text = asset.text().replace("http://www.w3.org/2000/svg", "");
            for foreign in ["http://", "https://", "eval(", "innerHTML", "@import"] {
                assert!(!text.contains(foreign), "{asset:?} contains {foreign}");
            }
        }
    }
}
