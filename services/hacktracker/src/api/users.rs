//! Accounts: created on first use, shown to and changed by the user alone.

mod account;
pub(crate) mod context;
pub(crate) mod delete;
pub(crate) mod export;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod update;

use crate::api::prelude::*;

pub(crate) use self::account::{change_teams, current, end_joins, join, memberships_of, teams_of};

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
    user_id: UserId,
    #[view(example = "Ann")]
    first_name: String,
    #[view(example = "Smith")]
    last_name: String,
}

/// The fields that only the user and administrators see.
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
    /// When the account is purged.
    purge_after: Option<Timestamp>,
    #[view(stamps)]
    stamps: Stamps,
}
