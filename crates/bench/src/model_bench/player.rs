//! The entity that both contenders write and read: 1 KB, two of three indexes, a counter.

use monotable::prelude::*;
use monotable_bench::sample::{GROUP_ITEMS, PARTITION_ITEMS, mix};

/// Letters that fill a row up to about 1 KB.
const NOTES_BYTES: usize = 760;

/// A player of a team, listed by league and by position.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[entity(
    allow(K05, because = "the numbers of a benchmark have 12 digits"),
    allow(W01, because = "the benchmark loads in batches")
)]
#[key(pk = "TEAM#{team:012}", sk = "PLAYER#{number:012}")]
#[index(GSI1: pk = "LEAGUE#{league:012}", sk = "PLAYER#{number:012}")]
#[index(GSI2: pk = "POSITION#{position:012}", sk = "PLAYER#{number:012}")]
pub(crate) struct Player {
    #[immutable]
    pub(crate) team: u64,
    #[immutable]
    pub(crate) number: u64,
    pub(crate) league: u64,
    pub(crate) position: u64,
    pub(crate) name: String,
    pub(crate) joined: String,
    #[counter]
    pub(crate) games: u64,
    pub(crate) notes: String,
}

impl Player {
    pub(crate) fn numbered(number: u64) -> Self {
        let letters = format!("{:016x}", mix(number)).repeat(NOTES_BYTES.div_ceil(16));
        Self {
            team: number / PARTITION_ITEMS,
            number,
            league: number / GROUP_ITEMS,
            position: number % 1_000,
            name: format!("Player {number:012}"),
            joined: "2024-03-01".to_owned(),
            games: 17,
            notes: letters[..NOTES_BYTES].to_owned(),
        }
    }
}

table! {
    /// The table of the benchmark.
    pub(crate) League {
        name = "league";
        key(PK, SK);
        type_attribute = kind;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK, GSI2SK) allow(I03, because = "its writes are part of what is measured");
        index GSI3(GSI3PK, GSI3SK) allow(I03, because = "no row is in it, as in the engine's benchmark");
        entities(Player);
        patterns(LeagueReads);
    }
}

/// The measured reads.
#[access_patterns(League)]
pub(crate) trait LeagueReads {
    /// One player.
    #[get(pk = "TEAM#{team:012}", sk = "PLAYER#{number:012}")]
    fn player(&self, team: u64, number: u64) -> One<Player>;
    /// Returns the players of a team.
    #[query(pk = "TEAM#{team:012}")]
    fn team(&self, team: u64) -> Rows<Player>;
    /// Returns the players of a league.
    #[query(index = GSI1, pk = "LEAGUE#{league:012}")]
    fn league(&self, league: u64) -> Rows<Player>;
}
