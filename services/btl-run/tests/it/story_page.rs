//! The page of a match that is over.

use monotable::model::edit;
use monotable_btl_run::jobs::narrate::narrate_due;
use monotable_btl_run::table::MatchId;
use serde_json::json;

use crate::exported::ended;
use crate::played::Played as _;
use crate::players::Play as _;
use crate::world::{Actor, Opened, Response, World};

const HOSTILE: &str = "<script>alert('x')</script>";

async fn page(world: &World, opened: &Opened) -> Response {
    let page = world.get(Actor::Nobody, &format!("/stories/{}", opened.id)).await;
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8", "{}", page.text);
    let policy = page.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-"), "{policy}");
    page
}

/// Returns the text of a page without its tags.
fn words(page: &Response) -> String {
    let parts =
        page.text.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn it_shows_every_turn_every_death_the_ranking_and_the_verification() {
    let world = World::new().await;
    let opened = ended(&world).await;
    let page = page(&world, &opened).await;
    assert_eq!(page.status, 200, "{}", page.text);
    let text = words(&page);
    let state = world.look(&opened).await;
    let roster = state["roster"].as_array().unwrap();
    assert_eq!(text.matches("† ").count(), page.text.matches("class=\"death\"").count());
    for tribute in roster {
        let name = tribute["name"].as_str().unwrap();
        let died = text.contains(&format!("† {name} died."));
        assert_eq!(died, tribute["alive"] == false, "{name} in {text}");
        let end = if tribute["alive"] == true { "alive" } else { "dead" };
        let row = format!("{} {name} {end}", tribute["rank"]);
        assert!(text.contains(&row), "no {row} in {text}");
    }
    let verified = world.get(Actor::Nobody, &opened.path("verify")).await.json();
    for part in [
        format!("won on day {}.", state["day"]),
        "Day 1".to_owned(),
        "Bob says: “bobs words”".to_owned(),
        format!(
            "Verified. The match was played again from its seed, and every turn ended as the log shows: {} turns, {} events.",
            verified["turnCount"], verified["eventCount"]
        ),
        verified["seed"].as_str().unwrap().to_owned(),
        verified["seedCommit"].as_str().unwrap().to_owned(),
    ] {
        assert!(text.contains(&part), "no {part} in {text}");
    }
    for story in world.stories(&opened).await {
        let told = story["narration"].as_str().unwrap().split_whitespace().collect::<Vec<_>>();
        assert!(text.contains(&escaped(&told.join(" "))), "no {story} in {text}");
    }
}

/// Returns a text as pages contain it.
fn escaped(text: &str) -> String {
    let parts = [("&", "&#38;"), ("<", "&#60;"), (">", "&#62;"), ("\"", "&#34;"), ("'", "&#39;")];
    parts.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[tokio::test]
async fn a_running_match_has_no_story_yet() {
    let world = World::new().await;
    let (opened, _) = world.begun(json!({}), 1).await;
    let refused = page(&world, &opened).await;
    let api = world.post(Actor::Nobody, &opened.path("export"), json!({})).await;
    assert_eq!((refused.status, api.status), (409, 409));
    let text = api.json()["error"].as_str().unwrap().to_owned();
    assert!(words(&refused).contains(&escaped(&text)), "no {text} in {}", refused.text);
    let missing = world.get(Actor::Nobody, "/stories/none").await;
    assert_eq!(missing.status, 404);
    assert!(words(&missing).contains("There is nothing here"), "{}", missing.text);
}

#[tokio::test]
async fn scripts_in_texts_stay_texts() {
    let world = World::new().await;
    let theme = json!({ "tone": "dark", "arena": HOSTILE });
    let opened = world.open_match(json!({ "theme": theme })).await;
    let bob = world.join_as(Actor::User("bob"), &opened, "O'Bob").await;
    world.host(&opened, "start", json!({})).await;
    let body = json!({ "turnId": "d1t1", "action": "hide", "freeText": HOSTILE });
    assert_eq!(world.post(bob.actor(), &opened.path("action"), body).await.status, 200);
    world.host(&opened, "gm/announce", json!({ "text": HOSTILE })).await;
    world.play_out(&opened).await;
    narrate_due(&world.app).await.unwrap();
    let page = page(&world, &opened).await;
    assert_eq!(page.status, 200, "{}", page.text);
    // The page has scripts of ours, by their addresses.
    let own = page.text.matches("<script type=\"module\" src=\"/btl-run/assets/").count();
    assert_eq!(page.text.matches("<script").count(), own, "{}", page.text);
    for text in [format!("<h1>The story of {}</h1>", escaped(HOSTILE)), escaped("O'Bob")] {
        assert!(page.text.contains(&text), "no {text} in {}", page.text);
    }
    assert!(page.text.matches(&escaped(HOSTILE)).count() >= 3, "{}", page.text);
}

#[tokio::test]
async fn it_has_no_secret_and_no_name_of_a_player_that_was_erased() {
    let world = World::new().await;
    let opened = ended(&world).await;
    let token = opened.host.rsplit('/').next().unwrap();
    let text = page(&world, &opened).await.text;
    for secret in
        [token, "\"bob\"", ">bob<", ">ann<", "userId", "tokenHash", "memory", &opened.code]
    {
        assert!(!text.contains(secret), "{secret} in {text}");
    }
    let gone = world.delete(Actor::User("bob"), "/me").await;
    assert_eq!(gone.status, 204);
    while !world.keys_of("task#erase").is_empty() {
        world.app.work().await.unwrap();
    }
    let text = words(&page(&world, &opened).await);
    assert!(!text.contains("Bob") && !text.contains("bobs words"), "{text}");
    assert!(text.contains("Verified."), "{text}");
}

#[tokio::test]
async fn a_forged_match_is_shown_as_not_verified() {
    let world = World::new().await;
    let opened = ended(&world).await;
    let match_id: MatchId = opened.id.parse().unwrap();
    let row = world.app.match_row(&match_id).await.unwrap();
    let forged = world.app.db.transact().with(edit(&row, |row| row.state.winner_id = None));
    forged.await.unwrap();
    let text = words(&page(&world, &opened).await);
    let difference = "Not verified: the log does not result in the match.";
    assert!(text.contains(difference) && !text.contains("Verified."), "{text}");
}
