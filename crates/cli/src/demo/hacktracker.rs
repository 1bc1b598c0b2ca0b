//! HackTracker's world: written by the service itself, with a token for each of its people.

use std::net::SocketAddr;

use anyhow::{Result, anyhow};
use monotable_hacktracker::demo;

use crate::identity::Identity;
use crate::services::Services;

/// Loads what is missing; says how to ask the service.
pub(super) async fn load(
    services: &Services,
    identity: &Identity,
    address: SocketAddr,
) -> Result<String> {
    let app = services.hacktracker().await?;
    demo::load(&app).await.map_err(|problem| anyhow!(problem.message))?;
    let url = format!("http://{address}/hacktracker");
    let mut text = format!("HackTracker answers at {url}; read about it at {url}/docs\n");
    let Some(issuer) = identity.issuer()? else {
        text += "  its demo's people are demo-casey, demo-drew, demo-sam and demo-pat\n";
        return Ok(text);
    };
    text +=
        "People of its demo, and their tokens for twelve hours (paste the lines into a shell):\n";
    for person in demo::people() {
        let token = issuer.token(&person, app.db.now());
        let name = person.id.trim_start_matches("demo-").to_uppercase();
        text += &format!("  export {name}={token}\n");
    }
    text += &format!("Ask it:\n  curl -H \"Authorization: Bearer $CASEY\" {url}/teams\n");
    Ok(text)
}
