//! Accounts: made on first use, seen and changed by the user alone.

mod account;
pub(crate) mod context;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;

use monotable::model::time::Timestamp;
use monotable_kit::{Path, View};

pub(crate) use self::account::{change_teams, current, end_joins, join, memberships_of, teams_of};
use crate::table::{Liveness, User, UserId};

/// The user that a path names.
#[derive(Debug, Path)]
pub(crate) struct UserPath {
    pub(crate) user_id: UserId,
}

/// A user.
#[derive(View)]
#[view(of = User, list = "users")]
pub(crate) struct UserView {
    #[view(flatten)]
    name: UserName,
    #[view(flatten)]
    account: AccountView,
}

/// What other members of a team see of a user.
#[derive(View)]
#[view(of = User)]
pub(crate) struct UserName {
    #[view(example = "u1")]
    user_id: UserId,
    #[view(example = "Ann")]
    first_name: String,
    #[view(example = "Smith")]
    last_name: String,
}

/// What only the user and administrators see of a user.
#[derive(View)]
#[view(of = User)]
pub(crate) struct AccountView {
    #[view(example = "ann@example.org")]
    email: String,
    #[view(example = "+12065550100")]
    phone_number: Option<String>,
    /// Absent means active.
    status: Option<Liveness>,
    deleted_at: Option<Timestamp>,
    /// When the account is removed for good.
    purge_after: Option<Timestamp>,
    #[view(from = stamps.created, example = "2026-06-01T09:30:00.000Z")]
    created_at: Timestamp,
    #[view(from = stamps.updated, example = "2026-06-01T09:30:00.000Z")]
    updated_at: Timestamp,
    #[view(version, from = stamps.version, example = 1)]
    ver: u64,
}
