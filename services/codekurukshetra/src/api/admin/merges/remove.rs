//! `DELETE /hackathon/admin/colleges/merges`: lets a spelling of a college count as itself again.

use crate::api::prelude::*;
use crate::rules::college::{name, slug};

/// A spelling.
#[derive(Body, Debug)]
pub(crate) struct Spelling {
    /// The spelling.
    #[body(check = name, example = "IIT-B")]
    college: String,
}

/// Lets a spelling of a college count as itself again. Participants who got the other name keep it.
#[operation(DELETE "/hackathon/admin/colleges/merges", once, refuses(Forbidden, NotFound))]
pub(crate) async fn unmerge_college(app: &App, call: &Call<(), (), Spelling>) -> Answer<NoContent> {
    policy::administer(call)?;
    let college = College(call.query.college.clone());
    let merge = app.db.college_merge(&college).await?.ok_or(Refusal::NotFound)?;
    let entity = format!("COLLEGE#{}", slug(&college.0));
    let entry = app.audit(call, "unmergeCollege", entity)?;
    let mut tx = call.transact(&app.db).or_retry();
    tx.add(delete(&merge));
    tx.add(create(entry.was("into", merge.into.0.clone())));
    tx.respond(|_| NoContent).await
}
