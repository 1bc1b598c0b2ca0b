//! How the service refuses: one variant for each code, with the text that clients get.

use monotable_kit::{Problem, Refusal};
use serde_json::{Map, Value};

/// A refusal of the service. Texts that depend on the request are given where it is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Refusal)]
pub enum Refusal {
    /// The request is invalid.
    #[refusal(invalid)]
    InvalidRequest,
    /// The number of members is not one that the event allows.
    #[refusal(invalid)]
    InvalidTeamSize,
    /// Two members have the same e-mail address.
    #[refusal(invalid, code = "DUPLICATE_EMAIL")]
    RepeatedEmail,
    /// The signature of the payment is wrong.
    #[refusal(invalid)]
    InvalidSignature,
    /// The signature of the webhook is wrong.
    #[refusal(unauthenticated, code = "INVALID_SIGNATURE")]
    InvalidWebhookSignature,
    /// The payment failed. Try it again.
    #[refusal(payment)]
    PaymentFailed,
    /// You may not do this.
    #[refusal(forbidden)]
    Forbidden,
    /// Verify your e-mail address first.
    #[refusal(forbidden)]
    EmailNotVerified,
    /// There is no such resource.
    #[refusal(not_found)]
    NotFound,
    /// The e-mail address is registered already.
    #[refusal(conflict)]
    DuplicateEmail,
    /// Another team has this name. Choose another one.
    #[refusal(conflict)]
    TeamNameTaken,
    /// You are registered in a team already.
    #[refusal(conflict)]
    AlreadyRegistered,
    /// Registration is closed.
    #[refusal(conflict)]
    RegistrationClosed,
    /// All places are taken. Register with `waitlist` to wait for one.
    #[refusal(conflict)]
    EventFull,
    /// The team has paid already.
    #[refusal(conflict)]
    AlreadyPaid,
    /// The amount is not the one that the team owes.
    #[refusal(conflict)]
    AmountMismatch,
    /// The place was held for the payment, and the time is over. Register again.
    #[refusal(conflict)]
    HoldExpired,
    /// The state of the team does not allow this.
    #[refusal(conflict)]
    InvalidState,
    /// The team has no track. Its leader chooses one before the event starts, an administrator also afterwards.
    #[refusal(conflict)]
    TrackRequired,
    /// The invitation was accepted already, has expired, or its team takes part no more.
    #[refusal(conflict)]
    InviteClosed,
    /// Teams have chosen a track that is to be removed.
    #[refusal(conflict)]
    TrackInUse,
    /// The payment was returned already, or is being returned.
    #[refusal(conflict)]
    AlreadyRefunded,
    /// The participant has arrived already.
    #[refusal(conflict)]
    AlreadyCheckedIn,
    /// The time to hand in work is over.
    #[refusal(conflict)]
    SubmissionsClosed,
    /// The payment gateway does not respond. Try it again later.
    #[refusal(unavailable)]
    GatewayUnavailable,
    /// The event is not configured yet. Start the server with --hackathon-config FILE, or send PUT /hackathon/admin/config.
    #[refusal(unavailable)]
    NotConfigured,
}

/// What can refuse a caller who pays for a team.
pub(crate) const PAYING: &[Refusal] = &[
    Refusal::NotFound,
    Refusal::Forbidden,
    Refusal::AlreadyPaid,
    Refusal::HoldExpired,
    Refusal::InvalidState,
];

/// What can refuse the result of a payment that a browser brings back.
pub(crate) const VERIFYING: &[Refusal] = &[
    Refusal::InvalidSignature,
    Refusal::NotFound,
    Refusal::PaymentFailed,
    Refusal::AmountMismatch,
    Refusal::GatewayUnavailable,
    Refusal::NotConfigured,
];

/// Returns a code as clients of this service know it: the ones that the kit shares among services have the names of
/// this one.
fn code(code: &str) -> &str {
    match code {
        "VALIDATION" | "UNKNOWN_FIELD" | "READ_ONLY_FIELD" | "EMPTY_BODY" | "MALFORMED_JSON" => {
            "INVALID_REQUEST"
        }
        "UNAUTHENTICATED" => "UNAUTHORIZED",
        "INTERNAL" => "INTERNAL_ERROR",
        code => code,
    }
}

/// Writes a problem as clients of this service know it.
pub(crate) fn form(problem: &Problem, _request_id: &str) -> Value {
    let mut error = Map::new();
    error.insert("code".to_owned(), code(problem.code).into());
    error.insert("message".to_owned(), problem.message.clone().into());
    if !problem.details.is_empty() {
        error.insert("details".to_owned(), Value::Object(problem.details.clone()));
    }
    serde_json::json!({ "success": false, "error": error })
}
