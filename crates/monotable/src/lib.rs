//! Monotable: a single-table design as one Rust program, with DynamoDB's semantics.
//!
//! Entities, key templates and access patterns are declared once, and a design that can't work does
//! not compile:
//!
#![cfg_attr(feature = "embedded", doc = "```")]
#![cfg_attr(not(feature = "embedded"), doc = "```ignore")]
//! use monotable::prelude::*;
//!
//! ids!(TeamId, PlayerId);
//!
//! /// A club: first row of its own item collection.
//! #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
//! #[entity(type = "TEAM")]
//! #[key(pk = "TEAM#{team_id}", sk = "METADATA")]
//! #[unique(name)]
//! pub struct Team {
//!     pub team_id: TeamId,
//!     pub name: String,
//!     #[stamps]
//!     #[serde(skip)]
//!     pub stamps: Stamps,
//! }
//!
//! /// A roster slot.
//! #[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
//! #[entity(type = "PLAYER")]
//! #[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
//! pub struct Player {
//!     pub team_id: TeamId,
//!     pub player_id: PlayerId,
//!     pub number: Option<u8>,
//!     #[stamps]
//!     #[serde(skip)]
//!     pub stamps: Stamps,
//! }
//!
//! table! {
//!     /// One table for everything.
//!     pub League {
//!         name = "league-{environment}";
//!         key(PK, SK);
//!         type_attribute = ItemType;
//!         stamps Stamps(version = ver, created = createdAt, updated = updatedAt);
//!         entities(Team, Player);
//!         patterns(LeagueReads);
//!     }
//! }
//!
//! #[access_patterns(League)]
//! pub trait LeagueReads {
//!     /// The team page: team and roster in one query.
//!     #[query(pk = "TEAM#{team_id}")]
//!     fn team_page(&self, team_id: &TeamId) -> Rows<(Team, Player)>;
//!     /// The roster alone.
//!     #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
//!     fn roster(&self, team_id: &TeamId) -> Rows<Player>;
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // In the same process; `Dynamo::new(client)` is the same program on DynamoDB.
//! let db = League::open(Embedded::memory()).await?;
//!
//! let (team_id, stamps) = (TeamId::new("t1")?, Stamps::default());
//! let team = Team { team_id, name: "Portland Pioneers".into(), stamps };
//! let team = db.create(&team).await?;
//! let player = Player {
//!     team_id: team.team_id.clone(),
//!     player_id: PlayerId::new("p7")?,
//!     number: None,
//!     stamps,
//! };
//! let player = db.create(&player).await?;
//! db.edit(player, |player| player.number = Some(7)).await?;
//!
//! for row in db.team_page(&team.team_id).take(20).page().await?.rows {
//!     match row {
//!         TeamPage::Team(team) => assert_eq!(team.name, "Portland Pioneers"),
//!         TeamPage::Player(player) => assert_eq!(player.number, Some(7)),
//!     }
//! }
//! # Ok(())
//! # }
//! ```
//!
//! The crate gathers what an application needs and owns nothing itself: typed models ([`model`], and
//! what most programs use of it in [`prelude`]), the database that runs in the same process (feature
//! `embedded`, on by default), the values that it stores, and the expressions of its requests as Rust
//! values in [`expression`]. Models run on Amazon DynamoDB with the feature `dynamodb`.
//!
//! Below the models there are DynamoDB's own requests, in [`dynamodb`]:
//!
#![cfg_attr(feature = "embedded", doc = "```")]
#![cfg_attr(not(feature = "embedded"), doc = "```ignore")]
//! use monotable::dynamodb::{CreateTable, Error, IndexDefinition, PutItem, Query};
//! use monotable::expression::{begins_with, key, path};
//! use monotable::{Database, item};
//!
//! // In memory; `Database::open("./monotable-data", Options::default())?` keeps it on disk.
//! let db = Database::memory();
//! db.create_table(
//!     CreateTable::new("league")
//!         .partition_key("PK", "S")?
//!         .sort_key("SK", "S")?
//!         .attribute("GSI1PK", "S")?
//!         .attribute("GSI1SK", "S")?
//!         .global_index(IndexDefinition::new("GSI1", &["GSI1PK"], &["GSI1SK"])),
//! )?;
//!
//! // Requests are DynamoDB's, and so are their expressions as text …
//! let game = item! {
//!     "PK" => "GAME#9", "SK" => "METADATA", "opponent" => "Portland Pioneers",
//!     "GSI1PK" => "TEAM#1", "GSI1SK" => "GAME#9",
//! };
//! let create = PutItem::new("league", game).condition("attribute_not_exists(PK)");
//! db.put_item(create.clone())?;
//! assert!(matches!(db.put_item(create), Err(Error::ConditionalCheckFailed { .. })));
//!
//! // … or as trees, which need no placeholders.
//! let games = Query::new("league")
//!     .index("GSI1")
//!     .key_condition(key("GSI1PK").eq("TEAM#1").and(key("GSI1SK").begins_with("GAME#")))
//!     .filter(begins_with("opponent", "Portland").and(path("score").not_exists()));
//! assert_eq!(db.query(games)?.count, 1);
//! # Ok::<(), Error>(())
//! ```
//!
//! `examples/team_roster.rs` runs a whole design: `cargo run --example team_roster -p monotable`.

