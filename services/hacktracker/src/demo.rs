//! Sample data: two teams, a season, finished games, one in progress and two in the future. It is
//! written with the service's own operations.

mod plays;

use std::time::Duration;

use monotable_kit::demo::{body_of, person, request};
use monotable_kit::{BoxFuture, Call, Principal, Problem};
use serde_json::{Value, json};

use self::plays::plays;
use crate::api::{at_bats, availability, games, invites, players, seasons, teams, users};
use crate::app::App;
use crate::table::{GameId, HackTrackerReads as _, UserId};

const TEAM: &str = "Portland Pioneers";
const PERSONAL_TEAM: &str = "Default";
/// An account that is not used. It is created last, to mark that the sample data is complete.
const MARK: &str = "loaded";
/// First name, last name, number and positions of the roster, except the owner.
const ROSTER: [(&str, &str, u8, &[&str]); 9] = [
    ("Ada", "Brooks", 4, &["SS"]),
    ("Ben", "Castillo", 7, &["2B", "SS"]),
    ("Cleo", "Duarte", 9, &["OF"]),
    ("Dana", "Ellis", 12, &["1B"]),
    ("Eli", "Foster", 15, &["C"]),
    ("Flo", "Grant", 21, &["3B"]),
    ("Gus", "Hale", 24, &["OF"]),
    ("Hana", "Ito", 33, &["P"]),
    ("Ivo", "Jansen", 42, &["OF", "UTIL"]),
];
/// Opponent, runs of the opponent, and days since the game.
const PLAYED: [(&str, u16, u64); 3] =
    [("Night Owls", 3, 21), ("River Rats", 9, 14), ("Old Timers", 4, 7)];

/// Returns the demo users: an owner, a manager, a scorekeeper and a player.
pub fn people() -> Vec<Principal> {
    ["casey", "drew", "sam", "pat"].map(person).into()
}

/// Writes the sample data, unless it exists. The remains of an interrupted start are removed first.
///
/// # Errors
/// Returns refusals of the operations, which do not occur in a table of this service.
pub fn load(app: &App) -> BoxFuture<'_, ()> {
    Box::pin(async move {
        let [casey, drew, sam, pat] = ["casey", "drew", "sam", "pat"].map(person);
        let owner = UserId::new(&casey.id).map_err(|error| Problem::internal(error.to_string()))?;
        let mark = person(MARK);
        let marked = UserId::new(&mark.id).map_err(|error| Problem::internal(error.to_string()))?;
        if app.db.user(&marked).consistent().await?.is_some() {
            return Ok(());
        }
        for (team, _) in users::teams_of(app, &owner).await? {
            if [TEAM, PERSONAL_TEAM].contains(&team.name.as_str()) {
                let path = [("teamId", team.team_id.as_str())];
                let call = Call::of(request(&casey, &path, json!({})))?;
                teams::delete::delete_team(app, &call).await?;
            }
        }
        write(app, [casey, drew, sam, pat]).await?;
        users::current(app, &request(&mark, &[], json!({}))).await.map(drop)
    })
}

/// Returns the sample game in progress, unless it has ended.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn live_game(app: &App) -> Result<Option<GameId>, Problem> {
    let owner = person("casey").id;
    let owner = UserId::new(owner).map_err(|error| Problem::internal(error.to_string()))?;
    for (team, _) in users::teams_of(app, &owner).await? {
        if let Some(active) = app.db.active_game(&team.team_id).await? {
            return Ok(Some(active.game_id));
        }
    }
    Ok(None)
}

