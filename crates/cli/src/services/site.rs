//! The services behind the server's port.

use http::Request;
use monotable_host::{Identity, PathKind, Services};
use monotable_kit::{Problem, ProblemKind};
use monotable_server::{Reach, Refusal, Site, SitePath, SiteReply, Upload};

use super::body;

/// Passes requests of the server to services.
pub(crate) struct ServiceSite {
    services: Services,
    /// Who can reach their operations.
    reach: Reach,
}

impl ServiceSite {
    /// Serves open services. If requests may name their user without a proof, they must be from this
    /// machine.
    pub(crate) fn new(services: Services, identity: &Identity) -> Self {
        let reach = if identity.trusts_claims() { Reach::Local } else { Reach::Anyone };
        Self { services, reach }
    }
}

impl Site for ServiceSite {
    fn find(&self, path: &str) -> Option<SitePath> {
        let found = self.services.find(path)?;
        let reach = match found.kind {
            PathKind::Metrics => Reach::Metrics,
            PathKind::Operation => self.reach,
        };
        Some(SitePath { body_bytes_max: found.body_bytes_max, reach })
    }

    fn call(&self, request: Request<Upload>) -> SiteReply {
        let responding = self.services.respond(request.map(body::received));
        Box::pin(async move { responding.await.map(body::sent) })
    }

    fn refuse(&self, path: &str, refusal: Refusal) -> SiteReply {
        let responding = self.services.refuse(path, problem_of(refusal));
        Box::pin(async move { responding.await.map(body::sent) })
    }
}

/// Returns a refusal of the server as a problem, which the service writes in its own form.
fn problem_of(refusal: Refusal) -> Problem {
    let (kind, code) = match refusal {
        Refusal::Malformed => (ProblemKind::Invalid, "MALFORMED_REQUEST"),
        Refusal::HeadTooLarge => (ProblemKind::Invalid, "HEADERS_TOO_LARGE"),
        Refusal::BodyTooLarge => (ProblemKind::TooLarge, "BODY_TOO_LARGE"),
        Refusal::Encoding => (ProblemKind::MediaType, "UNSUPPORTED_MEDIA_TYPE"),
        Refusal::Busy => return Problem::unavailable(refusal.message()),
    };
    Problem::new(kind, code, refusal.message())
}
