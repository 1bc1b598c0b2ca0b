//! `GET /scripts/{file}`: the scripts that only this service's pages need. Pages work without them.

use http::HeaderValue;
use http::header::CACHE_CONTROL;
use monotable_kit::paths;

use crate::api::prelude::*;

monotable_kit::ids!(
    /// The name of a file.
    FileName,
);

paths! {
    /// The script that a path names.
    ScriptPath { file: FileName }
}

const SCRIPTS: [(&str, &str); 3] = [
    ("draft.js", include_str!("scripts/draft.js")),
    ("countdown.js", include_str!("scripts/countdown.js")),
    ("camera.js", include_str!("scripts/camera.js")),
];

/// 200 with a script.
pub(crate) struct Script(&'static str);

impl Response for Script {
    const MEDIA_TYPES: &'static [&'static str] = &["text/javascript"];

    fn describe() -> Answered {
        Answered { status: 200, meaning: "The script.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        let reply = Reply::text("text/javascript; charset=utf-8", self.0.to_owned());
        reply.header(CACHE_CONTROL, HeaderValue::from_static("no-cache"))
    }
}

/// Returns a script of the pages.
#[operation(GET "/scripts/{file}", public, refuses(NotFound))]
async fn get_script(_app: &App, call: &Call<ScriptPath>) -> Answer<Script> {
    let found = SCRIPTS.into_iter().find(|(name, _)| *name == call.path.file.as_str());
    Ok(Script(found.ok_or(Refusal::NotFound)?.1).into())
}

#[cfg(test)]
mod tests {
    use super::SCRIPTS;

    #[test]
    fn scripts_are_small_and_load_nothing_from_elsewhere() {
        for (name, text) in SCRIPTS {
            assert!(text.len() <= 1_500, "{name}: {} bytes", text.len());
            for foreign in ["http://", "https://", "eval(", "innerHTML"] {
                assert!(!text.contains(foreign), "{name} contains {foreign}");
            }
        }
    }
}
