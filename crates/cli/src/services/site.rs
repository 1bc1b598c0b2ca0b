//! The services behind the server's port.

use axum::body::Body;
use http::header::HOST;
use http::uri::Authority;
use http::{Request, Response};
use monotable_host::{Identity, Responding, ServicePath, Services};
use monotable_kit::{Problem, ProblemKind};
use monotable_metrics::Page;
use monotable_server::{Audience, Reach, Refusal, Site, SitePath, SiteReply, Upload};

use super::body;
use crate::program_metrics::ProgramMetrics;
use crate::start_page::{self, StartPage};

/// Passes requests of the server to services.
pub(crate) struct ServiceSite {
    services: Option<Services>,
    /// Who can reach their operations.
    reach: Reach,
    start_page: StartPage,
    metrics: ProgramMetrics,
}

impl ServiceSite {
    /// Creates the site of open services. If requests may name their user without a proof, they
    /// must be from this machine.
    pub(crate) fn new(
        services: Services,
        identity: &Identity,
        start_page: StartPage,
        metrics: ProgramMetrics,
    ) -> Self {
        let reach = if identity.trusts_claims() { Reach::Local } else { Reach::Anyone };
        Self { services: Some(services), reach, start_page, metrics }
    }

    /// Creates a site without services, with only the start page.
    pub(crate) fn without_services(start_page: StartPage, metrics: ProgramMetrics) -> Self {
        Self { services: None, reach: Reach::Nobody, start_page, metrics }
    }

    /// Returns the start page, or one of its files, if that is at this path.
    fn start(&self, request: &Request<Upload>) -> Option<Response<Body>> {
        let path = request.uri().path();
        if path != "/" {
            return start_page::asset(path);
        }
        let audience = request.extensions().get().copied().unwrap_or(Audience::Visitor);
        let host = request
            .uri()
            .authority()
            .map(Authority::as_str)
            .or_else(|| request.headers().get(HOST).and_then(|host| host.to_str().ok()));
        Some(self.start_page.response(audience, host.unwrap_or("localhost")))
    }
}

impl Site for ServiceSite {
    fn find(&self, path: &str) -> Option<SitePath> {
        if path == "/" || start_page::asset(path).is_some() {
            return Some(SitePath { body_bytes_max: 0, reach: self.reach, is_start: true });
        }
        let ServicePath { body_bytes_max } = self.services.as_ref()?.find(path)?;
        Some(SitePath { body_bytes_max, reach: self.reach, is_start: false })
    }

    fn call(&self, request: Request<Upload>) -> SiteReply {
        if let Some(page) = self.start(&request) {
            return Box::pin(async { page.map(body::sent) });
        }
        match &self.services {
            Some(services) => sent(services.respond(request.map(body::received))),
            None => unreachable!("no other path was found"),
        }
    }

    fn refuse(&self, path: &str, refusal: Refusal) -> SiteReply {
        match &self.services {
            Some(services) => sent(services.refuse(path, problem_of(refusal))),
            None => unreachable!("only services refuse requests"),
        }
    }

    fn readiness(&self) -> String {
        let backups = self.start_page.backups.as_ref();
        backups.map(|backups| backups.notice().text + "\n").unwrap_or_default()
    }

    fn write_metrics(&self, page: &mut Page) {
        if let Some(backups) = &self.start_page.backups {
            backups.write_metrics(page);
        }
        self.metrics.write(page);
        if let Some(services) = &self.services {
            services.write_metrics(page);
        }
    }
}

fn sent(responding: Responding) -> SiteReply {
    Box::pin(async move { responding.await.map(body::sent) })
}

/// Returns a refusal of the server as a problem, which the service writes in its own form.
fn problem_of(refusal: Refusal) -> Problem {
    let (kind, code) = match refusal {
        Refusal::NotSecure => (ProblemKind::Invalid, "HTTPS_REQUIRED"),
        Refusal::Malformed => (ProblemKind::Invalid, "MALFORMED_REQUEST"),
        Refusal::HeadTooLarge => (ProblemKind::Invalid, "HEADERS_TOO_LARGE"),
        Refusal::BodyTooLarge => (ProblemKind::TooLarge, "BODY_TOO_LARGE"),
        Refusal::Encoding => (ProblemKind::MediaType, "UNSUPPORTED_MEDIA_TYPE"),
        Refusal::Busy => return Problem::unavailable(refusal.message()),
    };
    Problem::new(kind, code, refusal.message())
}
