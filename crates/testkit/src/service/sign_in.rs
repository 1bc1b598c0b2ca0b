//! Links and sessions of users, without their pages.

use std::sync::Arc;
use std::time::Duration;

use monotable_kit::{Principal, SignIn, SignInSettings, SignInStore, SystemRandomness, Ticket};

/// Creates a link that signs a user in.
///
/// # Panics
/// Panics if it can't be stored.
pub async fn link_of(store: Arc<dyn SignInStore>, person: &str) -> Ticket {
    let settings = SignInSettings {
        key: [7; 32],
        mailer: None,
        grants: Vec::new(),
        origin: "https://league.example".to_owned(),
        randomness: Arc::new(SystemRandomness),
    };
    let person = Principal {
        id: person.to_owned(),
        email: Some(format!("{person}@example.org")),
        email_verified: true,
        roles: Vec::new(),
    };
    let path = SignIn::new(store.sign_in_rows(), settings)
        .link(&person)
        .await
        .expect("the link is stored");
    Ticket::parse(path.trim_start_matches("/sign-in/")).expect("the link has a ticket")
}

/// Signs a user in.
///
/// # Panics
/// Panics if there is no session.
pub async fn sign_in(store: Arc<dyn SignInStore>, person: &str) {
    let link = link_of(Arc::clone(&store), person).await;
    let (session, day) = (Ticket::generate(&SystemRandomness), Duration::from_secs(86_400));
    let opened = store.sign_in_rows().open_session(&link, &session, "", day).await;
    assert!(opened.expect("the link is used").is_some(), "the link can be used");
}
