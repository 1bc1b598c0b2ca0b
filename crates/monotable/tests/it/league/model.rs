//! The entities, the table and its access patterns.

use monotable::prelude::*;

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct TeamId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct PlayerId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct UserId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct GameId(String);

#[derive(Id, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Venue(String);

#[derive(KeyWord, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Status {
    Scheduled,
    InProgress,
    Final,
}

/// A club: first row of its own item collection.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "TEAM")]
#[key(pk = "TEAM#{team_id}", sk = "METADATA")]
#[unique(name)]
pub(super) struct Team {
    pub team_id: TeamId,
    pub name: String,
    #[counter]
    pub players: u64,
    #[version]
    pub ver: u64,
}

/// A roster slot. Found by its user only while linked, and by its number only while it has one.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "PLAYER")]
#[key(pk = "TEAM#{team_id}", sk = "PLAYER#{player_id}")]
#[index(GSI4: sparse, pk = "USER#{user_id}", sk = "PLAYER#{player_id}")]
#[index(LSI1: sparse, sk = "NUMBER#{number:03}")]
pub(super) struct Player {
    pub team_id: TeamId,
    pub player_id: PlayerId,
    pub user_id: Option<UserId>,
    pub number: Option<u8>,
    #[version]
    pub ver: u64,
}

/// A game of a team.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "GAME")]
#[key(pk = "GAME#{game_id}", sk = "METADATA")]
#[index(GSI2: pk = "ENTITY#GAME#{shard}", sk = "GAME#{date}#{game_id}", shards = 4, by = game_id)]
#[index(GSI3: pk = "TEAM#{home_id}", sk = "GAME#{date}#{game_id}")]
#[index(GSI5: pk = ["{venue}", "{status}"], sk = ["{date}", "{game_id}"])]
pub(super) struct Game {
    pub game_id: GameId,
    pub home_id: TeamId,
    pub date: Date,
    pub venue: Venue,
    pub status: Status,
    #[version]
    pub ver: u64,
}

/// Something that happened in a game, in order.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[entity(type = "EVENT")]
#[key(pk = "GAME#{game_id}", sk = "EVENT#{number:05}")]
pub(super) struct Event {
    pub game_id: GameId,
    #[immutable]
    pub number: u16,
    pub text: String,
}

/// A team with its roster.
#[derive(Aggregate, Debug, PartialEq)]
pub(super) struct TeamView {
    pub team: Team,
    pub players: Vec<Player>,
}

/// What is known of a game, if anything.
#[derive(Aggregate, Debug, PartialEq)]
pub(super) struct GameLog {
    pub game: Option<Game>,
    pub events: Vec<Event>,
}

table! {
    /// One table for the whole league.
    pub(super) League {
        name = "league-{environment}";
        key(PK, SK);
        type_attribute = ItemType;
        index GSI2(GSI2PK, GSI2SK);
        index GSI3(GSI3PK, GSI3SK);
        index GSI4(GSI4PK, GSI4SK) projection(include(ItemType, teamId, playerId, userId, number, ver));
        index GSI5((venue, status), (date, gameId));
        local index LSI1(LSI1SK);
        targets(embedded, dynamodb);
        entities(Team, Player, Game, Event);
        patterns(LeagueReads, GameReads);
    }
}

/// Teams and players.
#[access_patterns(League)]
pub(super) trait LeagueReads {
    /// One team.
    #[get(pk = "TEAM#{team_id}", sk = "METADATA", consistent)]
    fn team(&self, team_id: &TeamId) -> One<Team>;
    /// The team page: team and roster in one query.
    #[query(pk = "TEAM#{team_id}")]
    fn team_page(&self, team_id: &TeamId) -> Rows<(Team, Player)>;
    /// The roster only.
    #[query(pk = "TEAM#{team_id}", sk = begins_with("PLAYER#"))]
    fn roster(&self, team_id: &TeamId) -> Rows<Player>;
    /// The roster by shirt number, for those that have one.
    #[query(index = LSI1, pk = "TEAM#{team_id}", sk = begins_with("NUMBER#"), consistent)]
    fn numbers(&self, team_id: &TeamId) -> Rows<Player>;
    /// Every roster slot linked to a user, across teams.
    #[query(index = GSI4, pk = "USER#{user_id}", sk = begins_with("PLAYER#"))]
    fn players_of(&self, user_id: &UserId) -> Rows<Player>;
    /// Everything of a team, which never is much.
    #[query(pk = "TEAM#{team_id}", items_max = 3, rows = TeamItem)]
    fn everything(&self, team_id: &TeamId) -> All<(Team, Player)>;
    /// A team with its roster.
    #[query(pk = "TEAM#{team_id}", items_max = 50)]
    fn view(&self, team_id: &TeamId) -> Fold<TeamView>;
    /// Teams by their keys.
    #[batch_get]
    fn teams(&self, keys: &[TeamKey]) -> Many<Team>;
    /// Everything.
    #[scan(admin)]
    fn dump(&self) -> Rows<LeagueRow>;
}

/// Games.
#[access_patterns(League)]
pub(super) trait GameReads {
    /// The games of a team between two days, the latest first.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = "GAME#{from}"..="GAME#{to}", descending)]
    fn games(&self, team_id: &TeamId, from: Date, to: Date) -> Rows<Game>;
    /// The games of a team from a day on.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = "GAME#{from}"..)]
    fn games_from(&self, team_id: &TeamId, from: Date) -> Rows<Game>;
    /// The games of a team up to a day.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = ..="GAME#{to}")]
    fn games_until(&self, team_id: &TeamId, to: Date) -> Rows<Game>;
    /// The next game of a team.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = "GAME#{today}"..)]
    fn next_game(&self, team_id: &TeamId, today: Date) -> One<Game>;
    /// The games of a team with a status, optionally at a venue.
    #[query(index = GSI3, pk = "TEAM#{team_id}", sk = begins_with("GAME#"))]
    fn games_by_status(
        &self,
        team_id: &TeamId,
        #[filter] status: Status,
        #[filter(venue)] at: Option<&Venue>,
    ) -> Rows<Game>;
    /// All games by day, read from all shards as one.
    #[query(index = GSI2, pk = "ENTITY#GAME#{shard}", shards = 4)]
    fn all_games(&self) -> Rows<Game>;
    /// The games at a venue with a status on a day.
    #[query(index = GSI5, pk = ["{venue}", "{status}"], sk = "{date}")]
    fn games_at(&self, venue: &Venue, status: Status, date: Date) -> Rows<Game>;
    /// The events after a point of a game.
    #[query(pk = "GAME#{game_id}", sk = after("EVENT#{number:05}"))]
    fn events_after(&self, game_id: &GameId, number: u16) -> Rows<Event>;
    /// What happened before a point of a game.
    #[query(pk = "GAME#{game_id}", sk = before("EVENT#{number:05}"))]
    fn events_before(&self, game_id: &GameId, number: u16) -> Rows<Event>;
    /// A game with its events.
    #[query(pk = "GAME#{game_id}", items_max = 500)]
    fn log(&self, game_id: &GameId) -> Fold<GameLog>;
}
