//! Ended matches: their story, and their verification.

pub(crate) mod export;
pub(crate) mod recap;
pub(crate) mod verify;

use http::HeaderValue;
use http::header::CONTENT_SECURITY_POLICY;
use monotable_kit::{Answered, Reply, Response};

use crate::rules::story::PAGE_POLICY;

/// 200 with a page for people. It loads nothing and runs nothing, whatever it contains.
pub(crate) struct HtmlPage(String);

impl Response for HtmlPage {
    const MEDIA_TYPES: &'static [&'static str] = &["text/html"];

    fn describe() -> Answered {
        Answered { status: 200, meaning: "The page.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        let policy = HeaderValue::from_static(PAGE_POLICY);
        Reply::text("text/html; charset=utf-8", self.0).header(CONTENT_SECURITY_POLICY, policy)
    }
}
