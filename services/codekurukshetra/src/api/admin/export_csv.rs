//! `GET /hackathon/admin/export/csv`: exports participants as a table for spreadsheets.

use std::borrow::Cow;

use http::HeaderValue;
use http::header::CONTENT_DISPOSITION;
use monotable_kit::{Pieces, ReplyBody, csv};

use super::export::{self, ExportQuery, Format};
use super::person::COLUMNS;
use crate::api::prelude::*;

const FORMAT: Format = Format {
    start: || {
        let mut text = csv::BYTE_ORDER_MARK.to_owned();
        csv::row(&mut text, COLUMNS.map(Cow::Borrowed));
        text
    },
    row: |text, person, _| csv::row(text, person.cells()),
    end: "",
};

/// 200 with a table.
pub(crate) struct CsvExport(Pieces);

impl Response for CsvExport {
    const MEDIA_TYPES: &'static [&'static str] = &["text/csv"];

    fn describe() -> Answered {
        let meaning = "A table with a row for each participant, in UTF-8.";
        Answered { status: 200, meaning, example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        let body = ReplyBody::Pieces { content_type: csv::CONTENT_TYPE, pieces: self.0 };
        let name = HeaderValue::from_static("attachment; filename=\"participants.csv\"");
        Reply::new(200, body).header(CONTENT_DISPOSITION, name)
    }
}

/// Exports participants as a table. Personal data is masked unless it is asked for with a reason.
#[operation(GET "/hackathon/admin/export/csv", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn export_csv(app: &App, call: &Call<(), (), ExportQuery>) -> Answer<CsvExport> {
    Ok(CsvExport(export::begin(app, call, FORMAT).await?).into())
}
