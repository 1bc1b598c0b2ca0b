//! Gives participants whose college is spelled in a way that is merged the name that it counts as.

use monotable::model::time::Timestamp;
use monotable::model::{Cursor, Entity as _, edit};
use monotable_kit::Problem;
use monotable_kit::jobs::{JobStep, JobTicket};
use serde::{Deserialize, Serialize};

use crate::api::admin::merges::merged;
use crate::money::Cashier;
use crate::rules::college::slug;
use crate::table::{CodeKurukshetra, CodeKurukshetraReads as _, College, EntryId};

/// The kind of the work.
pub(crate) const KIND: &str = "merge-college";
/// Participants of a step: each may be changed in its transaction.
const PEOPLE_MAX: usize = 50;

/// What the work is about.
#[derive(Serialize, Deserialize)]
pub(super) struct MergedCollege {
    college: College,
}

/// Returns the ticket for a merge; the id is that of its line in the audit.
///
/// # Errors
/// Returns 500 if it can't be written.
pub(crate) fn ticket(
    college: &College,
    entry_id: &EntryId,
    now: Timestamp,
) -> Result<JobTicket, Problem> {
    JobTicket::new(KIND, entry_id.as_str(), &MergedCollege { college: college.clone() }, now)
}

/// Changes some participants. What the merge says may have changed since it was promised.
pub(super) async fn step(
    cashier: Cashier,
    job: MergedCollege,
    from: Option<String>,
) -> Result<JobStep<CodeKurukshetra, String>, Problem> {
    let (db, mut tx) = (&cashier.db, cashier.db.transact());
    let into = merged(db, job.college.clone()).await?;
    if slug(&into.0) == slug(&job.college.0) {
        return Ok(JobStep::done(tx));
    }
    let mut people = db.participants_by_college(&job.college).skip_unreadable().take(PEOPLE_MAX);
    if let Some(cursor) = from.and_then(|text| text.parse::<Cursor>().ok()) {
        people = people.after(&cursor);
    }
    let page = people.page().await?;
    let keys: Vec<_> = page.rows.iter().map(|person| person.key()).collect();
    for person in db.participants_by_key(&keys).await?.into_iter().flatten() {
        // The index may lag behind the rows.
        let spelling = person.college.as_ref().map(|college| slug(&college.0));
        if spelling == Some(slug(&job.college.0)) {
            tx.add(edit(&person, |person| person.college = Some(into.clone())));
        }
    }
    Ok(match page.next {
        Some(next) => JobStep::next(tx, next.to_string()),
        None => JobStep::done(tx),
    })
}
