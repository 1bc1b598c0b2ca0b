//! What most operations name: `use crate::api::prelude::*;`.

pub(crate) use monotable_kit::Answer;
pub(crate) use monotable_kit::prelude::*;

pub(crate) use super::{InvitePath, MemberPath, ParticipantPath, TeamPath};
pub(crate) use crate::app::App;
pub(crate) use crate::policy::{self, Action, Granted, Role};
pub(crate) use crate::refusal::Refusal;
pub(crate) use crate::table::*;
