//! The user's own data: profile, matches, and their deletion.

pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod matches;
pub(crate) mod put;

use crate::api::prelude::*;
use crate::change::{new_task, task};

/// A profile.
#[derive(View)]
#[view(of = Profile)]
pub(crate) struct ProfileView {
    #[view(example = "u1")]
    user_id: UserId,
    #[view(example = "Zoë")]
    display_name: String,
    /// A picture, by its name or address.
    #[view(example = "fox")]
    avatar: Option<String>,
    #[view(from = stats())]
    stats: StatsView,
    /// When it was created, in milliseconds since 1970.
    #[view(example = 1_800_000_000_000_i64)]
    created_at: i64,
    #[view(etag, from = stamps.version)]
    version: u64,
}

/// A user's results in ended matches.
#[derive(Clone, View)]
#[view(of = ProfileStats)]
pub(crate) struct StatsView {
    #[view(example = 4)]
    played: u32,
    #[view(example = 1)]
    won: u32,
    /// Tributes killed.
    #[view(example = 3)]
    kills: u32,
    /// The best rank.
    #[view(example = 1)]
    best_rank: Option<u32>,
}

impl Profile {
    fn stats(&self) -> StatsView {
        StatsView::of(&self.stats)
    }
}

/// Schedules the erasure of a user.
fn erasure_of(user_id: &UserId, now: i64) -> Result<Task, Problem> {
    new_task(task::ERASE, user_id.as_str(), now)
}
