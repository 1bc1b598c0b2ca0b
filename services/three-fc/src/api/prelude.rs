//! What most operations name: `use crate::api::prelude::*;`.

pub(crate) use monotable::model::RowSet;
pub(crate) use monotable_kit::Answer;
pub(crate) use monotable_kit::prelude::*;

pub(crate) use super::{
    GamePath, GameTeamPath, GoalPath, GrantPath, JoinPath, LeaguePath, PlayerPath, RosterPath,
    SeasonPath, SessionPath, TeamPath, ThirdPath, accounts, audit, checks, counts,
};
pub(crate) use crate::app::App;
pub(crate) use crate::policy::{self, Action, Granted};
pub(crate) use crate::refusal::{self, Refusal};
pub(crate) use crate::table::*;
