//! What most operations name: `use crate::api::prelude::*;`.

pub(crate) use monotable_kit::Answer;
pub(crate) use monotable_kit::prelude::*;

pub(crate) use super::{GamePath, PhotoPath, TeamLevelPath, TeamPath, UserPath};
pub(crate) use crate::app::App;
pub(crate) use crate::policy::{self, Action, Playing};
pub(crate) use crate::refusal::{self, Refusal};
pub(crate) use crate::rules::clock::GameState;
pub(crate) use crate::rules::progress::Route;
pub(crate) use crate::table::*;
