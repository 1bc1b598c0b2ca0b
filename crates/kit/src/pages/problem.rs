//! Problems as pages: what is wrong in words, and where to go from there.

use askama::Template;

use super::html::reply;
use super::layout::Frame;
use crate::problem::{Problem, ProblemKind};
use crate::reply::Reply;
use crate::route::ServiceName;

/// The page of a problem.
#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    frame: Frame,
    heading: &'static str,
    message: &'a str,
    request_id: &'a str,
}

/// Returns a problem of a page as a page.
pub(crate) fn page(service: ServiceName, problem: &Problem, request_id: &str) -> Reply {
    let frame = Frame { service, scripts: &[] };
    let heading = heading(problem.kind);
    let page = ProblemPage { frame, heading, message: &problem.message, request_id };
    match page.render() {
        Ok(text) => reply(problem.status(), text),
        Err(error) => unreachable!("texts are put into a frame: {error}"),
    }
}

fn heading(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::NotFound => "There is nothing here",
        ProblemKind::Unauthenticated => "Sign in first",
        ProblemKind::Forbidden => "This is not for you",
        ProblemKind::RateLimited => "Too many requests",
        ProblemKind::Internal | ProblemKind::Unavailable => "Something went wrong",
        ProblemKind::Invalid
        | ProblemKind::Payment
        | ProblemKind::Method
        | ProblemKind::Conflict
        | ProblemKind::Precondition
        | ProblemKind::TooLarge
        | ProblemKind::MediaType
        | ProblemKind::PreconditionRequired => "That did not work",
    }
}
