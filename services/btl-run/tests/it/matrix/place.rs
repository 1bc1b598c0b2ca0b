//! Two matches, and everybody who may want something of the first one.

use monotable_btl_run::rules::state::Alliance;
use monotable_btl_run::table::AllianceId;
use monotable_kit::{JwtSettings, LocalIssuer, Principal};
use serde_json::json;

use crate::players::Player;
use crate::served::{Opened, Served, Who};

/// Who asks, in the order of the table's marks.
pub(super) const ACTORS: [&str; 15] = [
    "nobody",
    "made-up token",
    "forged identity",
    "zoe",
    "ann, the host",
    "bob, the player",
    "host",
    "player",
    "dead player",
    "other host",
    "other player",
    "removed player",
    "kv:read",
    "kv:write",
    "kv:admin",
];

/// The matches, and what everybody shows.
pub(super) struct Place {
    pub(super) served: Served,
    pub(super) own: Opened,
    pub(super) bob: Player,
    dan: Player,
    rex: Player,
    other: Opened,
    stranger: Player,
    made_up: String,
    forged: String,
}

impl Place {
    /// The first match stands here: in its lobby, active or ended.
    pub(super) async fn at(status: &str) -> Self {
        let served = Served::new().await;
        let own = served.open_match(json!({})).await;
        let bob = served.join_as(Who::User("bob"), &own, "Bob").await;
        let dan = served.join(&own, "Dan").await;
        let rex = served.join_as(Who::User("rex"), &own, "Rex").await;
        assert_eq!(served.remove(own.who(), &own, &rex.tribute).await.status, 200);
        let opened =
            served.post(Who::User("eve"), "/match", json!({ "mode": "quick" })).await.json();
        let text = |name: &str| opened[name].as_str().unwrap().to_owned();
        let other =
            Opened { id: text("matchId"), host: text("adminToken"), code: text("inviteCode") };
        let stranger = served.join(&other, "Stranger").await;
        let secret = stranger.token.rsplit('/').next().unwrap();
        let made_up = format!("btl1/host/{}/{secret}", own.id);
        let settings = JwtSettings::new("https://issuer.example", "btl-run");
        let principal = Principal {
            id: "ann".to_owned(),
            email: None,
            email_verified: false,
            roles: vec!["kv:admin".to_owned(), "btl-run:match-token".to_owned()],
        };
        let issuer = LocalIssuer::new(settings, &[8; 32]).unwrap();
        let forged = issuer.token(&principal, served.app.db.now());
        let key = served.ask(
            Who::User("kv:admin"),
            http::Method::PUT,
            "/kv/settings%23u1/theme",
            json!({}),
            &[],
        );
        assert_eq!(key.await.status, 200);
        let key =
            served.ask(Who::User("kv:admin"), http::Method::PUT, "/kv1/settings", json!({}), &[]);
        assert_eq!(key.await.status, 200);
        let place = Self { served, own, bob, dan, rex, other, stranger, made_up, forged };
        match status {
            "active" => place.play().await,
            "ended" => {
                place.play().await;
                place.served.host(&place.own, "end", json!({})).await;
            }
            _ => {}
        }
        place
    }

    /// Starts the match; dan is dead, and bob has an ally.
    async fn play(&self) {
        self.served.host(&self.own, "start", json!({})).await;
        let row = self.served.app.match_row(&self.own.id.parse().unwrap()).await.unwrap();
        let alliance = AllianceId::new("a1").unwrap();
        let edited = self.served.app.db.edit(row, |row| {
            let members = vec![self.bob.tribute.parse().unwrap(), "ai-1".parse().unwrap()];
            for tribute in &mut row.state.roster {
                if tribute.id.as_str() == self.dan.tribute {
                    (tribute.alive, tribute.hp) = (false, 0);
                }
                if members.contains(&tribute.id) {
                    tribute.alliance_id = Some(alliance.clone());
                }
            }
            row.state.alliances.push(Alliance { id: alliance.clone(), members });
            row.state.version = row.stamps.version + 1;
        });
        edited.await.unwrap();
    }

    /// The same in another table.
    pub(super) async fn copy(&self) -> Self {
        Self {
            served: crate::invariants::copy(&self.served).await,
            own: self.own.clone(),
            bob: self.bob.clone(),
            dan: self.dan.clone(),
            rex: self.rex.clone(),
            other: self.other.clone(),
            stranger: self.stranger.clone(),
            made_up: self.made_up.clone(),
            forged: self.forged.clone(),
        }
    }

    pub(super) fn who<'a>(&'a self, actor: &'a str) -> Who<'a> {
        match actor {
            "nobody" => Who::Nobody,
            "made-up token" => Who::Token(&self.made_up),
            "forged identity" => Who::Token(&self.forged),
            "ann, the host" => Who::User("ann"),
            "bob, the player" => Who::User("bob"),
            "host" => self.own.who(),
            "player" => self.bob.who(),
            "dead player" => self.dan.who(),
            "other host" => self.other.who(),
            "other player" => self.stranger.who(),
            "removed player" => self.rex.who(),
            user => Who::User(user),
        }
    }
}
