//! `GET /certificates/{code}`: a certificate, which anybody can verify by its link.

use askama::Template;
use monotable_kit::{Html, QrCode};

use super::time;
use crate::api::certificates::{CertificatePath, CertificateView, certificate};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "certificate.html")]
struct CertificatePage {
    certificate: CertificateView,
    dates: [String; 2],
    url: String,
    picture: QrCode,
}

/// Shows a certificate of participation.
#[operation(GET "/certificates/{code}", public, refuses(NotFound, NotConfigured))]
async fn certificate_page(app: &App, call: &Call<CertificatePath>) -> Answer<Html> {
    let certificate = certificate(app, &call.path.code).await?;
    let config = app.config().await?;
    let url = call.url(&format!("/certificates/{}", call.path.code));
    let page = CertificatePage {
        dates: [certificate.event_start, certificate.event_end].map(|at| time(&config, at)),
        picture: QrCode::of(&url, "QR code with the address of this certificate")?,
        certificate,
        url,
    };
    let title = format!("Certificate of {}", page.certificate.name);
    Ok(Html::new(call, title, &page)?.into())
}
