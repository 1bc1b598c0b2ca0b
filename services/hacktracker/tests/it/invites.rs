//! Invitations: who may create them, and how they are accepted.

use std::sync::{Arc, Mutex};

use http::Method;
use monotable_hacktracker::table::{HackTrackerReads as _, TeamId};
use monotable_kit::outbox::{Lane, Letter, Mailer, Mailing};
use serde_json::{Value, json};

use crate::teams::{DAY, pass};
use crate::world::{Setup as _, World};

pub(crate) const INVITES: &str = "/teams/red/invites";

pub(crate) async fn invited(world: &World, body: Value) -> (String, String) {
    let invited = world.post("ann", INVITES, body).await;
    assert_eq!(invited.status, 201, "{}", invited.text);
    let invite = invited.json();
    assert_eq!(invite.get("tokenHash"), None);
    (invite["inviteId"].as_str().unwrap().into(), invite["token"].as_str().unwrap().into())
}

pub(crate) async fn accept(world: &World, user: &str, token: &str) -> String {
    world.post(user, "/invites/accept", json!({ "token": token })).await.outcome()
}

#[tokio::test]
async fn accepting_an_invitation_adds_a_member() {
    let world = World::red().await;
    let (id, token) = invited(&world, json!({ "role": "scorekeeper" })).await;
    let (_, secret) = token.split_once('.').unwrap();
    for wrong in [
        "x",
        &format!("{id}.x"),
        &format!("x.{secret}"),
        &format!("{id}.{}", secret.to_uppercase()),
    ] {
        assert_eq!(accept(&world, "eve", wrong).await, "404 INVITE_NOT_FOUND", "{wrong}");
    }
    assert_eq!(accept(&world, "pat", &token).await, "409 ALREADY_MEMBER");
    let accepted = world.post("eve", "/invites/accept", json!({ "token": token })).await.json();
    assert_eq!((&accepted["teamId"], &accepted["role"]), (&json!("red"), &json!("scorekeeper")));
    assert_eq!(world.get("eve", "/teams/red").await.status, 200);
    assert_eq!(accept(&world, "bob", &token).await, "409 INVITE_NOT_PENDING");
    let listed = world.get("meg", INVITES).await.json();
    assert_eq!(
        (&listed["invites"][0]["status"], &listed["invites"][0]["acceptedBy"]),
        (&json!("accepted"), &json!("eve"))
    );
    assert_eq!(world.get("sam", INVITES).await.outcome(), "403 INSUFFICIENT_ROLE");
    // Who has left can be invited again, as something else.
    assert_eq!(world.delete("eve", "/teams/red/members/eve").await.status, 204);
    let (_, token) = invited(&world, json!({ "role": "manager" })).await;
    assert_eq!(accept(&world, "eve", &token).await, "200 -");
    assert_eq!(world.get("eve", "/teams/red").await.json()["role"], "manager");
}

#[tokio::test]
async fn invitations_cannot_exceed_the_own_role() {
    let world = World::red().await;
    for (user, role, told) in [
        ("ann", "manager", "201 -"),
        ("ann", "owner", "400 VALIDATION"),
        ("meg", "manager", "403 ROLE_CEILING"),
        ("meg", "player", "201 -"),
        ("meg", "scorekeeper", "201 -"),
        ("sam", "player", "403 INSUFFICIENT_ROLE"),
        ("pat", "player", "403 INSUFFICIENT_ROLE"),
        ("eve", "player", "404 TEAM_NOT_FOUND"),
    ] {
        let told_now = world.post(user, INVITES, json!({ "role": role })).await.outcome();
        assert_eq!(told_now, told, "{user} {role}");
    }
}

