//! How the service refuses: one variant for each code, with the text that clients get.

use monotable_kit::Refusal;

/// A refusal of the service. Texts that depend on the request are given where it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Refusal)]
pub enum Refusal {
    /// You are no longer in the team.
    #[refusal(forbidden)]
    NotAMember,
    /// Your role in the team does not allow it.
    #[refusal(forbidden)]
    InsufficientRole,
    /// It can't be done to a personal team.
    #[refusal(forbidden)]
    PersonalTeamRestricted,
    /// There is no such team.
    #[refusal(not_found)]
    TeamNotFound,
    /// The team is deleted.
    #[refusal(conflict)]
    TeamDeleted,
}

/// What can refuse a member who only looks at a team.
pub(crate) const VIEWING: &[Refusal] = &[Refusal::NotAMember, Refusal::TeamNotFound];

/// What can refuse a change of a team, whatever it is.
pub(crate) const MANAGING: &[Refusal] = &[
    Refusal::NotAMember,
    Refusal::InsufficientRole,
    Refusal::PersonalTeamRestricted,
    Refusal::TeamNotFound,
    Refusal::TeamDeleted,
];
