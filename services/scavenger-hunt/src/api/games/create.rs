//! `POST /api/games`: sets up a game.

use serde_json::json;
use sha2::{Digest, Sha256};

use super::config::{BYTES_MAX, NewGame, NewLevel, NewTeam};
use super::links::{LinksView, links};
use crate::api::prelude::*;
use crate::jobs::{end_game, provision};
use crate::rules::codes;
use crate::rules::route::Routes;

/// Teams or levels that one transaction writes, with two further rows each.
const ROWS_AT_ONCE: usize = 30;
/// Steps that the request does itself: all of them.
const STEPS_AT_ONCE: usize = 200;
/// Games of one configuration that one organiser sets up.
const COPIES_MAX: u32 = 1_000;

/// Sets up a game: its levels with their codes, its teams with theirs, and a route for each team. The same request again goes
/// on where an interrupted one has stopped. Players see the game when everything is written.
#[operation(
    POST "/api/games", once, body_bytes_max = BYTES_MAX, refuses(ControlRequired, IdTaken)
)]
pub(crate) async fn create_game(app: &App, call: &Call<(), NewGame>) -> Answer<Created<LinksView>> {
    policy::anywhere(call, Action::Control)?;
    let game = begun(app, call).await?;
    let (levels, teams) = (levels(&game, &call.body, app)?, teams(&game, &call.body)?);
    write_levels(app, &game, &levels).await?;
    write_teams(app, &game, &teams).await?;
    let view = links(app, call, &game, &levels, &teams, |level_id| {
        let routes = provision::routes(&game, &levels);
        occurrences(&routes, &levels, &teams, level_id)
    });
    if game.status == Some(GameStatus::Provisioning) && !is_promised(app, &game.id).await? {
        let mut tx = call.transact(&app.db).or_retry();
        tx.expect(create(provision::ticket(&game.id, app.db.now())?));
        if let Some(ticket) = end_game::ticket(&game)? {
            tx.expect(create(ticket));
        }
        tx.add(create(app.audit(call, &game.id, "createGame", format!("GAME#{}", game.id))?));
        let answer = tx.respond(move |_| Created(view.clone())).await?;
        app.jobs.begin(provision::KIND, game.id.as_str(), STEPS_AT_ONCE).await;
        return Ok(answer);
    }
    app.jobs.begin(provision::KIND, game.id.as_str(), STEPS_AT_ONCE).await;
    Ok(Created(view).into())
}

/// Returns how many teams walk a level.
fn occurrences(routes: &Routes, levels: &[Level], teams: &[Team], level_id: &LevelId) -> usize {
    let ids: Vec<LevelId> = levels.iter().map(|level| level.id.clone()).collect();
    let walks = |team: &&Team| routes.of(team.position.unwrap_or(0), &ids).contains(level_id);
    teams.iter().filter(walks).count()
}

