//! Lists of everything, in one partition of the index or spread over several.

use std::collections::BTreeSet;

use monotable::dynamodb::Query;
use monotable_hacktracker::HackTrackerService;
use monotable_host::Service as _;
use monotable_testkit::service::Setting;
use serde_json::{Value, json};

use crate::world::{TABLE, World};

/// Returns the ids of a list, page by page.
async fn pages(world: &World, path: &str, name: &str, id: &str, limit: usize) -> Vec<String> {
    let (mut ids, mut token) = (Vec::new(), String::new());
    loop {
        let page = world.get("admin", &format!("{path}?limit={limit}{token}")).await.json();
        let rows = page[name].as_array().unwrap();
        assert!(rows.len() <= limit, "{page}");
        ids.extend(rows.iter().map(|row| row[id].as_str().unwrap().to_owned()));
        let Some(next) = page.get("nextToken").and_then(Value::as_str) else { return ids };
        assert_eq!(rows.len(), limit, "only the last page is short");
        token = format!("&nextToken={next}");
    }
}

/// Returns how many rows a partition of the index has.
fn in_partition(world: &World, key: &str) -> usize {
    let query = Query::new(TABLE).index("GSI2").key_condition("GSI2PK = :pk").value(":pk", key);
    world.database.query(query).unwrap().items.len()
}

/// Creates twelve users with a team and a game each, and returns the last user and game.
async fn fill(world: &World, from: usize) -> (String, String) {
    let mut last = Default::default();
    for number in from..from + 12 {
        let user = format!("user-{number:02}");
        let team = world.post(&user, "/teams", json!({ "name": "Sluggers" })).await;
        assert_eq!(team.status, 201, "{}", team.text);
        let team = team.json()["teamId"].clone();
        let game = world.post(&user, "/games", json!({ "teamId": team })).await;
        assert_eq!(game.status, 201, "{}", game.text);
        last = (user, game.json()["gameId"].as_str().unwrap().to_owned());
    }
    last
}

#[tokio::test]
async fn ht_d1_lists_are_spread_and_rows_from_before_are_found() {
    let before = World::new().await;
    fill(&before, 0).await;
    assert_eq!(in_partition(&before, "ENTITY#GAME"), 12);
    let world = before.another_process_with(spread(4)).await;
    let (user, game) = fill(&world, 12).await;
    for kind in ["USER", "TEAM", "GAME"] {
        let first = in_partition(&world, &format!("ENTITY#{kind}"));
        let others = (1..4).map(|part| in_partition(&world, &format!("ENTITY#{kind}#{part}")));
        let others: Vec<usize> = others.collect();
        assert_eq!(first + others.iter().sum::<usize>(), 24, "{kind}");
        assert!(others.iter().sum::<usize>() > 0, "{kind} {others:?}");
    }
    for (path, name, id) in [
        ("/users", "users", "userId"),
        ("/teams", "teams", "teamId"),
        ("/games", "games", "gameId"),
    ] {
        for limit in [1, 5, 24, 100] {
            let ids = pages(&world, path, name, id, limit).await;
            assert!(ids.is_sorted(), "{path} {ids:?}");
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 24, "{path} by {limit}");
        }
    }
    // A row stays in its shard after any change, and responses do not show the shard.
    let change = json!({ "opponentName": "Owls" });
    let changed = before.put(&user, &format!("/games/{game}"), change).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    assert_eq!(changed.json().get("listShard"), None);
    assert_eq!(pages(&world, "/games", "games", "gameId", 100).await.len(), 24);
    let foreign = world.get("admin", "/games?limit=1").await.json();
    let token = foreign["nextToken"].as_str().unwrap();
    let refused = world.get("admin", &format!("/users?nextToken={token}")).await;
    assert_eq!(refused.outcome(), "400 INVALID_CURSOR");
}

/// Returns the service with its lists spread over this many partitions.
fn spread(list_shards: u16) -> Setting {
    let mut service = HackTrackerService::default();
    let shards = list_shards.to_string();
    service.configure(&[("hacktracker-list-shards", shards)].into_iter().collect()).unwrap();
    Setting::new(service)
}
