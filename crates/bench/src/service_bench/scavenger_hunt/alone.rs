//! What is measured without other clients.

use std::time::{Duration, Instant};

use http::Method;
use monotable::dynamodb::BatchWriteItem;
use monotable::{Database, item};
use monotable_bench::Result;

use super::world::{LEVELS, PLAYERS, TABLE, TEAMS, World, config};
use crate::measured::Alone;
use crate::subject::request;

/// Positions of the game whose dashboard is shown.
const POSITIONS: usize = 100_000;
/// Positions of a batch.
const BATCH: usize = 25;
/// How often the dashboard is shown; the median counts.
const CALLS: usize = 21;
const DASHBOARD_MAX: Duration = Duration::from_millis(50);

/// Sets up a game of as many teams and levels as the service takes.
pub(super) async fn provisioning(world: &World) -> Result<Alone> {
    let body = config("Provisioned").to_string();
    let request = request(Method::POST, "/api/games", &world.organiser, None, body)?;
    let start = Instant::now();
    world.desk.service.done(request).await?;
    Ok(Alone {
        act: format!("a game of {TEAMS} teams and {LEVELS} levels is set up"),
        measured: format!("{:.0} ms", millis(start.elapsed())),
        target: "none".to_owned(),
        is_met: true,
    })
}

/// Shows the dashboard of a running game with many positions, to a program and to people.
pub(super) async fn dashboard(world: &World) -> Result<Vec<Alone>> {
    let each = POSITIONS / (TEAMS * PLAYERS);
    for team in &world.teams {
        walk(world, &team.team_id, each).await?;
    }
    let mut measured = Vec::new();
    for (name, path) in [
        ("dashboard", format!("/api/games/{}/dashboard", world.game_id)),
        ("page of the board", format!("/manage/{}", world.game_id)),
    ] {
        let mut times = Vec::with_capacity(CALLS);
        for _ in 0..CALLS {
            let request = request(Method::GET, &path, &world.organiser, None, String::new())?;
            let start = Instant::now();
            world.desk.service.done(request).await?;
            times.push(start.elapsed());
        }
        times.sort();
        let median = times[CALLS / 2];
        measured.push(Alone {
            act: format!("{name} of {} players with {POSITIONS} positions", TEAMS * PLAYERS),
            measured: format!("{:.1} ms", millis(median)),
            target: format!("{} ms", DASHBOARD_MAX.as_millis()),
            is_met: median <= DASHBOARD_MAX,
        });
    }
    Ok(measured)
}

/// Gives each player of a team so many positions of the last minutes.
async fn walk(world: &World, team_id: &str, each: usize) -> Result<()> {
    let path = format!("/api/teams/{team_id}/progress");
    let request = request(Method::GET, &path, &world.organiser, None, String::new())?;
    let progress = world.desk.service.json(request).await?;
    for user in progress["users"].as_array().into_iter().flatten() {
        let user_id = crate::subject::text(user, "id")?;
        positions(&world.databases.service, (team_id, &user_id), world.desk.now_ms(), each)?;
    }
    Ok(())
}

fn positions(
    database: &Database,
    (team_id, user_id): (&str, &str),
    now_ms: u64,
    count: usize,
) -> Result<()> {
    let numbers: Vec<usize> = (0..count).collect();
    for part in numbers.chunks(BATCH) {
        let batch = part.iter().fold(BatchWriteItem::new(), |batch, number| {
            let seconds = now_ms / 1_000 - (count - number) as u64 * 5;
            let sort = format!("COORDINATE_SNAPSHOT#{seconds:010}#bench-{number}");
            let item = item! {
                "PK" => format!("USER#{user_id}"),
                "SK" => sort.clone(),
                "GSI1PK" => format!("TEAM#{team_id}"),
                "GSI1SK" => sort,
                "ItemType" => "COORDINATE_SNAPSHOT",
                "id" => format!("bench-{number}"),
                "user_id" => user_id,
                "team_id" => team_id,
                "latitude" => 48,
                "longitude" => 16,
                "created_at" => "2027-01-15T08:00:00.000Z",
                "updated_at" => "2027-01-15T08:00:00.000Z",
                "ver" => 1,
            };
            batch.put(TABLE, item)
        });
        database.batch_write_item(batch)?;
    }
    Ok(())
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}