#[tokio::test]
async fn an_invitation_ends_after_a_week_or_when_it_is_taken_back() {
    let world = World::red().await;
    let (_, late) = invited(&world, json!({ "role": "player" })).await;
    pass(&world, 7 * DAY);
    assert_eq!(accept(&world, "eve", &late).await, "409 INVITE_NOT_PENDING");
    let (id, token) = invited(&world, json!({ "role": "manager" })).await;
    let path = format!("{INVITES}/{id}");
    assert_eq!(world.delete("meg", &path).await.outcome(), "403 ROLE_CEILING");
    assert_eq!(
        world.delete("ann", &format!("{INVITES}/x")).await.outcome(),
        "404 INVITE_NOT_FOUND"
    );
    assert_eq!(world.delete("ann", &path).await.status, 204);
    assert_eq!(world.delete("ann", &path).await.outcome(), "409 INVITE_NOT_PENDING");
    assert_eq!(accept(&world, "eve", &token).await, "409 INVITE_NOT_PENDING");
    let (_, token) = invited(&world, json!({ "role": "player" })).await;
    world.delete("ann", "/teams/red").await;
    assert_eq!(accept(&world, "eve", &token).await, "409 TEAM_DELETED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_invitation_is_accepted_once() {
    let world = Arc::new(World::red().await);
    let (_, token) = invited(&world, json!({ "role": "player", "playerId": "red-2" })).await;
    let asked: Vec<_> = (0..8)
        .map(|number| {
            let (world, token) = (Arc::clone(&world), token.clone());
            tokio::spawn(async move { accept(&world, &format!("u{number}"), &token).await })
        })
        .collect();
    let mut told = Vec::new();
    for answer in asked {
        told.push(answer.await.unwrap());
    }
    told.sort();
    assert_eq!(told[0], "200 -");
    assert!(told[1..].iter().all(|told| told == "409 INVITE_NOT_PENDING"), "{told:?}");
    let members = world.app.db.members(&TeamId::new("red").unwrap()).count().await.unwrap();
    assert_eq!(members, 5);
}

#[tokio::test]
async fn a_team_has_fifty_open_invitations_at_most() {
    let world = World::red().await;
    for _ in 0..50 {
        invited(&world, json!({ "role": "player" })).await;
    }
    let full = world.post("meg", INVITES, json!({ "role": "player" })).await;
    assert_eq!(full.outcome(), "409 LIMIT_REACHED");
    pass(&world, 7 * DAY);
    invited(&world, json!({ "role": "player" })).await;
}

#[tokio::test]
async fn a_letter_is_promised_with_the_invitation_and_a_repeat_gets_the_same_token() {
    let world = World::red().await;
    let body = json!({ "role": "player", "email": " Bob@Example.org " });
    let headers = [("idempotency-key", "i")];
    let post = || world.request("ann", Method::POST, INVITES, body.clone(), &headers);
    let first = post().await.json();
    assert_eq!(first["email"], "bob@example.org");
    let again = post().await;
    assert_eq!((again.status, again.json()), (201, first.clone()));
    let letters = world.app.db.outbox(&Lane::new("mail").unwrap()).page().await.unwrap().rows;
    assert_eq!((letters.len(), letters[0].letter.recipient.as_str()), (1, "bob@example.org"));
    let wrong = world.post("ann", INVITES, json!({ "role": "player", "email": "bob" })).await;
    assert_eq!(wrong.outcome(), "400 VALIDATION");
}

#[tokio::test]
async fn a_token_is_in_no_row_while_its_letter_waits() {
    let world = World::red().await;
    let body = json!({ "role": "player", "email": "bob@example.org" });
    let headers = [("idempotency-key", "i")];
    let invited = world.request("ann", Method::POST, INVITES, body, &headers).await.json();
    let token = invited["token"].as_str().unwrap();
    let (_, secret) = token.split_once('.').unwrap();
    let rows = world.stored().join("\n");
    assert!(rows.contains("OUTBOX#mail") && !rows.contains(secret), "{rows}");

    // Another process delivers it.
    let letters = Arc::new(Letters::default());
    let report =
        world.process_with_mailer(Arc::clone(&letters) as Arc<dyn Mailer>).await.app.work().await;
    assert_eq!(report.unwrap().letters.delivered, 1);
    assert!(letters.0.lock().unwrap()[0].text.contains(token));
}

/// Remembers what it delivered.
#[derive(Default)]
struct Letters(Mutex<Vec<Letter>>);

impl Mailer for Letters {
    fn deliver<'a>(&'a self, letter: &'a Letter) -> Mailing<'a> {
        self.0.lock().unwrap().push(letter.clone());
        Box::pin(std::future::ready(Ok(())))
    }
}

#[tokio::test]
async fn an_invitation_is_valid_while_its_author_may_invite() {
    let world = World::red().await;
    let invite = async |user: &str, role: &str| {
        let invite = world.post(user, INVITES, json!({ "role": role })).await.json();
        invite["token"].as_str().unwrap().to_owned()
    };
    // A removed member cannot return with an own invitation, and nobody else can use it either.
    let of_meg = invite("meg", "scorekeeper").await;
    world.delete("ann", "/teams/red/members/meg").await;
    assert_eq!(accept(&world, "meg", &of_meg).await, "409 INVITE_NOT_PENDING");
    assert_eq!(accept(&world, "eve", &of_meg).await, "409 INVITE_NOT_PENDING");
    // A former owner who became a manager cannot invite managers any more, but can revoke the
    // invitation.
    let of_ann = invite("ann", "manager").await;
    world.get("sam", "/users/context").await;
    let heir = json!({ "userId": "sam" });
    assert_eq!(world.post("ann", "/teams/red/transfer", heir).await.outcome(), "200 -");
    assert_eq!(accept(&world, "eve", &of_ann).await, "409 INVITE_NOT_PENDING");
    let (id, _) = of_ann.split_once('.').unwrap();
    assert_eq!(world.delete("ann", &format!("{INVITES}/{id}")).await.status, 204);
}

#[tokio::test]
async fn the_e_mail_of_an_invitation_is_sent_with_it() {
    let world = World::red().await;
    let lane = Lane::new("mail").unwrap();
    let letters = async || world.app.db.outbox(&lane).count().await.unwrap();
    let body = json!({ "role": "player", "email": "bob@example.org" });
    let (revoked, _) = invited(&world, body.clone()).await;
    let (_, accepted) = invited(&world, body.clone()).await;
    invited(&world, body).await;
    assert_eq!(letters().await, 3);
    world.delete("ann", &format!("{INVITES}/{revoked}")).await;
    assert_eq!(letters().await, 2);
    assert_eq!(accept(&world, "bob", &accepted).await, "200 -");
    assert_eq!(letters().await, 1);
    world.delete("ann", "/teams/red").await;
    pass(&world, 30 * DAY);
    let purged = world.app.work().await;
    assert!(purged.is_ok());
    assert_eq!(letters().await, 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn concurrent_invitations_are_limited_to_fifty() {
    let world = Arc::new(World::red().await);
    for _ in 0..48 {
        invited(&world, json!({ "role": "player" })).await;
    }
    let asked: Vec<_> = (0..6)
        .map(|_| {
            let world = Arc::clone(&world);
            let body = json!({ "role": "player" });
            tokio::spawn(async move { world.post("ann", INVITES, body).await.outcome() })
        })
        .collect();
    let mut made = 0;
    for answer in asked {
        match answer.await.unwrap().as_str() {
            "201 -" => made += 1,
            told => assert_eq!(told, "409 LIMIT_REACHED"),
        }
    }
    assert_eq!(made, 2);
}

#[tokio::test]
async fn an_invitation_that_has_expired_is_listed_as_expired() {
    let world = World::red().await;
    let (_, token) = invited(&world, json!({ "role": "player" })).await;
    let status = async || {
        let listed = world.get("ann", INVITES).await.json();
        listed["invites"][0]["status"].clone()
    };
    assert_eq!(status().await, "pending");
    pass(&world, 7 * DAY);
    assert_eq!(status().await, "expired");
    assert_eq!(accept(&world, "eve", &token).await, "409 INVITE_NOT_PENDING");
}
