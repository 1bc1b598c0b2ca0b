//! `PUT /hackathon/admin/colleges/merges`: lets a spelling of a college count as another one.

use super::{MergeView, merged};
use crate::api::prelude::*;
use crate::jobs::merge_college;
use crate::rules::college::{name, slug};

/// A spelling, and what it counts as.
#[derive(Body, Debug)]
#[body(case = "snake")]
pub(crate) struct NewMerge {
    /// The spelling.
    #[body(check = name, example = "IIT-B")]
    college: String,
    /// The name of the college.
    #[body(check = name, example = "IIT Bombay")]
    into: String,
}

/// Lets a spelling of a college count as another one. Participants with the spelling get the other name.
#[operation(PUT "/hackathon/admin/colleges/merges", refuses(InvalidRequest, Forbidden))]
pub(crate) async fn merge_college(app: &App, call: &Call<(), NewMerge>) -> Answer<Json<MergeView>> {
    policy::administer(call)?;
    let (college, into) = (College(call.body.college.clone()), &call.body.into);
    let is_itself = slug(into) == slug(&college.0);
    let into = merged(&app.db, College(into.clone())).await?;
    if is_itself || slug(&into.0) == slug(&college.0) {
        return Err(Problem::field("into", "must be another college than the spelling counts as"));
    }
    let before = app.db.college_merge(&college).await?;
    let entity = format!("COLLEGE#{}", slug(&college.0));
    let mut entry = app.audit(call, "mergeCollege", entity)?.is("into", into.0.clone());
    let mut tx = call.transact(&app.db).or_retry();
    let merge = match before {
        Some(before) => {
            entry = entry.was("into", before.into.0.clone());
            tx.add(edit(&before, |row| row.into = into.clone()))
        }
        None => {
            let stamps = Stamps::default();
            let row = CollegeMerge { college: college.clone(), into: into.clone(), stamps };
            tx.add(create(row))
        }
    };
    tx.add(create(merge_college::ticket(&college, &entry.entry_id, entry.at)?));
    tx.add(create(entry));
    tx.respond(move |done| Json(MergeView::of(&done[merge]))).await
}
