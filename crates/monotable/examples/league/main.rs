//! The running example of the guide (`docs/guide`): teams, players, games and invites in one table.
//!
//! ```text
//! cargo run --example league -p monotable
//! ```
//!
//! It opens the table in memory, writes with every kind of write, uses every access pattern of the
//! model, and prints the results.

#[allow(unreachable_pub, reason = "the model reads like one of a library")]
mod model;

use std::process::ExitCode;

use model::*;
use monotable::model::Result;
use monotable::prelude::*;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("league: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn run() -> Result<()> {
    // `Embedded::open("./league", Options::default())?` keeps it on disk, `Dynamo::new(client)` in the
    // cloud. Nothing else changes.
    let db = League::open(Embedded::memory()).await?;
    show_table();
    create_teams(&db).await?;
    change_players(&db).await?;
    play(&db).await?;
    ask(&db).await
}

// ── What is printed ─────────────────────────────────────────────────────────────────────────────

fn heading(text: &str) {
    println!("\n{text}");
}

fn line(label: &str, value: impl std::fmt::Display) {
    println!("  {label:<36}{value}");
}

/// Prints the error of an operation that must fail.
fn refused<T>(label: &str, result: Result<T>) {
    match result {
        Ok(_) => line(label, "happened, and should not have"),
        Err(error) => line(label, format_args!("refused: {error}")),
    }
}

fn show_table() {
    let meta = League::META;
    println!("{}", meta.doc);
    heading("Table");
    line("name", meta.table_name);
    let names: Vec<&str> = meta.entities.iter().map(|entity| entity.name).collect();
    line("entities", names.join(", "));
    for index in meta.indexes {
        let keys: Vec<&str> = index.partition.iter().chain(index.sort).copied().collect();
        line(&format!("index {}", index.name), keys.join(", "));
    }
    let patterns: usize = meta.pattern_sets.iter().map(|set| set.patterns.len()).sum();
    line("access patterns", patterns);
}

// ── Writes ──────────────────────────────────────────────────────────────────────────────────────

fn id<T>(text: &str) -> Result<T>
where
    T: std::str::FromStr<Err = monotable::model::key::KeyError>,
{
    text.parse().map_err(|error| Error::Key { entity: "id", error })
}

fn date(text: &str) -> Result<Date> {
    text.parse().map_err(|error| Error::Settings(format!("{error}")))
}

fn team(team_id: &str, name: &str) -> Result<Team> {
    let (team_id, name, stamps) = (id(team_id)?, name.to_owned(), Stamps::default());
    Ok(Team { team_id, name, city: None, wins: 0, stamps })
}

fn player(player_id: &str, name: &str) -> Result<Player> {
    let (team_id, player_id) = (id("red")?, id(player_id)?);
    let (name, stamps) = (name.to_owned(), Stamps::default());
    Ok(Player { team_id, player_id, name, number: None, user_id: None, stamps })
}

fn game(game_id: &str, day: &str) -> Result<Game> {
    Ok(Game {
        game_id: id(game_id)?,
        home_id: id("red")?,
        date: date(day)?,
        field: id("north")?,
        status: Status::Scheduled,
        home_runs: 0,
        guest_runs: 0,
        stamps: Stamps::default(),
    })
}

async fn create_teams(db: &Store<League>) -> Result<()> {
    heading("Create");
    for (id, name) in [("red", "Red Sox"), ("blue", "Blue Jays")] {
        let team = db.create(&team(id, name)?).await?;
        line(&team.name, format_args!("version {}", team.stamps.version));
    }
    refused("the same team again", db.create(&team("red", "Red Caps")?).await);
    refused("another team of that name", db.create(&team("crimson", "Red Sox")?).await);
    if let Some(owner) = db.team_named("Red Sox").await? {
        line("the name belongs to", owner.team_id);
    }

    let players = [("ann", "Ann"), ("bob", "Bob"), ("cleo", "Cleo")];
    let mut batch = db.batch();
    for (id, name) in players {
        batch = batch.put(&player(id, name)?);
    }
    batch.await.map_err(|incomplete| incomplete.cause)?;
    line("players in one batch", players.len());
    for (id, day) in [("g1", "2026-05-01"), ("g2", "2026-05-02"), ("g3", "2026-05-09")] {
        db.create(&game(id, day)?).await?;
    }
    let invite = Invite { team_id: id("red")?, code: id("x7")?, expires: None };
    db.create(&invite).await?;
    line("games and invites", 4);
    Ok(())
}

