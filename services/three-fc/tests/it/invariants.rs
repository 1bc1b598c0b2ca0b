//! What must hold whatever happened.

use std::collections::{BTreeMap, BTreeSet};

use monotable_three_fc::table::{LegacyRow, Role, ThreeFcReads as _};

use crate::game_rows;
use crate::world::World;

/// What must hold at every moment: seasons, sessions, grants and games have both rows and the right copies, and
/// the numbers in leagues and seasons are those of what they count.
pub(crate) async fn always(world: &World) -> Vec<String> {
    check(world, false).await
}

/// Checks the rows; a session counts a game until all of the game is deleted.
async fn check(world: &World, is_quiet: bool) -> Vec<String> {
    let db = &world.app.db;
    let mut wrong = Vec::new();
    let stored: BTreeSet<String> =
        world.setting().blobs.keys().into_iter().map(|key| key.to_string()).collect();
    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    let mut count = |what: String| *counted.entry(what).or_default() += 1;
    let mut expected: Vec<(String, Option<u32>)> = Vec::new();
    let mut rows = db.legacy_rows().stream();
    while let Some(row) = rows.next().await {
        let row = row.unwrap();
        let drift = match &row {
            LegacyRow::League(row) => db.verify(row).await,
            LegacyRow::Season(row) => db.verify(row).await,
            LegacyRow::Team(row) => db.verify(row).await,
            LegacyRow::Session(row) => db.verify(row).await,
            LegacyRow::Game(row) => db.verify(row).await,
            LegacyRow::SessionGame(row) => db.verify(row).await,
            LegacyRow::Goal(row) => db.verify(row).await,
            LegacyRow::RosterEntry(row) => db.verify(row).await,
            LegacyRow::Acl(row) => db.verify(row).await,
            LegacyRow::Player(row) => db.verify(row).await,
        };
        match drift {
            Ok(drift) => {
                wrong.extend(drift.iter().map(|drift| format!("{:?}: {drift}", drift.key)))
            }
            Err(error) => wrong.push(format!("{row:?}: {error}")),
        }
        match row {
            LegacyRow::Player(row) => {
                let picture = row.avatar_key.map(|key| format!("3fc/{key}"));
                if picture.as_ref().is_some_and(|picture| !stored.contains(picture)) {
                    wrong.push(format!("{picture:?} is not stored"));
                }
            }
            LegacyRow::League(row) if row.deleted_at.is_none() => {
                expected.push((format!("admins of {}", row.league_id), row.admin_count));
                expected.push((format!("seasons of {}", row.league_id), row.season_count));
            }
            LegacyRow::Season(row) => {
                count(format!("seasons of {}", row.league_id));
                expected.push((format!("teams of {}", row.season_id), row.team_count));
                expected.push((format!("sessions of {}", row.season_id), row.session_count));
            }
            LegacyRow::Team(row) => {
                count(format!("teams of {}", row.season_id));
            }
            LegacyRow::Session(row) => {
                count(format!("sessions of {}", row.season_id));
                let games = row.game_count.filter(|_| is_quiet);
                expected.push((format!("games of {}", row.session_id), games));
            }
            LegacyRow::SessionGame(row) => {
                count(format!("games of {}", row.session_id));
            }
            LegacyRow::Acl(row) if row.role == Role::Admin => {
                count(format!("admins of {}", row.league_id));
            }
            _ => {}
        }
    }
    for (what, count) in expected {
        let right = counted.get(&what).copied().unwrap_or(0);
        if count.is_some_and(|count| count != right) {
            wrong.push(format!("{what}: {count:?} instead of {right}"));
        }
    }
    wrong
}

/// What must hold when all work is done: nothing of deleted leagues, games and users is left.
pub(crate) async fn quiet(world: &World) -> Vec<String> {
    let mut wrong = check(world, true).await;
    wrong.extend(game_rows::wrong(world));
    for row in world.rows() {
        let text = |name: &str| row.get(name).and_then(|value| value.as_s()).unwrap_or_default();
        let is_user = text("entityType") == "user";
        if (row.contains_key("deletedAt") && !is_user) || text("status") == "deleting" {
            wrong.push(format!("{} / {} is being deleted still", text("pk"), text("sk")));
        }
    }
    wrong
}