#[cfg(feature = "embedded")]
pub use monotable_engine::{
    Clock, Database, Durability, Faults, ManualClock, Options, PartitionLimits, SystemClock,
};
pub use monotable_model::Error;
pub use monotable_types::{
    AttributeValue, Item, Number, NumberError, Set, SetError, item, list, map, number, set,
};

/// DynamoDB's own requests and their results, as methods of [`Database`] take and return them, with
/// the engine's `Error`.
#[cfg(feature = "embedded")]
pub mod dynamodb {
    pub use monotable_engine::*;
    pub use monotable_types::{TypeName, item_size_bytes, limits};
}

/// Expressions as Rust values: conditions, key conditions, projections and updates, built, parsed
/// from DynamoDB's text, and printed back to it.
///
/// ```
/// use monotable::expression::{Update, path};
/// use monotable::item;
///
/// let update = Update::new().set("status", "FINAL").add("wins", 1);
/// let mut team = item! { "status" => "IN_PROGRESS" };
/// assert!(path("status").ne("FINAL").evaluate(&team));
/// update.apply(&mut team)?;
/// assert_eq!(team, item! { "status" => "FINAL", "wins" => 1 });
/// # Ok::<(), monotable::expression::UpdateError>(())
/// ```
pub mod expression {
    pub use monotable_expression::*;
}

/// Typed models: entities, tables and access patterns as Rust declarations, and their requests.
pub mod model {
    pub use monotable_model::*;
}

/// Rules kept as rows: records, guards, counters, rate windows, locks, idempotency, logs and jobs.
pub use monotable_model::rows;

/// Sets in fields of entities: `#[serde(with = "monotable::sets::strings", default)]`.
pub use monotable_model::codec::sets;

/// The design of a table as data: what `table!` declares, its rules, and the documents made from it.
pub mod design {
    pub use monotable_design::*;
}

/// What most programs with a model use: `use monotable::prelude::*;`.
pub mod prelude {
    #[cfg(feature = "embedded")]
    pub use monotable_model::backend::Embedded;
    #[cfg(feature = "dynamodb")]
    pub use monotable_model::backend::{Alternator, Dynamo};
    pub use monotable_model::rows::{
        CounterKey, GuardKey, IdempotencyKey, JobKey, LockKey, LogKey, RateWindowKey, RecordKey,
    };
    pub use monotable_model::time::{Date, EpochSeconds, Timestamp};
    pub use monotable_model::{
        Aggregate, All, Cursor, Entity, Error, Fold, Handle, Id, KeyWord, Many, MirrorOf, One,
        Outcome, Page, Rows, RuleKey, Store, Table, access_patterns, check, check_absent, create,
        delete, delete_by_key, edit, ids, put, rekey, stamps, table,
    };
    pub use serde::{Deserialize, Serialize};
}

#[doc(hidden)]
pub use monotable_model::codegen;

#[cfg(all(doctest, feature = "embedded"))]
mod readme;