async fn change_players(db: &Store<League>) -> Result<()> {
    heading("Change");
    let ann = PlayerKey::new(id("red")?, id("ann")?);
    let player = db.update(Player::update(&ann).number(Some(7))).await?;
    line("Ann's number, without reading", format_args!("{:?}", player.number));
    let only_if_free = Player::update(&ann).number(Some(9)).when(model::player::number().absent());
    refused("again, if she has none", db.update(only_if_free).await);
    let linked = db.edit(player.clone(), |player| player.user_id = id("u1").ok()).await?;
    line("Ann's account, by an edit", format_args!("version {}", linked.stamps.version));
    refused("an edit of the old copy", db.edit(player, |player| player.number = None).await);
    Ok(())
}

async fn play(db: &Store<League>) -> Result<()> {
    heading("Play");
    let active = ActiveGame { team_id: id("red")? }.guard();
    let not_found = || Error::NotFound { entity: "Game" };
    let first = db.game(&id("g1")?).await?.ok_or_else(not_found)?;
    let mut start = db.transact().with(active.hold("g1"));
    let started = start.add(edit(&first, |game| game.status = Status::InProgress));
    let first = start.commit().await?[started].clone();
    line("g1 starts", format_args!("{:?}, version {}", first.status, first.stamps.version));

    let second = db.game(&id("g2")?).await?.ok_or_else(not_found)?;
    let start = db.transact().with(edit(&second, |game| game.status = Status::InProgress));
    refused("g2 starts meanwhile", start.with(active.hold("g2")).await);

    let red = TeamKey::new(id("red")?);
    let end = db
        .transact()
        .with(edit(&first, |game| {
            game.status = Status::Final;
            (game.home_runs, game.guest_runs) = (5, 3);
        }))
        .with(Team::update(&red).add_wins(1))
        .with(active.release("g1"));
    let done = end.commit().await?;
    line("g1 ends, and a win is counted", format_args!("{} write units", done.units));
    Ok(())
}

// ── Reads ───────────────────────────────────────────────────────────────────────────────────────

fn answer<S>(page: &Page<S>, show: impl Fn(&S) -> String) {
    let rows: Vec<String> = page.rows.iter().map(show).collect();
    let Page { pattern, units, .. } = page;
    println!("  {pattern:<20}{:>4}{units:>8.1}    {}", rows.len(), rows.join(", "));
}

fn game_text(game: &Game) -> String {
    format!("{} {}", game.date, game.game_id)
}

async fn ask(db: &Store<League>) -> Result<()> {
    println!("\n{:<22}{:>4}{:>8}", "Ask", "rows", "units");
    let red: TeamId = id("red")?;
    answer(&db.team_page(&red).page().await?, |row| match row {
        TeamPage::Team(team) => team.name.clone(),
        TeamPage::Player(player) => player.name.clone(),
        TeamPage::Invite(invite) => invite.code.to_string(),
    });
    answer(&db.roster(&red).take(2).page().await?, |player| player.name.clone());
    answer(&db.players_of(&id("u1")?).page().await?, |player| player.name.clone());
    answer(&db.invites(&red).page().await?, |invite| invite.code.to_string());
    let (from, to) = (date("2026-05-02")?, date("2026-05-31")?);
    answer(&db.games(&red, from, to).page().await?, game_text);
    answer(&db.games_by_status(&red, Status::Scheduled).page().await?, game_text);
    answer(&db.all_games().page().await?, game_text);
    answer(&db.dump().page().await?, |row| match row {
        Dump::Team(team) => team.name.clone(),
        Dump::Player(player) => player.name.clone(),
        Dump::Game(game) => game.game_id.to_string(),
        Dump::Invite(invite) => invite.code.to_string(),
    });

    heading("Whole answers");
    if let Some(team) = db.team(&red).await? {
        line("team", format_args!("{}, {} win", team.name, team.wins));
    }
    if let Some(view) = db.team_view(&red).await? {
        line("team_view", format_args!("{} with {} players", view.team.name, view.players.len()));
    }
    line("whole_roster", db.whole_roster(&red).await?.len());
    if let Some(game) = db.next_game(&red, date("2026-05-03")?).await? {
        line("next_game", game_text(&game));
    }
    let keys = [TeamKey::new(id("blue")?), TeamKey::new(id("nobody")?)];
    let teams = db.teams(&keys).await?;
    let names: Vec<&str> =
        teams.iter().map(|team| team.as_ref().map_or("none", |team| &team.name)).collect();
    line("teams", names.join(", "));
    let key = teams[0].as_ref().map(Team::key);
    line("key of the first", format_args!("{key:?}"));
    Ok(())
}