/// Returns whether the rest of the work is promised already.
async fn is_promised(app: &App, game_id: &GameId) -> Result<bool, Problem> {
    let mut tickets = app.db.job_tickets().stream();
    while let Some(ticket) = tickets.next().await {
        let ticket = ticket?;
        if ticket.kind.as_ref() == provision::KIND && ticket.job_id.as_ref() == game_id.as_str() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Returns the row of the game: a new one, or the one that an interrupted request of the same configuration has left.
async fn begun(app: &App, call: &Call<(), NewGame>) -> Result<Game, Problem> {
    let principal = &call.principal()?.id;
    let config_hash = hex::encode(Sha256::digest(format!("{:?}", call.body)));
    if let Some(id) = &call.body.id {
        return match app.db.game(id).await? {
            Some(game) if game.config_hash.as_ref() == Some(&config_hash) => Ok(game),
            Some(_) => Err(Refusal::IdTaken.into()),
            None => write_game(app, call, id.clone(), config_hash).await,
        };
    }
    // Without an id, one follows from the configuration, so that a second request finds the game of the first one.
    for copy in 0..COPIES_MAX {
        let seed = Sha256::digest(format!("{principal}|{config_hash}|{copy}"));
        let id = GameId::new(id_of(&seed.into(), None)).map_err(Problem::internal)?;
        match app.db.game(&id).including_expired().await? {
            Some(game) if game.status == Some(GameStatus::Provisioning) => return Ok(game),
            Some(_) => {}
            None => return write_game(app, call, id, config_hash).await,
        }
    }
    Err(Refusal::IdTaken.into())
}

async fn write_game(
    app: &App,
    call: &Call<(), NewGame>,
    id: GameId,
    config_hash: String,
) -> Result<Game, Problem> {
    let body = &call.body;
    let seed = Sha256::digest([&app.code_key[..], id.as_str().as_bytes()].concat());
    let seed = seed.iter().take(6).fold(0, |seed, byte| (seed << 8) | u64::from(*byte));
    let game = json!({
        "id": id, "name": body.name, "description": body.description, "levelsInGame": body.levels_in_game,
        "status": GameStatus::Provisioning, "route_seed": seed, "config_hash": config_hash,
        "created_by": call.principal()?.id,
    });
    let mut game: Game = serde_json::from_value(game).map_err(Problem::internal)?;
    body.settings.apply(&mut game);
    match app.db.create(&game).await {
        // An equal request was faster.
        Err(Error::Exists { .. }) => Err(Problem::changed()),
        game => Ok(game?),
    }
}

/// Returns an id in the form of a UUID of version 7 whose time is that of a game.
fn id_of(hash: &[u8; 32], at: Option<(Timestamp, u32)>) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&hash[..16]);
    if let Some((at, place)) = at {
        bytes[..6].copy_from_slice(&at.as_ms().to_be_bytes()[2..]);
        bytes[6..8].copy_from_slice(&u16::try_from(place).unwrap_or(0xFFF).to_be_bytes());
    }
    bytes[6] = (bytes[6] & 0x0F) | if at.is_some() { 0x70 } else { 0x80 };
    bytes[8] = (bytes[8] & 0x3F) | 0x80;
    let hex = hex::encode(bytes);
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// Returns an id that follows from a game and a place in it, so that an interrupted request that comes again makes the same one.
pub(crate) fn place_id(game: &Game, what: &str, place: u32) -> String {
    let hash = Sha256::digest(format!("{}|{what}|{place}", game.id));
    id_of(&hash.into(), Some((game.stamps.created, place)))
}

fn levels(game: &Game, config: &NewGame, app: &App) -> Result<Vec<Level>, Problem> {
    let level = |(position, level): (u32, &NewLevel)| {
        let id = match &level.id {
            Some(id) => id.clone(),
            None => LevelId::new(place_id(game, "level", position)).map_err(Problem::internal)?,
        };
        Ok(Level {
            scan_code: Some(codes::scan(&app.code_key, &game.id, &id)),
            id,
            game_id: game.id.clone(),
            level_name: level.level_name.clone(),
            character: Character {
                name: level.character.name.clone(),
                system_prompt: level.character.system_prompt.clone(),
            },
            location: Location {
                description: level.location.description.clone(),
                latitude: Degrees(level.location.latitude),
                longitude: Degrees(level.location.longitude),
            },
            clues: level.clues.clone(),
            easy_clues: level.easy_clues.clone(),
            map_link: level.map_link.clone(),
            max_tokens: level.max_tokens,
            radius_m: level.radius_m,
            points: level.points,
            position: Some(position),
            stamps: Stamps::default(),
        })
    };
    (0..).zip(&config.levels).map(level).collect()
}

fn teams(game: &Game, config: &NewGame) -> Result<Vec<Team>, Problem> {
    let length = u32::try_from(config.levels.len()).unwrap_or(u32::MAX);
    let team = |(position, team): (u32, &NewTeam)| {
        let id = match &team.id {
            Some(id) => id.clone(),
            None => TeamId::new(place_id(game, "team", position)).map_err(Problem::internal)?,
        };
        Ok(Team {
            id,
            game_id: game.id.clone(),
            name: team.name.clone(),
            difficulty_level: team.difficulty_level,
            join_code: None,
            color: team.color.clone(),
            position: Some(position),
            user_count: 0,
            photo_count: 0,
            tally: Tally { levels: config.levels_in_game.unwrap_or(length), ..Tally::default() },
            stamps: Stamps::default(),
        })
    };
    (0..).zip(&config.teams).map(team).collect()
}

/// Writes the levels that are missing, each with its code.
async fn write_levels(app: &App, game: &Game, levels: &[Level]) -> Result<(), Problem> {
    let written: Vec<LevelId> =
        app.db.levels(&game.id).all().await?.into_iter().map(|level| level.id).collect();
    let missing: Vec<&Level> = levels.iter().filter(|level| !written.contains(&level.id)).collect();
    for part in missing.chunks(ROWS_AT_ONCE) {
        let mut tx = app.db.transact();
        for level in part {
            let code = level.scan_code.as_deref().unwrap_or_default();
            tx.add(create(scan_code(&game.id, &level.id, code)?));
            tx.add(IdGuard::of(&level.id).guard().hold(game.id.as_str()));
            tx.add(create((*level).clone()));
        }
        tx.commit().await.map_err(taken)?;
    }
    Ok(())
}

/// Returns the row of a code.
///
/// # Errors
/// Returns 500 if the id of the level can't be part of a key, which never happens.
pub(crate) fn scan_code(
    game_id: &GameId,
    level_id: &LevelId,
    code: &str,
) -> Result<ScanCode, Problem> {
    Ok(ScanCode {
        id: RowId::new(level_id.as_str()).map_err(Problem::internal)?,
        code_hash: Hash::of(code),
        game_id: game_id.clone(),
        level_id: level_id.clone(),
        stamps: Stamps::default(),
    })
}

/// Writes the teams that are missing, each with its code.
async fn write_teams(app: &App, game: &Game, teams: &[Team]) -> Result<(), Problem> {
    let written: Vec<TeamId> =
        app.db.teams(&game.id).all().await?.into_iter().map(|team| team.id).collect();
    let missing: Vec<&Team> = teams.iter().filter(|team| !written.contains(&team.id)).collect();
    for part in missing.chunks(ROWS_AT_ONCE) {
        let mut tx = app.db.transact();
        for team in part {
            let code_hash = Hash::of(&codes::join(&app.code_key, &game.id, &team.id));
            tx.add(IdGuard::of(&team.id).guard().hold(game.id.as_str()));
            tx.add(create(Team { join_code: Some(code_hash.clone()), ..(*team).clone() }));
            tx.add(create(JoinCode {
                id: RowId::new(team.id.as_str()).map_err(Problem::internal)?,
                code_hash,
                game_id: game.id.clone(),
                team_id: team.id.clone(),
                stamps: Stamps::default(),
            }));
        }
        tx.commit().await.map_err(taken)?;
    }
    Ok(())
}

/// Returns what it means that rows could not be written: another game has an id, or an equal request was faster.
fn taken(error: Error) -> Problem {
    let failures = || error.failures().iter().map(|failure| &failure.error);
    if failures().any(|error| matches!(error, Error::Exists { .. })) {
        return Problem::changed();
    }
    if failures().any(|error| matches!(error, Error::Held { .. })) {
        return Refusal::IdTaken.into();
    }
    error.into()
}
