//! The event: its settings, its audit, and what organisers must look at.

use std::collections::BTreeMap;

use monotable::prelude::*;
use monotable_kit::{Problem, Request, Zone, changed_fields};

use crate::rules::registration::{HOLD_HOURS_DEFAULT, ttl_after_event};
use crate::table::{AccountId, Changes, College, EntryId, Month, Stamps, Track};

/// The settings of the event.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(type = "config")]
#[key(pk = "CONFIG", sk = "HACKATHON")]
#[allow(missing_docs, reason = "fields are the attributes of the design document")]
pub struct Config {
    pub event_name: String,
    pub registration_open: bool,
    pub registration_start: Timestamp,
    pub registration_end: Timestamp,
    pub event_start: Timestamp,
    pub event_end: Timestamp,
    /// In the smallest unit of the currency.
    pub team_fee: u64,
    pub max_team_size: u8,
    pub min_team_size: u8,
    pub max_teams: u32,
    pub tracks: Vec<Track>,
    #[serde(default = "Config::usual_currency")]
    pub currency: String,
    /// An IANA name.
    #[serde(default = "Config::usual_timezone")]
    pub timezone: String,
    /// How long a slot is held for the payment.
    #[serde(default = "Config::usual_hold_hours")]
    pub hold_hours: u16,
    /// How long personal data is kept after the event.
    #[serde(default = "Config::usual_retention_days")]
    pub retention_days: u32,
    /// Where notices for organisers go.
    pub contact_email: Option<String>,
    #[stamps]
    #[serde(skip)]
    pub stamps: Changes,
}

impl Config {
    /// Returns the currency of events that name none.
    pub fn usual_currency() -> String {
        "INR".to_owned()
    }

    /// Returns the time zone of events that name none.
    pub fn usual_timezone() -> String {
        "Asia/Kolkata".to_owned()
    }

    /// Returns the hours of events that name none.
    pub fn usual_hold_hours() -> u16 {
        HOLD_HOURS_DEFAULT
    }

    /// Returns the days of events that name none.
    pub fn usual_retention_days() -> u32 {
        180
    }

    /// Returns when personal data of the event goes.
    pub fn people_kept_until(&self) -> EpochSeconds {
        ttl_after_event(self.event_end, self.retention_days)
    }

    /// Returns the day of a time in the zone of the event.
    ///
    /// # Errors
    /// Returns 500 if another program has stored a zone that does not exist.
    pub fn day_of(&self, time: Timestamp) -> Result<Date, Problem> {
        Zone::named(&self.timezone)
            .map(|zone| zone.day(time))
            .map_err(|error| Problem::internal(format!("timezone {error}")))
    }
}

row! {
    /// A reminder of the event that was promised to all participants.
    #[entity(type = "reminder")]
    #[key(pk = "REMINDERS", sk = "{event_start}#{hours:010}")]
    pub struct SentReminder {
        #[immutable]
        pub event_start: Timestamp,
        /// Hours before the event.
        #[immutable]
        pub hours: u32,
    }
}

row! {
    /// A spelling of a college that counts as another one.
    #[entity(type = "college_merge")]
    #[key(pk = "COLLEGES", sk = "MERGE#{college}")]
    pub struct CollegeMerge {
        #[immutable]
        pub college: College,
        pub into: College,
    }
}

row! {
    /// A line of the audit: an act, without personal data.
    #[entity(type = "audit")]
    #[key(pk = "AUDIT#{month}", sk = "{at}#{entry_id}")]
    pub struct Audit {
        pub month: Month,
        #[immutable]
        pub at: Timestamp,
        pub entry_id: EntryId,
        /// The account; nobody where the service acted by itself.
        pub actor: Option<AccountId>,
        /// The act, such as `refund`.
        pub action: String,
        /// The row that it was done to, such as `TEAM#1`.
        pub entity: String,
        #[serde(default)]
        pub before: BTreeMap<String, String>,
        #[serde(default)]
        pub after: BTreeMap<String, String>,
        pub request_id: Option<String>,
    }
}

impl Audit {
    /// Records an act of the service itself.
    pub fn of_service(
        at: Timestamp,
        entry_id: EntryId,
        action: &str,
        entity: impl Into<String>,
    ) -> Self {
        Self {
            month: Month::of(at),
            at,
            entry_id,
            actor: None,
            action: action.to_owned(),
            entity: entity.into(),
            before: BTreeMap::new(),
            after: BTreeMap::new(),
            request_id: None,
            stamps: Stamps::default(),
        }
    }

    /// Records the account and the request that the act is of.
    #[must_use]
    pub fn by(mut self, actor: AccountId, request: &Request) -> Self {
        self.actor = Some(actor);
        self.request_id = Some(request.request_id.clone()).filter(|id| !id.is_empty());
        self
    }

    /// Records the fields that change from one row to another. Of fields that are not shown, only what happens to them.
    #[must_use]
    pub fn changes<T: Serialize>(self, before: &T, after: &T, is_shown: fn(&str) -> bool) -> Self {
        let changed = changed_fields(before, after, is_shown).into_iter();
        changed.fold(self, |entry, (what, was, is)| entry.was(&what, was).is(&what, is))
    }
}

monotable_kit::audit_summaries!(Audit);

row! {
    /// Something that organisers must look at, without personal data.
    #[entity(type = "alert")]
    #[key(pk = "ALERT#{month}", sk = "{at}#{entry_id}")]
    pub struct Alert {
        pub month: Month,
        #[immutable]
        pub at: Timestamp,
        pub entry_id: EntryId,
        /// The sort of alert, such as `unknown_order`.
        pub kind: String,
        pub text: String,
    }
}

impl Alert {
    /// Records an alert.
    pub fn new(at: Timestamp, entry_id: EntryId, kind: &str, text: impl Into<String>) -> Self {
        let month = Month::of(at);
        let stamps = Stamps::default();
        Self { month, at, entry_id, kind: kind.to_owned(), text: text.into(), stamps }
    }
}
