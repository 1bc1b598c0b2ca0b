// The model of the running example. The guide's snippets include this file, which is why its
// comment is an ordinary one.

use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PlayerId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct UserId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GameId(String);

/// The name of a playing field.
#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Field(String);

/// How far a game is.
#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Scheduled,
    InProgress,
    Final,
}

/// A club: first row of its own item collection. No two have the same name.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "TEAM")]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[unique(name)]
pub struct Team {
    pub team_id: TeamId,
    pub name: String,
    pub city: Option<String>,
    #[counter]
    pub wins: u64,
    #[created]
    pub created_at: Timestamp,
    #[version]
    pub ver: u64,
}

/// A roster slot. Found by its user only while somebody is linked.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(
    type = "PLAYER",
    allow(W01, because = "rosters are imported in batches, and the last import counts")
)]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI1: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
pub struct Player {
    pub team_id: TeamId,
    pub player_id: PlayerId,
    pub name: String,
    pub number: Option<u8>,
    pub user_id: Option<UserId>,
    #[version]
    pub ver: u64,
}

/// A game, found by its home team and, over four shards, among all games.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "GAME")]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
#[index(GSI1: pk = "TEAM#{home_id}", sk = "GAME#{date}#{field}#{game_id}")]
#[index(GSI2: pk = "GAMES#{shard}", sk = "GAME#{date}#{game_id}", shards = 4, by = game_id)]
pub struct Game {
    pub game_id: GameId,
    pub home_id: TeamId,
    pub date: Date,
    pub field: Field,
    pub status: Status,
    pub home_runs: u16,
    pub guest_runs: u16,
    #[version]
    pub ver: u64,
}

/// A code to join a team with, which ends by itself.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "INVITE")]
#[key(pk = "TEAM#{team_id}", sk = "INVITE#{code}")]
pub struct Invite {
    pub team_id: TeamId,
    pub code: PlayerId,
    #[ttl]
    #[serde(rename = "ttl")]
    pub expires: Option<EpochSeconds>,
}

/// A team with its roster.
#[derive(Aggregate, Clone, Debug, PartialEq)]
pub struct TeamView {
    pub team: Team,
    pub players: Vec<Player>,
    pub invites: Vec<Invite>,
}

table! {
    /// Teams, their players and their games.
    pub League {
        name = "league-{environment}";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI1(GSI1PK, GSI1SK);
        index GSI2(GSI2PK, GSI2SK);
        ttl = ttl;
        entities(Team, Player, Game, Invite);
        patterns(LeagueReads);
    }
}

/// The questions of the application.
#[access_patterns(League)]
pub trait LeagueReads {
    /// One team.
    #[get(pk = "TEAM#{team_id}", sk = "METADATA")]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// The team of a name.
    #[get(unique = name)]
    fn team_named(&self, name: &str) -> One<Team>;
    /// The team page: team, open invites and roster in one query.
    #[query(pk = "TEAM#{team_id}")]
    fn team_page(&self, team_id: &TeamId) -> Rows<(Team, Invite, Player)>;
    /// The same as one value.
    #[query(pk = "TEAM#{team_id}", items_max = 100)]
    fn team_view(&self, team_id: &TeamId) -> Fold<TeamView>;
    /// The roster.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn roster(&self, team_id: &TeamId) -> Rows<Player>;
    /// The whole roster at once.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"), items_max = 40)]
    fn whole_roster(&self, team_id: &TeamId) -> All<Player>;
    /// The open invites of a team.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("INVITE#"))]
    fn invites(&self, team_id: &TeamId) -> Rows<Invite>;
    /// Every roster slot linked to a user, across teams.
    #[query(index = GSI1, pk = "USER#{user_id}", sk = begins_with("PLAYER#"))]
    fn players_of(&self, user_id: &UserId) -> Rows<Player>;
    /// One game.
    #[get(pk = "GAME#{game_id}", sk = "METADATA")]
    fn game(&self, game_id: &GameId) -> One<Game>;
    /// The home games of a team from one day to another, the latest first.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = "GAME#{from}"..="GAME#{to}", descending)]
    fn games(&self, team_id: &TeamId, from: Date, to: Date) -> Rows<Game>;
    /// The next home game of a team.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = "GAME#{today}"..)]
    fn next_game(&self, team_id: &TeamId, today: Date) -> One<Game>;
    /// The home games of a team in a state.
    #[query(index = GSI1, pk = "TEAM#{team_id}", sk = begins_with("GAME#"))]
    fn games_by_status(&self, team_id: &TeamId, #[filter] status: Status) -> Rows<Game>;
    /// All games by day, read from the four shards as one.
    #[query(index = GSI2, pk = "GAMES#{shard}", shards = 4)]
    fn all_games(&self) -> Rows<Game>;
    /// Many teams by their keys.
    #[batch_get]
    fn teams(&self, keys: &[TeamKey]) -> Many<Team>;
    /// Everything, for administrators.
    #[scan(admin)]
    fn dump(&self) -> Rows<(Team, Player, Game, Invite)>;
}
