//! Hosts the service: `curl -H 'X-User-Id: ann' http://127.0.0.1:8080/notes/notes`

mod service;

use std::sync::Arc;

use monotable_host::{HostSettings, Identity, Services, TableService, secrets};
use monotable_kit::{DevelopmentIdentity, JwtSettings, LocalIssuer};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let issuer = LocalIssuer::new(JwtSettings::new("notes", "notes"), &secrets::random())?;
    let identity = Identity::local(issuer).trusting(Arc::new(DevelopmentIdentity::new("dev")?));
    let settings = HostSettings::new(Arc::new(monotable::prelude::Embedded::memory()), identity);
    let notes = TableService::<service::Notes>::new(service::service);
    let services = Services::open(&[Box::new(notes)], &settings).await?;
    let router = axum::Router::new().fallback(move |request| services.respond(request));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:8080").await?;
    Ok(axum::serve(listener, router).await?)
}
