//! Leagues, seasons, teams and sessions.

use std::sync::Arc;

use monotable_testkit::service::Request;
use serde_json::json;

use crate::world::{Setup as _, World, at_once, done};

#[tokio::test]
async fn a_league_has_its_first_admin_and_new_ids_are_ulids() {
    let world = World::new().await;
    let made = done(world.post("ann", "/v1/leagues", json!({ "name": " One " })).await, 201);
    assert_eq!(
        (&made["name"], &made["role"], &made["ver"]),
        (&json!("One"), &json!("admin"), &json!(1))
    );
    let league = made["leagueId"].as_str().unwrap();
    assert_eq!(league.len(), 26);
    let same = world.get("ann", &format!("/v1/leagues/{league}")).await;
    assert_eq!(done(same, 200), made);
    let mine = done(world.get("ann", "/v1/leagues").await, 200);
    assert_eq!(mine["leagues"], json!([made]));
    assert_eq!(done(world.get("zoe", "/v1/leagues").await, 200)["leagues"], json!([]));
    world.check_quiet("a new league").await;
}

#[tokio::test]
async fn a_season_comes_with_its_teams_and_goes_with_them() {
    let world = World::league().await;
    let season = done(world.get("vic", "/v1/seasons/s1").await, 200);
    assert_eq!(season["thirdLengthMinutes"], 20);
    assert_eq!(season["ranking"], json!(["wins", "draws", "conceded", "scored"]));
    let teams = done(world.get("vic", "/v1/seasons/s1/teams").await, 200);
    let names: Vec<_> =
        teams["teams"].as_array().unwrap().iter().map(|team| &team["teamId"]).collect();
    assert_eq!(names, ["blue", "red", "yellow"]);

    let body = json!({ "name": "Winter", "ranking": ["scored", "wins"], "thirdLengthMinutes": 25 });
    let changed = done(world.patch("ann", "/v1/seasons/s1", body).await, 200);
    assert_eq!((&changed["name"], &changed["ranking"][0]), (&json!("Winter"), &json!("scored")));
    let wrong = json!({ "startsOn": "2027-02-01", "endsOn": "2027-01-01" });
    assert_eq!(world.patch("ann", "/v1/seasons/s1", wrong).await.outcome(), "400 validation");
    let wrong = json!({ "thirdLengthMinutes": 22 });
    assert_eq!(world.patch("ann", "/v1/seasons/s1", wrong).await.outcome(), "400 validation");

    assert_eq!(world.delete("ann", "/v1/seasons/s1").await.outcome(), "409 has_sessions");
    done(world.delete("ann", "/v1/sessions/x1").await, 204);
    assert_eq!(world.delete("ann", "/v1/leagues/l1").await.outcome(), "409 has_seasons");
    done(world.delete("ann", "/v1/seasons/s1").await, 204);
    assert!(!world.rows().iter().any(|row| row["pk"].as_s().unwrap().contains("SEASON#")));
    done(world.delete("ann", "/v1/leagues/l1").await, 204);
    assert_eq!(world.get("ann", "/v1/leagues/l1").await.outcome(), "404 acl_scope_not_found");
    world.finish_work("a deleted league").await;
    world.check_quiet("a deleted league").await;
    assert!(!world.stored().iter().any(|row| row.contains("LEAGUE#l1")), "{:#?}", world.stored());
    // The slug is free again, and the other league is there.
    done(world.post("eve", "/v1/leagues", json!({ "name": "New", "slug": "one" })).await, 201);
    done(world.get("eve", "/v1/leagues/l2").await, 200);
}

#[tokio::test]
async fn teams_come_change_and_go() {
    let world = World::league().await;
    let made = done(
        world.post("ann", "/v1/seasons/s1/teams", json!({ "name": "Green Foxes" })).await,
        201,
    );
    assert_eq!((&made["teamId"], &made["color"]), (&json!("green-foxes"), &json!(null)));
    let again = world.post("ann", "/v1/seasons/s1/teams", json!({ "name": "Green foxes" })).await;
    assert_eq!(again.outcome(), "409 id_taken");
    let nameless = world.post("ann", "/v1/seasons/s1/teams", json!({ "name": "狐" })).await;
    assert_eq!(nameless.outcome(), "400 validation");
    let path = "/v1/seasons/s1/teams/green-foxes";
    let changed = done(world.patch("ann", path, json!({ "color": "#00FF00" })).await, 200);
    assert_eq!((&changed["color"], &changed["ver"]), (&json!("#00FF00"), &json!(2)));
    let stale = Request::new("DELETE /v1/seasons/s1/teams/green-foxes", json!(null));
    let stale = world.send("ann", stale.headers(&[("if-match", "\"1\"")])).await;
    assert_eq!(stale.outcome(), "412 precondition_failed");
    done(world.delete("ann", path).await, 204);
    assert_eq!(world.delete("ann", path).await.outcome(), "404 not_found");
    for number in 4..=20 {
        let body = json!({ "name": format!("Team {number}") });
        done(world.post("ann", "/v1/seasons/s1/teams", body).await, 201);
    }
    let full = world.post("ann", "/v1/seasons/s1/teams", json!({ "name": "One more" })).await;
    assert_eq!(full.outcome(), "409 conflict");
    world.check_quiet("a season of twenty teams").await;
}

