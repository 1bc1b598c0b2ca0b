//! Photos as responses.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY};
use http::{HeaderName, HeaderValue};

use super::ImageFormat;
use crate::reply::{Reply, ReplyBody};
use crate::route::Answered;
use crate::view::Response;

/// 200 with a photo. Its type is not guessed from its bytes (`nosniff`, which every response has),
/// nothing in it can run, and pages of other sites can't embed it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Photo {
    /// The file.
    pub bytes: Bytes,
    /// Its format.
    pub format: ImageFormat,
}

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

impl Response for Photo {
    const MEDIA_TYPES: &'static [&'static str] =
        &["image/jpeg", "image/png", "image/gif", "image/webp"];

    fn describe() -> Answered {
        Answered { status: 200, meaning: "The photo.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        let content_type = self.format.media_type();
        let body = ReplyBody::Bytes { content_type, bytes: self.bytes };
        let name = format!("inline; filename=\"photo.{}\"", self.format.extension());
        let name = HeaderValue::try_from(name).unwrap_or(HeaderValue::from_static("inline"));
        let policy = HeaderValue::from_static("default-src 'none'; sandbox");
        Reply::new(200, body)
            .header(CONTENT_DISPOSITION, name)
            .header(CONTENT_SECURITY_POLICY, policy)
            .header(RESOURCE_POLICY, HeaderValue::from_static("same-origin"))
            // Cached no longer than its link is valid, and by this client only.
            .header(CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600"))
    }
}
