//! The pages: scoreboards and tables for everybody, and score keeping.

pub(crate) mod game;
pub(crate) mod goal;
pub(crate) mod home;
pub(crate) mod join;
pub(crate) mod league;
pub(crate) mod manage;
pub(crate) mod me;
pub(crate) mod result_picture;
pub(crate) mod score;
pub(crate) mod season;
pub(crate) mod session;

use monotable_kit::{Form, Route, Zone};

use crate::api::avatars;
use crate::api::game_change::GameChange;
use crate::api::players::{PlayerView, update};
use crate::api::prelude::*;
use crate::api::public::scoreboard::{PublicGoal, Scoreboard};
use crate::api::public::{PublicPlayer, players};

/// The colour of teams that have none.
const NO_COLOR: &str = "gray";

/// Returns the colour of a team.
fn color(color: &Option<String>) -> &str {
    color.as_deref().unwrap_or(NO_COLOR)
}

/// Avatars that are longer are no picture but a text, and not shown.
const AVATAR_LENGTH_MAX: usize = 8;

/// Returns what a player is called, with the avatar.
fn nickname(player: &PublicPlayer) -> String {
    let nickname = player.nickname.as_deref().unwrap_or("Former player");
    match &player.avatar {
        Some(avatar) if avatar.chars().count() <= AVATAR_LENGTH_MAX => {
            format!("{avatar} {nickname}")
        }
        _ => nickname.to_owned(),
    }
}

/// Returns the forms that change the profile of a player, each with its title.
fn profile_forms(call: &Request, player: &Player, then: &str) -> Vec<(&'static str, Form)> {
    let form = |route: &Route, submit: &str| {
        Form::of(call, route).path("playerId", &player.player_id).submit(submit).then(then)
    };
    let names = form(&update::route(), "Save the profile").values(&PlayerView::of(player));
    let mut forms = vec![
        ("Nickname and avatar", names),
        ("Picture", form(&avatars::set::route(), "Use this picture")),
    ];
    if player.avatar_key.is_some() {
        forms.push(("Remove the picture", form(&avatars::remove::route(), "Remove the picture")));
    }
    forms
}

/// Returns a day as people write it.
pub(crate) fn day(date: &Date) -> String {
    jiff::civil::Date::from(*date).strftime("%-d %B %Y").to_string()
}

/// Returns the names of teams as a title.
fn title<'a>(teams: impl IntoIterator<Item = &'a TeamSnapshot>) -> String {
    teams.into_iter().map(|team| team.name.as_str()).collect::<Vec<_>>().join(" – ")
}

/// Returns the rules of a season's table in words.
fn ranking_rules(season: &Season) -> String {
    let words = season.ranking.iter().map(|criterion| match criterion {
        Ranking::Wins => "wins",
        Ranking::Draws => "draws",
        Ranking::Conceded => "fewest goals conceded",
        Ranking::Scored => "goals scored",
        Ranking::Losses => "fewest losses",
        Ranking::Played => "games played",
    });
    words.collect::<Vec<_>>().join(", then ")
}

/// Lets people choose teams and players of a game by taps: a button for each team, and one for each player under
/// the name of the team.
async fn with_players(form: Form, app: &App, change: &GameChange<'_>) -> Result<Form, Problem> {
    let (game, roster) = (&change.game, &change.sheet.roster);
    let known = players(app, roster.iter().map(|entry| entry.player_id.clone()).collect()).await?;
    let option = |entry: &RosterEntry| {
        let known = known.get(&entry.player_id);
        let name = known.map_or_else(|| entry.player_id.to_string(), |one| one.nickname.clone());
        (entry.player_id.to_string(), name)
    };
    let groups = || {
        game.teams.iter().map(|team| {
            let of_team = roster.iter().filter(|entry| entry.team_id == team.team_id);
            (team.name.clone(), of_team.map(option).collect::<Vec<_>>())
        })
    };
    let teams = game.teams.iter().map(|team| (team.team_id.to_string(), team.name.clone()));
    let colors =
        game.teams.iter().map(|team| (team.team_id.to_string(), color(&team.color).to_owned()));
    Ok(form
        .buttons("concedingTeamId", [(String::new(), teams.collect())])
        .colors("concedingTeamId", colors)
        .buttons("scorerPlayerId", groups())
        .buttons("assistPlayerIds", groups()))
}