/// A second league takes the season id of the first, and with it the right to decide about the season.
#[tokio::test]
async fn tf_d2_another_league_cannot_take_the_id_of_a_season_or_a_session() {
    let world = World::league().await;
    let season = json!({ "seasonId": "s1", "name": "Mine now" });
    let taken = world.post("eve", "/v1/leagues/l2/seasons", season).await;
    assert_eq!(taken.outcome(), "409 id_taken");
    done(
        world
            .post("eve", "/v1/leagues/l2/seasons", json!({ "seasonId": "s2", "name": "Two" }))
            .await,
        201,
    );
    let session = json!({ "sessionId": "x1", "sessionDate": "2027-01-16" });
    assert_eq!(
        world.post("eve", "/v1/seasons/s2/sessions", session).await.outcome(),
        "409 id_taken"
    );
    assert_eq!(world.get("eve", "/v1/seasons/s1").await.outcome(), "403 league_access_required");
    assert_eq!(done(world.get("ann", "/v1/seasons/s1").await, 200)["name"], "Autumn");
    done(world.patch("ann", "/v1/seasons/s1", json!({ "name": "Still mine" })).await, 200);
    world.check_quiet("an attack").await;
}

/// Whoever guesses the id of a league becomes its admin.
#[tokio::test]
async fn tf_d3_nobody_takes_over_a_league_by_its_id() {
    let world = World::league().await;
    let before = world.stored();
    let taken = world.post("eve", "/v1/leagues", json!({ "leagueId": "l1", "name": "Mine" })).await;
    assert_eq!(taken.outcome(), "409 id_taken");
    assert_eq!(world.get("eve", "/v1/leagues/l1").await.outcome(), "403 league_access_required");
    assert_eq!(world.stored(), before);
    // Of many who try the same id at once, one has it.
    let body = json!({ "leagueId": "new", "name": "New" });
    let users = ["ann", "sam", "vic", "zoe", "eve"];
    let requests = users.map(|user| (user, "POST /v1/leagues".to_owned(), body.clone()));
    let world = Arc::new(world);
    let told = at_once(&world, requests, None).await;
    let made: Vec<_> = told.iter().filter(|told| told.status == 201).collect();
    assert_eq!(
        (made.len(), told.iter().filter(|told| told.outcome() == "409 id_taken").count()),
        (1, 4)
    );
    world.check_quiet("a race").await;
}

/// Rows of a deleted thing become part of a new one with the same id.
#[tokio::test]
async fn tf_d11_an_id_is_taken_while_rows_of_a_deleted_thing_are_left() {
    let world = World::league().await;
    done(world.delete("eve", "/v1/leagues/l2").await, 204);
    let again = json!({ "leagueId": "l2", "name": "Again" });
    assert_eq!(world.post("ann", "/v1/leagues", again.clone()).await.outcome(), "409 id_taken");
    world.finish_work("a deleted league").await;
    done(world.post("ann", "/v1/leagues", again).await, 201);
    assert_eq!(world.get("eve", "/v1/leagues/l2").await.outcome(), "403 league_access_required");
    // Older programs left teams of deleted seasons behind.
    world.put_rows([monotable::item! {
        "pk" => "SEASON#s9", "sk" => "TEAM#red", "entityType" => "team", "data" => "{}",
        "createdAt" => "2026-02-23T09:00:00.000Z", "updatedAt" => "2026-02-23T09:00:00.000Z",
    }]);
    let season = json!({ "seasonId": "s9", "name": "Nine" });
    assert_eq!(world.post("ann", "/v1/leagues/l1/seasons", season).await.outcome(), "409 id_taken");
}

