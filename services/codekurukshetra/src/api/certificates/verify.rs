//! `GET /hackathon/certificates/{code}`: verifies a certificate.

use super::{CertificatePath, CertificateView, certificate};
use crate::api::prelude::*;

/// Verifies a certificate by the code in its link.
#[operation(GET "/hackathon/certificates/{code}", public, refuses(NotFound, NotConfigured))]
pub(crate) async fn verify_certificate(
    app: &App,
    call: &Call<CertificatePath>,
) -> Answer<Json<CertificateView>> {
    Ok(Json(certificate(app, &call.path.code).await?).into())
}
