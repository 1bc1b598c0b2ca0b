//! The names that most operations use: `use crate::api::prelude::*;`.

pub(crate) use monotable_kit::Answer;
pub(crate) use monotable_kit::prelude::*;
pub(crate) use serde_json::json;

pub(crate) use super::scope::{self, Change, not_on_team};
pub(crate) use super::{
    AtBatPath, GamePath, InvitePath, MemberPath, Nothing, PlayerPath, RsvpPath, SharePath,
    TeamPath, UserPath, announce, audit, counts, links, logbook,
};
pub(crate) use crate::app::App;
pub(crate) use crate::policy::{self, Action, Granted};
pub(crate) use crate::refusal::{self, Refusal};
pub(crate) use crate::rules::names;
pub(crate) use crate::table::*;
