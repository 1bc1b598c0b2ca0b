//! Spellings of colleges that count as others.
//!
//! A spelling that is merged becomes the name of its college in the rows of the participants, and with it their
//! `COLLEGE#` keys. What people enter afterwards is replaced when they enter it.

pub(crate) mod list;
pub(crate) mod remove;
pub(crate) mod set;

use crate::api::prelude::*;
use crate::rules::college;

/// Spellings that lead from one to another at most: administrators can't make longer chains, other programs can.
const CHAIN_MAX: usize = 10;

/// A spelling that counts as another one.
#[derive(View)]
#[view(of = CollegeMerge, case = "snake", list = "merges")]
pub(crate) struct MergeView {
    #[view(from = college.0.clone(), example = "IIT-B")]
    college: String,
    #[view(from = into.0.clone(), example = "IIT Bombay")]
    into: String,
    #[view(stamps)]
    stamps: Stamps,
}

/// Returns the name that counts for a spelling of a college: itself, unless it is merged into another one.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn merged(
    db: &Store<CodeKurukshetra>,
    mut college: College,
) -> Result<College, Problem> {
    for _ in 0..CHAIN_MAX {
        match db.college_merge(&college).await? {
            Some(merge) => college = merge.into,
            None => break,
        }
    }
    Ok(college)
}

/// Gives a participant the college that counts for what was entered.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn apply(app: &App, participant: &mut Participant) -> Result<(), Problem> {
    if let Some(college) = participant.college.take() {
        participant.college = Some(merged(&app.db, college).await?);
    }
    Ok(())
}

/// Returns the slug that participants of a college have in their keys.
///
/// # Errors
/// Returns 400 if the text is no name of a college.
pub(crate) async fn canonical(app: &App, text: &str) -> Result<String, Problem> {
    if college::slug(text).is_empty() {
        return Err(Problem::field("college", "must have a letter or a digit"));
    }
    let college = merged(&app.db, College(text.to_owned())).await?;
    Ok(college::slug(&college.0))
}