async fn write(app: &App, people: [Principal; 4]) -> Result<(), Problem> {
    let [casey, drew, sam, pat] = people;
    let personal = json!({ "name": PERSONAL_TEAM, "team_type": "PERSONAL" });
    teams::create::create_team(app, &Call::of(request(&casey, &[], personal))?).await?;
    let managed = Call::of(request(&casey, &[], json!({ "name": TEAM, "team_type": "MANAGED" })))?;
    let team = body_of(teams::create::create_team(app, &managed).await?.into_reply());
    let team = text(&team, "teamId");
    let lineup = roster(app, &casey, &team).await?;
    for (guest, role, player) in
        [(&drew, "manager", None), (&sam, "scorekeeper", None), (&pat, "player", lineup.first())]
    {
        let invite = json!({ "role": role, "playerId": player });
        let invite = Call::of(request(&casey, &[("teamId", &team)], invite))?;
        let invite = body_of(invites::create::invite(app, &invite).await?.into_reply());
        let accepted = json!({ "token": text(&invite, "token") });
        invites::accept::accept_invite(app, &Call::of(request(guest, &[], accepted))?).await?;
    }
    let season = json!({ "name": "Spring" });
    let season = Call::of(request(&drew, &[("teamId", &team)], season))?;
    let season = body_of(seasons::create::create_season(app, &season).await?.into_reply());
    let schedule = Schedule { app, team, season: text(&season, "seasonId"), lineup, sam };
    for (number, (opponent, runs, days)) in PLAYED.into_iter().enumerate() {
        let game = schedule.played(opponent, days, number, 27).await?;
        let score = json!({ "opponentScore": runs });
        schedule.finish(&game, score).await?;
    }
    schedule.played("Bay Breakers", 0, PLAYED.len(), 14).await?;
    for (opponent, days) in [("Night Owls", 7), ("River Rats", 14)] {
        let game = schedule.coming(opponent, days).await?;
        for (player, answer) in schedule.lineup.iter().zip(["yes", "yes", "maybe", "no", "yes"]) {
            let path = [("gameId", game.as_str()), ("playerId", player)];
            let answer = Call::of(request(&drew, &path, json!({ "answer": answer })))?;
            availability::set::set_availability(app, &answer).await?;
        }
    }
    Ok(())
}

/// Adds the players, and returns their ids.
async fn roster(app: &App, owner: &Principal, team: &str) -> Result<Vec<String>, Problem> {
    let mut ids = Vec::new();
    for (first_name, last_name, number, positions) in ROSTER {
        let player = json!({
            "firstName": first_name,
            "lastName": last_name,
            "playerNumber": number,
            "positions": positions,
        });
        let player = Call::of(request(owner, &[("teamId", team)], player))?;
        let player = body_of(players::add::add_player(app, &player).await?.into_reply());
        ids.push(text(&player, "playerId"));
    }
    Ok(ids)
}

/// The games of the team, which its scorekeeper records.
struct Schedule<'a> {
    app: &'a App,
    team: String,
    season: String,
    lineup: Vec<String>,
    sam: Principal,
}

impl Schedule<'_> {
    /// Returns a game that was started this many days ago, with this many plate appearances.
    async fn played(
        &self,
        opponent: &str,
        days: u64,
        number: usize,
        count: usize,
    ) -> Result<String, Problem> {
        let at = self.app.db.now() - Duration::from_secs(days * 24 * 60 * 60);
        let game =
            self.game(opponent, json!({ "scheduledStart": at, "status": "IN_PROGRESS" })).await?;
        for play in plays(&self.lineup, number, count) {
            let play = Call::of(request(&self.sam, &[("gameId", &game)], play))?;
            at_bats::record::record_at_bat(self.app, &play).await?;
        }
        Ok(game)
    }

    /// Returns a game this many days from now.
    async fn coming(&self, opponent: &str, days: u64) -> Result<String, Problem> {
        let at = self.app.db.now() + Duration::from_secs(days * 24 * 60 * 60);
        self.game(opponent, json!({ "scheduledStart": at })).await
    }

    async fn game(&self, opponent: &str, mut fields: Value) -> Result<String, Problem> {
        fields["teamId"] = json!(self.team);
        fields["seasonId"] = json!(self.season);
        fields["opponentName"] = json!(opponent);
        fields["location"] = json!("Field 3");
        fields["lineup"] = json!(self.lineup);
        fields["scoreMode"] = json!("auto");
        let game = Call::of(request(&self.sam, &[], fields))?;
        let game = body_of(games::create::create_game(self.app, &game).await?.into_reply());
        Ok(text(&game, "gameId"))
    }

    async fn finish(&self, game: &str, score: Value) -> Result<(), Problem> {
        let score = Call::of(request(&self.sam, &[("gameId", game)], score))?;
        games::finish::finish_game(self.app, &score).await.map(drop)
    }
}

fn text(value: &Value, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}
