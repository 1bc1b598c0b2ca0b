//! The access patterns of the seed as plain DynamoDB requests: they find what the service wrote, and the service
//! finds what such requests write.

use monotable::dynamodb::{GetItem, Query};
use monotable::{Item, item};
use monotable_three_fc::table::{GameStatus, RosterEntry, Stamps, ThreeFcReads as _};
use serde_json::{Value, json};

use crate::world::{Setup as _, World, done, id};

/// Queries a partition by the beginning of the sort key.
fn query(world: &World, partition: &str, begins: &str) -> Vec<Item> {
    let query = Query::new(world.table.as_str())
        .key_condition("pk = :pk AND begins_with(sk, :sk)")
        .value(":pk", partition)
        .value(":sk", begins);
    let page = world.database.query(query).unwrap();
    page.items.into_iter().map(|row| row.to_item()).collect()
}

fn get(world: &World, partition: &str, sort: &str) -> Item {
    let get = GetItem::new(world.table.as_str(), item! { "pk" => partition, "sk" => sort });
    world.database.get_item(get).unwrap().item.unwrap().to_item()
}

/// The content of an envelope.
fn data(row: &Item) -> Value {
    serde_json::from_str(row["data"].as_s().unwrap()).unwrap()
}

/// A row in the envelope of the seed, as its repository writes it.
fn envelope(key: [&str; 2], kind: &str, data: &Value) -> Item {
    item! {
        "pk" => key[0], "sk" => key[1], "entityType" => kind, "data" => data.to_string(),
        "createdAt" => "2026-02-23T09:00:00.000Z", "updatedAt" => "2026-02-23T09:00:00.000Z",
    }
}

#[tokio::test]
async fn plain_requests_find_what_the_service_wrote() {
    let world = World::league().await;
    world.game("g1", GameStatus::Scheduled).await;
    let player = json!({ "leagueId": "l1", "playerId": "p1", "nickname": "Ada" });
    done(world.post("sam", "/v1/players", player).await, 201);
    let entry = RosterEntry {
        game_id: id("g1"),
        team_id: id("red"),
        player_id: id("p1"),
        stamps: Stamps::default(),
    };
    world.app.db.create(&entry).await.unwrap();

    let league = get(&world, "LEAGUE#l1", "METADATA");
    for attribute in ["pk", "sk", "entityType", "createdAt", "updatedAt", "data", "ver"] {
        assert!(league.contains_key(attribute), "{attribute}");
    }
    let content = data(&league);
    assert_eq!((&content["name"], &content["createdByUserId"]), (&json!("One"), &json!("ann")));
    let seasons = query(&world, "LEAGUE#l1", "SEASON#");
    assert_eq!((seasons.len(), &data(&seasons[0])["seasonId"]), (1, &json!("s1")));
    assert_eq!(data(&get(&world, "SEASON#s1", "METADATA"))["leagueId"], "l1");
    let teams = query(&world, "SEASON#s1", "TEAM#");
    let names: Vec<Value> = teams.iter().map(|team| data(team)["name"].clone()).collect();
    assert_eq!(names, [json!("Blue"), json!("Red"), json!("Yellow")]);
    let sessions = query(&world, "SEASON#s1", "SESSION#");
    assert_eq!(data(&sessions[0])["sessionDate"], "2027-01-15");
    assert_eq!(data(&get(&world, "SESSION#x1", "METADATA"))["seasonId"], "s1");
    let game = get(&world, "GAME#g1", "METADATA");
    assert_eq!((&data(&game)["leagueId"], &game["status"]), (&json!("l1"), &"scheduled".into()));
    let games = query(&world, "SESSION#x1", "GAME#");
    assert_eq!(games[0]["sk"], "GAME#2027-01-15T08:00:00.000Z#g1".into());
    assert_eq!(data(&get(&world, "PLAYER#p1", "PROFILE"))["nickname"], "Ada");
    let grants = query(&world, "LEAGUE#l1", "ACL#USER#");
    let roles: Vec<Value> = grants.iter().map(|grant| data(grant)["role"].clone()).collect();
    assert_eq!(roles, [json!("admin"), json!("scorekeeper"), json!("viewer")]);
    let roster = query(&world, "GAME#g1", "ROSTER#");
    assert_eq!(roster[0]["sk"], "ROSTER#red#p1".into());
    assert_eq!(query(&world, "GAME#g1", "GOAL#"), [] as [Item; 0], "guards are no goals");
}

#[tokio::test]
async fn the_service_finds_what_plain_requests_wrote() {
    let world = World::new().await;
    world.account("ann").await;
    let acl = |user: &str, role: &str| json!({ "leagueId": "l1", "userId": user, "role": role, "grantedByUserId": "ann" });
    let season = json!({
        "leagueId": "l1", "seasonId": "s1", "name": "Fall", "slug": null, "startsOn": "2026-03-01", "endsOn": null,
    });
    let session = json!({ "seasonId": "s1", "sessionId": "20260222", "sessionDate": "2026-02-22" });
    let league = json!({ "leagueId": "l1", "name": "One", "slug": null, "createdByUserId": "ann" });
    world.put_rows([
        envelope(["LEAGUE#l1", "METADATA"], "league", &league),
        envelope(["LEAGUE#l1", "ACL#USER#ann"], "acl", &acl("ann", "admin")),
        envelope(["LEAGUE#l1", "SEASON#s1"], "season", &season),
        envelope(["SEASON#s1", "METADATA"], "season", &season),
        envelope(
            ["SEASON#s1", "TEAM#green"],
            "team",
            &json!({ "seasonId": "s1", "teamId": "green", "name": "Green", "color": null }),
        ),
        envelope(["SEASON#s1", "SESSION#20260222"], "session", &session),
        envelope(["SESSION#20260222", "METADATA"], "session", &session),
        envelope(
            ["PLAYER#p1", "PROFILE"],
            "player",
            &json!({ "playerId": "p1", "nickname": "Ada", "claimedByUserId": null }),
        ),
    ]);
    let shown = done(world.get("ann", "/v1/leagues/l1").await, 200);
    assert_eq!((&shown["name"], &shown["ver"]), (&json!("One"), &json!(0)));
    let seasons = done(world.get("ann", "/v1/leagues/l1/seasons").await, 200);
    assert_eq!(
        seasons["seasons"][0]["thirdLengthMinutes"], 20,
        "which older programs did not write"
    );
    let teams = done(world.get("ann", "/v1/seasons/s1/teams").await, 200);
    assert_eq!(teams["teams"][0]["teamId"], "green");
    let sessions = done(world.get("ann", "/v1/seasons/s1/sessions").await, 200);
    assert_eq!(sessions["sessions"][0]["sessionId"], "20260222");
    assert_eq!(done(world.get("ann", "/v1/players/p1").await, 200)["nickname"], "Ada");
    // They can be changed, and what is counted in them is counted then.
    done(
        world.post("ann", "/v1/seasons/s1/sessions", json!({ "sessionDate": "2026-03-01" })).await,
        201,
    );
    done(world.post("ann", "/v1/leagues/l1/seasons", json!({ "name": "Winter" })).await, 201);
    let season = world.app.db.season(&id("s1")).await.unwrap().unwrap();
    assert_eq!((season.session_count, season.stamps.version), (Some(2), 1));
    let league = world.app.db.league(&id("l1")).await.unwrap().unwrap();
    assert_eq!(league.season_count, Some(2));
    assert_eq!(world.delete("ann", "/v1/seasons/s1").await.outcome(), "409 has_sessions");
}
