//! A table with everything that the kit keeps in one, and a world to run it in.

use std::sync::Arc;
use std::time::Duration;

use monotable::model::backend::Backend;
use monotable::prelude::*;
use monotable::{Clock, ManualClock, Options};
use monotable_kit::jobs::JobTicket;
use monotable_kit::outbox::{DeadLetter, Delivered, Lane, OutboxMessage};
use monotable_kit::{KeepsRequests, Metrics, Randomness, RequestKey};

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct PebbleId(String);

/// Something to be removed.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "BEACH", sk = "PEBBLE#{pebble_id}")]
pub(crate) struct Pebble {
    pub(crate) pebble_id: PebbleId,
}

table! {
    /// A beach.
    pub(crate) Board {
        name = "board";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Pebble, JobTicket, OutboxMessage, DeadLetter, Delivered);
        rules(RequestKey, Steps);
        patterns(BoardReads);
    }
}

impl KeepsRequests for Board {
    type Key = RequestKey;
}

/// The steps that were done.
#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "COUNT", sk = "STEPS")]
pub(crate) struct Steps;

#[access_patterns(Board)]
pub(crate) trait BoardReads {
    /// The pebbles that are left.
    #[query(pk = "BEACH")]
    fn pebbles(&self) -> Rows<Pebble>;
    /// The work that is promised.
    #[query(pk = "JOBS")]
    fn job_tickets(&self) -> Rows<JobTicket>;
    /// The letters that are promised.
    #[query(pk = "OUTBOX#{lane}")]
    fn outbox(&self, lane: &Lane) -> Rows<OutboxMessage>;
    /// The letters that were delivered.
    #[query(pk = "DELIVERED#{lane}")]
    fn delivered(&self, lane: &Lane) -> Rows<Delivered>;
    /// The letters that were given up.
    #[query(pk = "DEADLETTER#{lane}")]
    fn dead_letters(&self, lane: &Lane) -> Rows<DeadLetter>;
}

monotable_kit::background!(Board, BoardReads);

/// A table in memory, and its clock.
pub(crate) struct World {
    pub(crate) backend: Embedded,
    pub(crate) db: Store<Board>,
    clock: Arc<ManualClock>,
}

impl World {
    pub(crate) async fn new() -> Self {
        let clock = Arc::new(ManualClock::new(1_800_000_000_000));
        let options = Options { clock: Arc::clone(&clock) as Arc<dyn Clock>, ..Options::default() };
        let backend = Embedded::memory_with(options);
        let db = Board::open(backend.clone()).await.unwrap();
        Self { backend, db, clock }
    }

    /// The same table through another backend.
    pub(crate) async fn through(&self, backend: impl Backend) -> Store<Board> {
        Board::open(backend).await.unwrap()
    }

    pub(crate) fn pass(&self, time: Duration) {
        self.clock.advance_ms(u64::try_from(time.as_millis()).unwrap());
    }
}

/// No jitter.
pub(crate) struct Zeros;

impl Randomness for Zeros {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0);
    }
}

/// What is measured besides requests.
pub(crate) fn values(metrics: &Metrics) -> String {
    let text = metrics.text();
    text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
}
