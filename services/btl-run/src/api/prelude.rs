//! The names that most operations use: `use crate::api::prelude::*;`.

pub(crate) use monotable::model::{create, edit, put};
pub(crate) use monotable_kit::prelude::*;
pub(crate) use monotable_kit::{Answer, CallLimit};
pub(crate) use serde_json::json;

pub(crate) use super::items::{Items, NumberedPage};
pub(crate) use super::{MatchPath, Nothing, TributePath, hosted};
pub(crate) use crate::app::App;
pub(crate) use crate::change::Change;
pub(crate) use crate::refusal::{self, Refusal};
pub(crate) use crate::rules::redact::{MatchView, Viewer, state_view};
pub(crate) use crate::rules::state::{MatchState, Status};
pub(crate) use crate::rules::{decide, moderation};
pub(crate) use crate::table::*;
pub(crate) use crate::tokens::{self, Bearer};
pub(crate) use crate::turn;
