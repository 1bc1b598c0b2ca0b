//! Photos: what is accepted and stored, who sees it, and how long links open it.

use axum::body::Bytes;
use http::Method;
use monotable_kit::blobs::BlobStore as _;
use monotable_testkit::service::Actor;
use serde_json::{Value, json};

use crate::world::{DAY_MS, Hunt, MINUTE_MS, PHOTO, config, done, text};

/// A hunt whose first team has found its first level, and the token of a player.
async fn found() -> (Hunt, String) {
    let hunt = Hunt::live().await;
    let token = hunt.join(0).await;
    done(hunt.scan(&token, 0).await, 200);
    (hunt, token)
}

async fn upload(hunt: &Hunt, token: &str, media_type: &str, bytes: &[u8]) -> (u16, Value) {
    let photo = format!("data:{media_type};base64,{}", base64(bytes));
    let response = hunt.act(token, "/api/upload-photo", json!({ "photo": photo })).await;
    (response.status, response.value())
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let sixes = |chunk: &[u8]| {
        let mut number = 0;
        for place in 0..3 {
            number = number << 8 | u32::from(chunk.get(place).copied().unwrap_or(0));
        }
        [18, 12, 6, 0].map(|shift| char::from(ALPHABET[(number >> shift & 63) as usize]))
    };
    let text = bytes.chunks(3).flat_map(|chunk| {
        let mut four = sixes(chunk);
        four[chunk.len() + 1..].fill('=');
        four
    });
    text.collect()
}

fn stored(hunt: &Hunt) -> usize {
    hunt.world.setting().blobs.keys().len()
}

#[tokio::test]
async fn a_photo_opens_the_way_to_the_next_level() {
    let (hunt, token) = found().await;
    let refused = hunt.scan(&token, 1).await;
    assert_eq!(refused.outcome(), "409 PHOTO_REQUIRED");
    let taken = hunt.photo(&token).await;
    assert_eq!((&taken["review"], &taken["isOwn"]), (&json!("pending"), &json!(true)));
    assert_eq!(taken["at"], "2027-01-15T08:00:00.000Z");
    let route = hunt.route(0).await;
    assert_eq!(route[0].photo_id.as_ref().unwrap().as_str(), taken["id"]);
    let state = hunt.clear(&token, 1).await;
    assert_eq!((&state["completed"], &state["requiresPhoto"]), (&json!(2), &json!(true)));
    hunt.world.check("photos").await;
}

/// A file is refused whatever it is called, and nothing of it is kept.
#[tokio::test]
async fn files_that_are_no_photos_are_refused() {
    let (hunt, token) = found().await;
    let gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x4c\x01\x00\x3b";
    let mut bomb = gif.to_vec();
    (bomb[6], bomb[7], bomb[8], bomb[9]) = (0xff, 0xff, 0xff, 0xff);
    let oversize = [&gif[..], &vec![0; 8 * 1024 * 1024]].concat();
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";
    let html = b"<html><script>alert(1)</script></html>";
    for (what, media_type, bytes, status) in [
        ("an SVG", "image/svg+xml", &svg[..], 400),
        ("an SVG that claims to be a GIF", "image/gif", svg, 400),
        ("HTML", "text/html", html, 400),
        ("HTML that claims to be a JPEG", "image/jpeg", html, 400),
        ("a GIF that claims to be a PNG", "image/png", gif, 400),
        ("a GIF of more pixels than memory", "image/gif", &bomb, 400),
        ("a GIF that is cut off", "image/gif", &gif[..gif.len() - 8], 400),
        ("nothing", "image/gif", b"", 400),
        ("too many bytes", "image/gif", &oversize, 413),
    ] {
        let (told, body) = upload(&hunt, &token, media_type, bytes).await;
        assert_eq!(told, status, "{what}: {body}");
        assert!(body["displayMessage"].is_string(), "{what}: {body}");
    }
    assert_eq!(stored(&hunt), 0);
    assert!(hunt.route(0).await[0].photo_id.is_none());
}

/// What is behind the picture is not kept: a photo can't be another file, too.
#[tokio::test]
async fn what_is_hidden_in_a_photo_is_not_kept() {
    let (hunt, token) = found().await;
    let mut gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff".to_vec();
    gif.extend(b"\x21\xfe\x0dSECRETCOMMENT\x00");
    gif.extend(b"\x2c\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02\x4c\x01\x00\x3b");
    gif.extend(b"PK\x03\x04<script>alert(1)</script>");
    let (status, taken) = upload(&hunt, &token, "image/gif", &gif).await;
    assert_eq!(status, 201, "{taken}");
    let link = text(&taken["url"]).replace("/scavenger-hunt", "");
    let shown = hunt.world.get("", &link).await;
    assert_eq!((shown.status, shown.header("content-type")), (200, "image/gif"));
    assert_eq!(shown.header("x-content-type-options"), "nosniff");
    assert!(!shown.text.contains("SECRET") && !shown.text.contains("script"), "{}", shown.text);
}