#[tokio::test]
async fn tf_d21_slugs_are_unique_and_never_look_like_ids() {
    let world = World::league().await;
    let taken = world.post("eve", "/v1/leagues", json!({ "name": "Two", "slug": "one" })).await;
    assert_eq!(taken.outcome(), "409 slug_taken");
    for wrong in ["One", "a--b", "-a", "01mcc5rm00aaaaaaaaaaaaaaaa", ""] {
        let told = world.post("eve", "/v1/leagues", json!({ "name": "Two", "slug": wrong })).await;
        assert_eq!(told.outcome(), "400 validation", "{wrong}");
    }
    let season = json!({ "name": "Autumn again", "slug": "autumn" });
    assert_eq!(
        world.post("ann", "/v1/leagues/l1/seasons", season.clone()).await.outcome(),
        "409 slug_taken"
    );
    done(world.post("eve", "/v1/leagues/l2/seasons", season).await, 201);
    done(world.patch("ann", "/v1/leagues/l1", json!({ "slug": "uno" })).await, 200);
    assert!(world.has("SLUG#LEAGUE#uno", "METADATA") && !world.has("SLUG#LEAGUE#one", "METADATA"));
    done(world.patch("eve", "/v1/leagues/l2", json!({ "slug": "one" })).await, 200);
    assert_eq!(
        world.patch("eve", "/v1/leagues/l2", json!({ "slug": "uno" })).await.outcome(),
        "409 slug_taken"
    );
    done(world.patch("ann", "/v1/leagues/l1", json!({ "slug": null })).await, 200);
    world.check_quiet("slugs").await;
}

#[tokio::test]
async fn requests_with_a_key_have_their_effect_once() {
    let world = World::league().await;
    let world = Arc::new(world);
    let request = ("zoe", "POST /v1/leagues".to_owned(), json!({ "name": "Three" }));
    let told = at_once(&world, vec![request; 10], Some("k1")).await;
    assert!(told.iter().all(|one| one.status == 201 && one.value() == told[0].value()));
    let mine = done(world.get("zoe", "/v1/leagues").await, 200);
    assert_eq!(mine["leagues"].as_array().unwrap().len(), 1);
    let other = Request::new("POST /v1/leagues", json!({ "name": "Four" }));
    let other = world.send("zoe", other.headers(&[("idempotency-key", "k1")])).await;
    assert_eq!(other.outcome(), "409 idempotency_conflict");
}

/// The key of a record contains the e-mail address and the route of a request, and never expires.
#[tokio::test]
async fn tf_d14_records_of_requests_name_nobody_and_expire() {
    let world = World::league().await;
    let headers = [("idempotency-key", "zoe@example.org/#1")];
    let request = || Request::new("POST /v1/leagues", json!({ "name": "Three" })).headers(&headers);
    let first = done(world.send("zoe", request()).await, 201);
    let rows = world.rows();
    let records = rows.iter().filter(|row| row["pk"].as_s().unwrap().starts_with("IDEMPOTENCY#"));
    let records: Vec<_> = records.collect();
    assert_eq!(records.len(), 1);
    let key = records[0]["pk"].as_s().unwrap();
    assert!(
        !key.contains("zoe") && !key.contains('/') && records[0].contains_key("ttlEpoch"),
        "{key}"
    );
    world.clock.advance_ms(24 * 60 * 60 * 1000);
    let second = done(world.send("zoe", request()).await, 201);
    assert_ne!(first["leagueId"], second["leagueId"], "after a day the key is new");
    world.clock.advance_ms(24 * 60 * 60 * 1000);
    assert_eq!(world.app.sweep().await.unwrap(), 1);
    assert!(!world.stored().iter().any(|row| row.contains("IDEMPOTENCY#")));
}

/// Prefix queries stop after the first page.
#[tokio::test]
async fn tf_d18_lists_go_on_behind_the_first_page() {
    let world = World::league().await;
    for number in 0..130 {
        let body = json!({ "sessionId": format!("d{number:03}"), "sessionDate": "2027-01-16" });
        done(world.post("sam", "/v1/seasons/s1/sessions", body).await, 201);
    }
    let (mut seen, mut next) = (0, String::new());
    loop {
        let page =
            done(world.get("vic", &format!("/v1/seasons/s1/sessions?limit=50{next}")).await, 200);
        seen += page["sessions"].as_array().unwrap().len();
        match page["nextToken"].as_str() {
            Some(token) => next = format!("&nextToken={token}"),
            None => break,
        }
    }
    assert_eq!(seen, 131);
    world.check_quiet("many sessions").await;
}

/// Both rows of a season are written by one transaction, and both follow a change.
#[tokio::test]
async fn tf_d1_both_rows_of_a_season_and_a_session_say_the_same() {
    let world = World::league().await;
    done(world.patch("ann", "/v1/seasons/s1", json!({ "name": "Winter" })).await, 200);
    for (own, mirror) in [
        (("LEAGUE#l1", "SEASON#s1"), ("SEASON#s1", "METADATA")),
        (("SEASON#s1", "SESSION#x1"), ("SESSION#x1", "METADATA")),
    ] {
        let own = world.row(own.0, own.1).unwrap();
        let mirror = world.row(mirror.0, mirror.1).unwrap();
        for attribute in ["data", "ver", "createdAt", "updatedAt", "entityType"] {
            assert_eq!(own[attribute], mirror[attribute]);
        }
    }
}
