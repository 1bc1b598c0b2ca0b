//! The model of the running example, which `docs/guide/league.md` shows.

use monotable::prelude::*;

ids! {
    TeamId,
    PlayerId,
    UserId,
    GameId,
    /// The name of a playing field.
    Field,
}

/// The progress of a game.
#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    Scheduled,
    InProgress,
    Final,
}

/// A club: the first row of its item collection. No two clubs have the same name.
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
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// A player on a roster. The user index contains it only while a user is linked.
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
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
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
    #[stamps]
    #[serde(skip)]
    pub stamps: Stamps,
}

/// A code to join a team, which expires.
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

/// The game that a team is playing.
#[derive(RuleKey, Clone, Debug)]
#[rule(Guard, pk = "TEAM#{team_id}", sk = "ACTIVE_GAME")]
pub struct ActiveGame {
    pub team_id: TeamId,
}

/// The number of seats of a game that are taken.
#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "GAME#{game_id}", sk = "SEATS")]
pub struct Seats {
    pub game_id: GameId,
}

/// A route whose calls are limited.
#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    CreateGame,
}

/// The calls of a user to a route.
#[derive(RuleKey, Clone, Debug)]
#[rule(RateWindow, pk = "RATE#{user_id}", sk = "{route}#{window}")]
pub struct Calls {
    pub user_id: UserId,
    pub route: Route,
}

/// The lock for exports.
#[derive(RuleKey, Clone, Debug)]
#[rule(Lock, pk = "LOCK#export", sk = "LOCK")]
pub struct Export;

/// A request of a user that takes effect once.
#[derive(RuleKey, Clone, Debug)]
#[rule(Idempotency, pk = "IDEMPOTENCY#{user_id}", sk = "KEY#{key}")]
pub struct Request {
    pub user_id: UserId,
    pub key: String,
}

/// The runs of a game, and its score.
#[derive(RuleKey, Clone, Debug)]
#[rule(Log, pk = "GAME#{game_id}", sk = "EVENT#{seq:06}", snapshot = "SCORE")]
pub struct Runs {
    pub game_id: GameId,
}

/// The count of a season's scores.
#[derive(RuleKey, Clone, Debug)]
#[rule(Job, pk = "JOB#season-{season}", sk = "SCORES")]
pub struct SeasonScores {
    pub season: u16,
}

/// The pages of a season that were counted.
#[derive(RuleKey, Clone, Debug)]
#[rule(Counter, pk = "JOB#season-{season}", sk = "PAGES")]
pub struct SeasonPages {
    pub season: u16,
}

/// A setting of a user.
#[derive(RuleKey, Clone, Debug)]
#[rule(Record, pk = "SETTINGS#{user_id}", sk = "SETTING#{name}")]
pub struct Setting {
    pub user_id: UserId,
    pub name: String,
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
        stamps Stamps(version = ver, created = createdAt, updated = updatedAt);
        entities(Team, Player, Game, Invite);
        rules(
            ActiveGame, Seats, Calls, Export, Request, Runs, SeasonScores, SeasonPages, Setting
        );
        patterns(LeagueReads);
    }
}

/// The access patterns of the application.
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
