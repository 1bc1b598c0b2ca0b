//! `GET /hackathon/admin/export/json`: exports participants as JSON.

use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use monotable_kit::{Pieces, ReplyBody};

use super::export::{self, ExportQuery, Format};
use super::person::PersonView;
use crate::api::prelude::*;

// The envelope is part of the text, because the response is sent before its end is known.
const FORMAT: Format = Format {
    start: || "{\"success\":true,\"data\":{\"participants\":[".to_owned(),
    row: |text, person, before| {
        text.push_str(if before == 0 { "\n" } else { ",\n" });
        text.push_str(&serde_json::to_string(person).unwrap_or_default());
    },
    end: "\n]}}\n",
};

/// All participants.
#[derive(View)]
#[view(case = "snake")]
pub(crate) struct ExportView {
    participants: Vec<PersonView>,
}

/// 200 with JSON.
pub(crate) struct JsonExport(Pieces);

impl Response for JsonExport {
    fn describe() -> Answered {
        Json::<ExportView>::describe()
    }

    fn into_reply(self) -> Reply {
        let body = ReplyBody::Pieces { content_type: "application/json", pieces: self.0 };
        let name = HeaderValue::from_static("attachment; filename=\"participants.json\"");
        Reply::new(200, body).header(CONTENT_DISPOSITION, name)
    }
}

/// Exports participants as JSON. Personal data is masked unless it is asked for with a reason.
#[operation(GET "/hackathon/admin/export/json", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn export_json(app: &App, call: &Call<(), (), ExportQuery>) -> Answer<JsonExport> {
    Ok(JsonExport(export::begin(app, call, FORMAT).await?).into())
}
