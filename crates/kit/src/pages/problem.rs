//! Problems as pages: the error in words, and links to continue.

use askama::Template;

use super::html::reply;
use super::layout::Frame;
use crate::http::form::escaped;
use crate::problem::{Problem, ProblemKind};
use crate::reply::Reply;

/// The page of a problem.
#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    frame: Frame,
    heading: &'static str,
    message: &'a str,
    code: &'a str,
    request_id: &'a str,
    /// Whether signing in may help; afterwards the page is shown again.
    asks_to_sign_in: bool,
    then: String,
}

/// A problem as it is shown to people.
#[derive(Clone, Copy)]
pub(crate) struct Reported<'a> {
    pub(crate) problem: &'a Problem,
    /// The service's code of it.
    pub(crate) code: &'a str,
    /// The text for people.
    pub(crate) message: &'a str,
    pub(crate) request_id: &'a str,
}

/// Returns a problem of a page as a page.
pub(crate) fn page(frame: Frame, path: &str, reported: Reported<'_>) -> Reply {
    let Reported { problem, code, message, request_id } = reported;
    let asks_to_sign_in = frame.has_sign_in && problem.kind == ProblemKind::Unauthenticated;
    let page = ProblemPage {
        heading: heading(problem.kind),
        message,
        code,
        request_id,
        asks_to_sign_in,
        then: escaped(&format!("/{}{path}", frame.service.name)),
        frame,
    };
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
