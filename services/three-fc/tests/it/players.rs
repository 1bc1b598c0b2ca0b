//! Players: made, joined by code, claimed and made anonymous.

use std::sync::Arc;

use monotable_three_fc::table::{GameStatus, ThreeFcReads as _};
use serde_json::{Value, json};

use crate::world::{Setup as _, World, at_once, done, id};

/// The smallest picture.
const PICTURE: &str = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==";

async fn code(world: &World, game: &str) -> String {
    let made = world.post("sam", &format!("/v1/games/{game}/join-code"), Value::Null).await;
    done(made, 201)["code"].as_str().unwrap().to_owned()
}

async fn player(world: &World, nickname: &str) -> String {
    let body = json!({ "leagueId": "l1", "nickname": nickname });
    done(world.post("sam", "/v1/players", body).await, 201)["playerId"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_league_has_a_pool_of_players() {
    let world = World::league().await;
    let (ada, bob) = (player(&world, "Ada").await, player(&world, "bob").await);
    // Nicknames need not be unique.
    let other = player(&world, "Ada").await;
    let entry = world.app.db.pool_entry(&id("l1"), &id(&bob)).await.unwrap().unwrap();
    let now = world.now();
    world.app.db.edit(entry, |entry| entry.last_played = Some(now)).await.unwrap();
    let ids = |page: Value| -> Vec<String> {
        let players = page["players"].as_array().unwrap().clone();
        players.iter().map(|one| one["playerId"].as_str().unwrap().to_owned()).collect()
    };
    let all = done(world.get("vic", "/v1/leagues/l1/players").await, 200);
    assert_eq!(ids(all), [ada.clone(), other.clone(), bob.clone()]);
    let recent = done(world.get("vic", "/v1/leagues/l1/players?recent=true&limit=2").await, 200);
    assert_eq!(ids(recent.clone()), [bob, ada.clone()]);
    let next = recent["nextToken"].as_str().unwrap();
    let path = format!("/v1/leagues/l1/players?recent=true&limit=2&nextToken={next}");
    assert_eq!(ids(done(world.get("vic", &path).await, 200)), [other]);
    let changed =
        world.patch("sam", &format!("/v1/players/{ada}"), json!({ "avatar": "🦊" })).await;
    assert_eq!(done(changed, 200)["avatar"], "🦊");
    let refused = world.patch("eve", &format!("/v1/players/{ada}"), json!({ "avatar": "x" })).await;
    assert_eq!(refused.outcome(), "403 league_access_required");
    let path = format!("/v1/players/{ada}?leagueId=l2");
    let refused = world.patch("eve", &path, json!({ "avatar": "x" })).await;
    assert_eq!(refused.outcome(), "404 acl_scope_not_found", "the player is not in that league");
    assert_eq!(world.get("vic", "/v1/players/nil").await.outcome(), "404 not_found");
}

#[tokio::test]
async fn people_join_a_game_by_its_code_and_are_in_the_pool_at_once() {
    let world = World::league().await;
    world.game("g1", GameStatus::Scheduled).await;
    let code = code(&world, "g1").await;
    assert_eq!(code.len(), 8);
    let path = format!("/v1/join/{}", code.to_lowercase());
    let guest = done(world.post("", &path, json!({ "nickname": "Guest" })).await, 201);
    assert_eq!((&guest["claimed"], &guest["mine"]), (&json!(false), &json!(false)));
    let zoe = json!({ "nickname": "Zoe", "claim": true });
    let zoe = done(world.post("zoe", &path, zoe).await, 201);
    assert_eq!((&zoe["claimed"], &zoe["mine"]), (&json!(true), &json!(true)));
    let pool = done(world.get("vic", "/v1/leagues/l1/players").await, 200);
    assert_eq!(pool["players"].as_array().unwrap().len(), 2);
    // A claimed player joins another league's game as the same player.
    let again = json!({ "playerId": zoe["playerId"] });
    assert_eq!(
        done(world.post("zoe", &path, again.clone()).await, 201)["playerId"],
        zoe["playerId"]
    );
    assert_eq!(world.post("vic", &path, again).await.outcome(), "403 not_claim_owner");
    let unnamed = world.post("", &path, json!({})).await;
    assert_eq!(unnamed.outcome(), "400 validation");
    let anonymous = world.post("", &path, json!({ "nickname": "A", "claim": true })).await;
    assert_eq!(anonymous.outcome(), "401 unauthorized");
    world.check_quiet("joined").await;
}

#[tokio::test]
async fn a_code_ends_after_twelve_hours_or_with_the_game() {
    let world = World::league().await;
    let game = world.game("g1", GameStatus::Live).await;
    let first = code(&world, "g1").await;
    let join = |code: String| {
        let world = &world;
        async move {
            world.post("", &format!("/v1/join/{code}"), json!({ "nickname": "A" })).await.outcome()
        }
    };
    world.clock.advance_ms(12 * 60 * 60 * 1000 - 1);
    assert_eq!(join(first.clone()).await, "201 -");
    world.clock.advance_ms(1);
    assert_eq!(join(first.clone()).await, "409 join_closed", "the row is there still");
    assert!(world.has(&format!("JOIN#{first}"), "METADATA"));
    let second = code(&world, "g1").await;
    assert_eq!(join(second.clone()).await, "201 -");
    world.app.db.edit(game, |game| game.status = GameStatus::Finished).await.unwrap();
    assert_eq!(join(second).await, "409 join_closed");
    let closed = world.post("sam", "/v1/games/g1/join-code", Value::Null).await;
    assert_eq!(closed.outcome(), "409 join_closed");
    assert_eq!(join("NOSUCH00".to_owned()).await, "404 not_found");
    assert_eq!(world.app.sweep().await.unwrap(), 1);
    assert!(!world.has(&format!("JOIN#{first}"), "METADATA"));
}

#[tokio::test]
async fn one_user_claims_a_player() {
    let world = World::league().await;
    world.game("g1", GameStatus::Scheduled).await;
    let (code, ada) = (code(&world, "g1").await, player(&world, "Ada").await);
    let path = format!("/v1/players/{ada}/claim");
    let unproven = world.post("zoe", &path, json!({})).await;
    assert_eq!(unproven.outcome(), "403 not_claim_owner");
    let wrong = world.post("zoe", &path, json!({ "code": "NOSUCH00" })).await;
    assert_eq!(wrong.outcome(), "404 not_found");
    let world = Arc::new(world);
    let users = ["zoe", "vic", "eve", "sam"];
    let requests =
        users.map(|user| (user, format!("POST {path}"), json!({ "code": code.to_lowercase() })));
    let told = at_once(&world, requests, None).await;
    let claimed = told.iter().filter(|told| told.status == 200).count();
    let refused = told.iter().filter(|told| told.outcome() == "409 already_claimed").count();
    assert_eq!((claimed, refused), (1, 3), "{told:?}");
    let player = world.app.db.player(&id(&ada)).await.unwrap().unwrap();
    let owner = player.claimed_by_user_id.unwrap();
    assert!(world.has(&format!("USER#{owner}"), &format!("PLAYER#{ada}")));
    // The owner may ask again, and alone changes the profile.
    done(world.post(owner.as_str(), &path, json!({ "code": code })).await, 200);
    let name = json!({ "nickname": "Ada L." });
    let own = world.patch(owner.as_str(), &format!("/v1/players/{ada}"), name.clone()).await;
    assert_eq!(done(own, 200)["mine"], true);
    let foreign = world.patch("ann", &format!("/v1/players/{ada}"), name).await;
    assert_eq!(foreign.outcome(), "403 not_claim_owner");
    let me = done(world.get(owner.as_str(), "/v1/me").await, 200);
    assert_eq!(me["players"][0]["nickname"], "Ada L.");
    world.check_quiet("a claim").await;
}

#[tokio::test]
async fn an_admin_approves_a_claim() {
    let world = World::league().await;
    let ada = player(&world, "Ada").await;
    let path = format!("/v1/players/{ada}/claim");
    let body = json!({ "userId": "zoe" });
    assert_eq!(world.post("sam", &path, body.clone()).await.outcome(), "403 admin_required");
    assert_eq!(
        world.post("ann", &path, json!({ "userId": "nil" })).await.outcome(),
        "404 not_found"
    );
    for _ in 0..2 {
        let claimed = done(world.post("ann", &path, body.clone()).await, 200);
        assert_eq!((&claimed["claimed"], &claimed["mine"]), (&json!(true), &json!(false)));
    }
    assert_eq!(done(world.get("zoe", &format!("/v1/players/{ada}")).await, 200)["mine"], true);
}

#[tokio::test]
async fn an_admin_makes_a_player_anonymous() {
    let world = World::league().await;
    let ada = player(&world, "Ada Lovelace").await;
    done(world.patch("sam", &format!("/v1/players/{ada}"), json!({ "avatar": "🦊" })).await, 200);
    let path = format!("/v1/players/{ada}/anonymise");
    assert_eq!(world.post("sam", &path, Value::Null).await.outcome(), "403 admin_required");
    let anonymous = done(world.post("ann", &path, Value::Null).await, 200);
    let nickname = anonymous["nickname"].as_str().unwrap();
    assert!(nickname.strip_prefix("Player ").unwrap().parse::<u16>().is_ok(), "{nickname}");
    assert_eq!(anonymous.get("avatar"), None);
    assert!(!world.stored().iter().any(|row| row.contains("Lovelace") || row.contains('🦊')));
}

/// Ids of players are public. Somebody who lists a player of another league must not get a say in the player.
#[tokio::test]
async fn a_league_takes_no_player_of_another() {
    let world = World::league().await;
    let ada = player(&world, "Ada").await;
    let season = json!({ "seasonId": "s2", "name": "Two" });
    done(world.post("eve", "/v1/leagues/l2/seasons", season).await, 201);
    let session = json!({ "sessionId": "x2", "sessionDate": "2027-01-15" });
    done(world.post("eve", "/v1/seasons/s2/sessions", session).await, 201);
    let game = json!({ "gameId": "g2", "gameStartTs": "2027-01-15T09:00:00Z" });
    done(world.post("eve", "/v1/sessions/x2/games", game).await, 201);
    let entry = json!({ "teamId": "red", "playerId": ada });
    assert_eq!(
        world.post("eve", "/v1/games/g2/roster", entry.clone()).await.outcome(),
        "404 not_found"
    );
    assert!(!world.has("LEAGUE#l2", &format!("POOL#{ada}")));
    // A claimed player joins by the code of the other league, and plays there.
    world.game("g1", GameStatus::Scheduled).await;
    let claim = json!({ "userId": "zoe" });
    done(world.post("ann", &format!("/v1/players/{ada}/claim"), claim).await, 200);
    let made = done(world.post("eve", "/v1/games/g2/join-code", Value::Null).await, 201);
    let code = made["code"].as_str().unwrap();
    let join = json!({ "playerId": ada });
    done(world.post("zoe", &format!("/v1/join/{code}"), join).await, 201);
    done(world.post("eve", "/v1/games/g2/roster", entry).await, 201);
    // The league that made the player decides about it all the same, also when nobody has claimed it.
    let stored = world.app.db.player(&id(&ada)).await.unwrap().unwrap();
    world.app.db.edit(stored, |player| player.claimed_by_user_id = None).await.unwrap();
    for (path, body) in [
        ("claim?leagueId=l2", json!({ "userId": "eve" })),
        ("claim", json!({ "userId": "eve" })),
        ("claim", json!({ "code": code })),
        ("anonymise?leagueId=l2", Value::Null),
    ] {
        let told = world.post("eve", &format!("/v1/players/{ada}/{path}"), body).await.outcome();
        assert!(told.starts_with("404 ") || told.starts_with("403 "), "{path}: {told}");
    }
    let path = format!("/v1/players/{ada}?leagueId=l2");
    let renamed = world.patch("eve", &path, json!({ "nickname": "Mine" })).await;
    assert_eq!(renamed.outcome(), "404 acl_scope_not_found");
}

/// Pictures are checked and stored apart from rows; anyone who sees the player gets a link for some time.
#[tokio::test]
async fn a_player_has_a_picture() {
    let world = World::league().await;
    let (ada, bob) = (player(&world, "Ada").await, player(&world, "Bob").await);
    let path = format!("/v1/players/{ada}/avatar");
    let picture = json!({ "picture": PICTURE });
    for (user, outcome) in
        [("zoe", "403 league_access_required"), ("vic", "403 league_access_required")]
    {
        assert_eq!(world.put(user, &path, picture.clone()).await.outcome(), outcome, "{user}");
    }
    for (file, outcome) in [
        ("data:image/png;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw==", "400 bad_image"),
        ("PHN2Zz48c2NyaXB0Lz48L3N2Zz4=", "400 bad_image"),
        ("no base64", "400 validation"),
    ] {
        let refused = world.put("sam", &path, json!({ "picture": file })).await;
        assert_eq!(refused.outcome(), outcome, "{}", refused.text);
    }
    let large = "AAAA".repeat(2 * 1024 * 1024 / 3 + 1);
    let refused = world.put("sam", &path, json!({ "picture": large })).await;
    assert_eq!(refused.outcome(), "413 avatar_too_large");
    assert!(world.setting().blobs.keys().is_empty(), "what is refused is not stored");

    let shown = done(world.put("sam", &path, picture.clone()).await, 200);
    let first = shown["avatarUrl"].as_str().unwrap().strip_prefix("/3fc").unwrap().to_owned();
    let opened = world.get("", &first).await;
    assert_eq!((opened.status, opened.header("content-type")), (200, "image/gif"));
    let listed = done(world.get("vic", "/v1/leagues/l1/players").await, 200);
    assert_eq!(listed["players"][0]["avatarUrl"], shown["avatarUrl"], "browsers keep it");
    assert!(listed["players"][1].get("avatarUrl").is_none(), "{bob}");
    // Another picture takes its place, and the old one is gone.
    let second = done(world.put("sam", &path, picture.clone()).await, 200);
    assert_ne!(second["avatarUrl"], shown["avatarUrl"]);
    assert_eq!(world.get("", &first).await.outcome(), "404 not_found");
    assert_eq!(world.setting().blobs.keys().len(), 1);
    let second = second["avatarUrl"].as_str().unwrap().strip_prefix("/3fc").unwrap().to_owned();
    world.clock.advance_ms(60 * 60 * 1000);
    assert_eq!(world.get("", &second).await.outcome(), "404 not_found", "the link has expired");
    assert_eq!(world.get("", "/v1/avatar?link=AAAA").await.outcome(), "404 not_found");
    let removed = done(world.delete("sam", &path).await, 200);
    assert_eq!((removed.get("avatarUrl"), world.setting().blobs.keys().len()), (None, 0));

    // It goes with the nickname when the player becomes anonymous, and with the account of its user.
    done(world.put("sam", &path, picture.clone()).await, 200);
    done(world.post("ann", &format!("/v1/players/{ada}/anonymise"), Value::Null).await, 200);
    assert!(world.setting().blobs.keys().is_empty());
    let claim = json!({ "userId": "zoe" });
    done(world.post("ann", &format!("/v1/players/{bob}/claim"), claim).await, 200);
    let path = format!("/v1/players/{bob}/avatar");
    assert_eq!(world.put("sam", &path, picture.clone()).await.outcome(), "403 not_claim_owner");
    done(world.put("zoe", &path, picture).await, 200);
    done(world.delete("zoe", "/v1/me").await, 204);
    world.check_quiet("an erased account").await;
    let player = world.app.db.player(&id(&bob)).await.unwrap().unwrap();
    assert_eq!(player.avatar_key, None);
    world.clock.advance_ms(25 * 60 * 60 * 1000);
    world.app.sweep().await.unwrap();
    assert!(world.setting().blobs.keys().is_empty(), "no row names it");
}
