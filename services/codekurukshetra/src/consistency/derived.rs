//! Index keys and facets: what follows from the fields of a row alone.

use monotable::model::{Error, Store, delete};
use monotable_kit::Problem;

use super::fix::Fix;
use super::{Found, Rows};
use crate::table::{CodeKurukshetra, Participant, Payment, TeamId};

/// Compares index keys and facets with the fields of their rows.
pub(super) async fn compare(
    db: &Store<CodeKurukshetra>,
    rows: &Rows,
    found: &mut Vec<Found>,
) -> Result<(), Problem> {
    /// Compares the rows of one kind.
    macro_rules! verify {
        ($rows:expr, $row:ident => $name:expr) => {
            for $row in $rows.values() {
                let drifts = match db.verify($row).await {
                    Ok(drifts) => drifts,
                    // It is gone.
                    Err(Error::NotFound { .. }) => continue,
                    Err(error @ (Error::Key { .. } | Error::Decode { .. })) => {
                        found.push(Found::new("keys", $name, error.to_string()));
                        continue;
                    }
                    Err(error) => return Err(error.into()),
                };
                if !drifts.is_empty() {
                    let texts: Vec<String> = drifts.iter().map(ToString::to_string).collect();
                    let drift = Found::new("keys", $name, texts.join(", "));
                    let row = $row.clone();
                    let fix = Fix::new(move |db| async move { db.repair(&row).await.map(drop) });
                    found.push(drift.fixed_by(fix));
                }
            }
        };
    }
    verify!(rows.teams, row => format!("TEAM#{}", row.team_id));
    verify!(rows.participants, row => Participant::row_name(&row.participant_id));
    verify!(rows.payments, row => Payment::row_name(&row.payment_id));
    for facet in &rows.status_facets {
        if !rows.teams.contains_key(&facet.team_id) {
            let orphan = orphan(&facet.team_id, "IDX#PAYMENT_STATUS");
            let facet = facet.clone();
            found.push(orphan.fixed_by(Fix::write(move |tx| _ = tx.add(delete(&facet)))));
        }
    }
    for facet in &rows.track_facets {
        let team = rows.teams.get(&facet.team_id);
        if team.is_none_or(|team| team.track.is_none()) {
            let orphan = orphan(&facet.team_id, "IDX#TRACK");
            let facet = facet.clone();
            found.push(orphan.fixed_by(Fix::write(move |tx| _ = tx.add(delete(&facet)))));
        }
    }
    Ok(())
}

fn orphan(team_id: &TeamId, sort: &str) -> Found {
    Found::new("keys", format!("TEAM#{team_id} / {sort}"), "no team has this facet")
}
