//! The rows of the table, as the design document has them: values with a version and an expiry.
//!
//! Keys are those that other programs know; what stands in a value is the state, the event or the
//! number itself, so that a program which reads the value needs nothing of ours.

mod counts;
mod matches;
mod people;

pub use counts::{
    Budget, BudgetKey, BudgetUpdate, Calls, Due, DueKey, Idempotency, MatchLock, MatchRequest,
    MatchWork, RateCounter, Reservation, ReservationKey, Settled, SettledKey, Task, TaskKey,
    budget,
};
pub use matches::{
    AllianceMessage, AllianceMessageKey, EventRow, EventRowKey, MatchRow, MatchRowKey, SecretRow,
    SecretRowKey, ShardedEventRow, ShardedEventRowKey, SummaryRow, SummaryRowKey, TokenHashes,
    match_row,
};
pub use people::{
    Invite, InviteKey, Lobbies, LobbiesKey, MyMatch, MyMatchKey, MyResult, MyRole, Profile,
    ProfileKey, ProfileStats,
};
