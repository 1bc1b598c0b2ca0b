//! `POST /api/games/file`: sets up a game from a configuration file.

use monotable_kit::{Body as _, Upload};

use super::config::{BYTES_MAX, NewGame};
use super::create::create_game;
use super::links::LinksView;
use crate::api::prelude::*;

/// Bytes of a request: a configuration in a file and again in the field, in base64.
const FORM_BYTES_MAX: usize = 2 * BYTES_MAX;

/// A configuration of a game: as a file, or as text.
#[derive(Debug, Body)]
pub(crate) struct ConfigFile {
    /// A JSON file.
    #[body(label = "Configuration file")]
    file: Option<Upload>,
    /// The text of such a file.
    #[body(label = "Or its text", length = 1..=BYTES_MAX)]
    config: Option<String>,
}

/// Sets up a game from a configuration file.
///
/// Everything that is wrong with the file is reported at once.
#[operation(
    POST "/api/games/file", once, body_bytes_max = FORM_BYTES_MAX, refuses(ControlRequired, IdTaken)
)]
pub(crate) async fn create_game_from_file(
    app: &App,
    call: &Call<(), ConfigFile>,
) -> Answer<Created<LinksView>> {
    policy::anywhere(call, Action::Control)?;
    let text = match (&call.body.file, &call.body.config) {
        (Some(file), _) => file.bytes.as_ref(),
        (None, Some(text)) => text.as_bytes(),
        (None, None) => return Err(Problem::field("file", "choose a file, or enter its text")),
    };
    // Some editors begin files with a mark.
    let text = text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text);
    let config = serde_json::from_slice(text)
        .map_err(|error| Problem::field("config", format!("is not JSON: {error}")))?;
    let schema = NewGame::schema().unwrap_or_default();
    let mut request = Request::clone(call);
    request.body = schema.check(config)?;
    create_game(app, &Call::of(request)?).await
}