/// A game in a list, and when it starts.
struct ListedGame {
    game: SessionGame,
    clock: String,
}

impl ListedGame {
    fn of(game: &SessionGame, zone: &Zone) -> Self {
        Self { game: game.clone(), clock: zone.clock(game.starts_at()) }
    }

    /// How it ended, how far it is, or when it starts.
    fn ending(&self) -> String {
        match self.game.status {
            Some(GameStatus::Scheduled) => format!("Starts at {}", self.clock),
            _ => self.game.ending(),
        }
    }
}

impl SessionGame {
    /// Returns its teams, as a title.
    fn title(&self) -> String {
        title(&self.teams)
    }

    /// Goals conceded, in the order of the title.
    fn conceded(&self) -> String {
        let Some(result) = &self.result else { return String::new() };
        let conceded = |team: &TeamSnapshot| {
            let found = result.teams.iter().find(|one| one.team_id == team.team_id);
            found.map_or_else(String::new, |one| one.conceded.to_string())
        };
        self.teams.iter().map(conceded).collect::<Vec<_>>().join(" – ")
    }

    /// How it ended, or how far it is.
    fn ending(&self) -> String {
        match &self.result {
            Some(GameResult { winner_team_id: Some(winner), .. }) => {
                format!("{} wins", TeamSnapshot::of(winner, &self.teams).name)
            }
            Some(_) => "Draw".to_owned(),
            None => self.status.as_ref().map(status).unwrap_or_default().to_owned(),
        }
    }
}

/// Returns a status in words.
fn status(status: &GameStatus) -> &'static str {
    match status {
        GameStatus::Scheduled => "Not started yet",
        GameStatus::Live => "Live",
        GameStatus::Finished => "Final",
        GameStatus::Deleting => "Deleted",
    }
}

impl Scoreboard {
    /// Returns the name of a team.
    fn team_name<'a>(&'a self, team_id: &'a TeamId) -> &'a str {
        let found = self.teams.iter().find(|team| team.team_id == *team_id);
        found.map_or(team_id.as_str(), |team| team.name.as_str())
    }

    /// Returns the names of the teams, as a title.
    fn title(&self) -> String {
        self.teams.iter().map(|team| team.name.as_str()).collect::<Vec<_>>().join(" – ")
    }

    /// How the game ended, or stands.
    fn verdict(&self) -> String {
        let leading: Vec<&str> =
            self.leading_team_ids.iter().map(|team_id| self.team_name(team_id)).collect();
        match (self.status, &leading[..]) {
            (GameStatus::Finished, [winner]) => format!("{winner} wins"),
            (GameStatus::Finished, _) => format!("Draw of {}", leading.join(" and ")),
            (GameStatus::Live, [leader]) => format!("{leader} leads"),
            (GameStatus::Live, _) => format!("{} are level", leading.join(" and ")),
            _ => String::new(),
        }
    }

    /// Returns a goal in words.
    fn words(&self, goal: &PublicGoal) -> String {
        let (scorer, conceding) = (nickname(&goal.scorer), self.team_name(&goal.conceding_team_id));
        let Some(scoring) = &goal.scoring_team_id else {
            return format!("{scorer}, own goal of {conceding}");
        };
        let mut text = format!("{scorer} ({}) against {conceding}", self.team_name(scoring));
        if !goal.assists.is_empty() {
            let assists: Vec<String> = goal.assists.iter().map(nickname).collect();
            text += &format!(", assisted by {}", assists.join(" and "));
        }
        text
    }
}