/// A link opens one photo for an hour, and nobody can make one.
#[tokio::test]
async fn links_end_after_an_hour_and_cannot_be_forged() {
    let (hunt, token) = found().await;
    let taken = hunt.photo(&token).await;
    let link = text(&taken["url"]).replace("/scavenger-hunt", "");
    assert_eq!(hunt.world.get("", &link).await.status, 200);
    let (path, signed) = link.split_once('=').unwrap();
    for place in 0..signed.len() {
        let mut forged: Vec<char> = signed.chars().collect();
        forged[place] = if forged[place] == 'A' { 'B' } else { 'A' };
        let forged: String = forged.into_iter().collect();
        if forged != signed {
            let told = hunt.world.get("", &format!("{path}={forged}")).await.status;
            // The last letter can have bits that do not count.
            assert!(told == 404 || place + 1 == signed.len(), "{place}: {told}");
        }
    }
    for path_trick in ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "", "%00"] {
        let told = hunt.world.get("", &format!("{path}={path_trick}")).await;
        assert!((400..=404).contains(&told.status), "{path_trick}: {}", told.text);
    }
    hunt.world.clock.advance_ms(60 * MINUTE_MS - 1);
    assert_eq!(hunt.world.get("", &link).await.status, 200);
    hunt.world.clock.advance_ms(1);
    assert_eq!(hunt.world.get("", &link).await.outcome(), "404 PHOTO_NOT_FOUND");
}

/// Players see the photos of their own team, and those of all teams when the game is over.
#[tokio::test]
async fn photos_of_other_teams_are_hidden_until_the_end() {
    let (hunt, token) = found().await;
    hunt.photo(&token).await;
    let other = hunt.join(1).await;
    let count = async |token: &str| {
        let photos = done(hunt.world.get(Actor::Token(token), "/api/photos").await, 200);
        photos["photos"].as_array().unwrap().len()
    };
    assert_eq!((count(&token).await, count(&other).await), (1, 0));
    done(hunt.organise(Method::POST, "/api/games/{game}/end", Value::Null).await, 200);
    assert_eq!((count(&token).await, count(&other).await), (1, 1));
    let late = hunt.act(&token, "/api/upload-photo", json!({ "photo": PHOTO })).await;
    assert_eq!(late.outcome(), "409 GAME_ENDED");
    hunt.world.clock.advance_ms(DAY_MS);
    let gone = hunt.world.get(Actor::Token(&token), "/api/photos").await;
    assert_eq!(gone.status, 401);
}

/// A rejected photo is no proof: the team takes another one. Points of a review are taken back with it.
#[tokio::test]
async fn organisers_review_photos() {
    let (hunt, token) = found().await;
    let taken = hunt.photo(&token).await;
    let game = format!("/api/games/{}", hunt.id());
    let photos = done(hunt.world.get("olga", &format!("{game}/photos")).await, 200);
    let photo = &photos["photos"][0];
    assert_eq!(photo["id"], taken["id"]);
    let path =
        format!("/api/users/{}/photos/{}/review", text(&photo["userId"]), text(&photo["id"]));
    let review = async |review: &str, points: i32| {
        let body = json!({ "review": review, "points": points });
        done(hunt.world.post("olga", &path, body).await, 200)
    };
    let score = async || {
        let board = done(
            hunt.world.get("olga", &format!("/api/leaderboard?gameId={}", hunt.game_id)).await,
            200,
        );
        board["teams"][0]["score"].clone()
    };
    review("approved", 30).await;
    assert_eq!(score().await, 130);
    review("approved", 10).await;
    assert_eq!(score().await, 110);
    review("rejected", 10).await;
    assert_eq!(score().await, 100);
    assert_eq!(hunt.scan(&token, 1).await.outcome(), "409 PHOTO_REQUIRED");
    review("pending", 0).await;
    done(hunt.scan(&token, 1).await, 200);
    hunt.world.check("reviews").await;
}

/// A photo whose row was never written is removed a day later; one that a row names stays.
#[tokio::test]
async fn photos_that_no_row_names_are_removed() {
    let (hunt, token) = found().await;
    hunt.photo(&token).await;
    let key = format!("{}/{}/1800000000_orphan.gif", hunt.teams[0].0, hunt.levels[0].0);
    let blobs = &hunt.world.setting().blobs;
    let key = format!("scavenger-hunt/{key}").parse().unwrap();
    blobs.put(&key, Bytes::from_static(b"GIF"), hunt.world.now()).await.unwrap();
    assert_eq!(stored(&hunt), 2);
    hunt.world.running.sweep().await.unwrap();
    assert_eq!(stored(&hunt), 2, "it may be of a request that is not done");
    hunt.world.clock.advance_ms(2 * DAY_MS);
    hunt.world.running.sweep().await.unwrap();
    assert_eq!(stored(&hunt), 1);
    hunt.world.check("a sweep").await;
}

/// The archive has a folder for each team, and names that lead nowhere else.
#[tokio::test]
async fn photos_are_exported() {
    let (hunt, token) = found().await;
    hunt.photo(&token).await;
    let archive = hunt.organise(Method::GET, "/api/games/{game}/photos.zip", Value::Null).await;
    assert_eq!(archive.header("content-type"), "application/zip");
    assert!(archive.text.starts_with("PK"));
    assert!(archive.text.contains(&format!("{}/", hunt.teams[0].0)));
    assert!(!archive.text.contains(".."));
}

/// A level that nobody has found can't be photographed.
#[tokio::test]
async fn the_level_that_was_found_last_is_photographed() {
    let hunt = Hunt::live_with(config(1, 2)).await;
    let token = hunt.join(0).await;
    let early = hunt.act(&token, "/api/upload-photo", json!({ "photo": PHOTO })).await;
    assert_eq!(early.outcome(), "404 LEVEL_NOT_FOUND");
    hunt.clear(&token, 0).await;
    hunt.clear(&token, 1).await;
    let route = hunt.route(0).await;
    assert!(route.iter().all(|level| level.photo_id.is_some()));
    assert_ne!(route[0].photo_id, route[1].photo_id);
}
