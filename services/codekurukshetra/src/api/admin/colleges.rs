//! `GET /hackathon/admin/colleges`: ranks colleges by their participants.

use crate::api::prelude::*;
use crate::rules::college::{Merges, RankedCollege, Student, ranking, slug};

/// A college in the ranking.
#[derive(View)]
#[view(of = RankedCollege, case = "snake", list = "colleges")]
pub(crate) struct RankedCollegeView {
    /// Colleges with the same numbers share a rank.
    #[view(example = 1)]
    rank: u32,
    #[view(example = "example-university")]
    slug: String,
    /// The spelling that most participants use.
    #[view(example = "Example University")]
    name: String,
    #[view(example = 42)]
    participants: u32,
    /// Participants of teams that are confirmed.
    #[view(example = 40)]
    confirmed: u32,
}

/// Ranks colleges by their participants in confirmed teams, and then by all of them.
#[operation(GET "/hackathon/admin/colleges", refuses(Forbidden))]
pub(crate) async fn list_colleges(app: &App, call: &Call) -> Answer<Page<RankedCollegeView>> {
    policy::administer(call)?;
    let merges = app.db.college_merges().all().await?;
    let merges: Merges =
        merges.iter().map(|row| (slug(&row.college.0), slug(&row.into.0))).collect();
    let mut students: Vec<(String, bool)> = Vec::new();
    let mut people = app.db.every_participant().skip_unreadable().stream();
    while let Some(person) = people.next().await {
        let person = person?;
        let is_confirmed = person.payment_status == PaymentStatus::Paid;
        students.extend(person.college.map(|college| (college.0, is_confirmed)));
    }
    let students = students.iter();
    let students =
        students.map(|(college, is_confirmed)| Student { college, is_confirmed: *is_confirmed });
    let ranked = ranking(students, &merges);
    Ok(Page::all(&ranked, RankedCollegeView::of).into())
}
