//! Index keys and facets: what follows from the fields of a row alone.

use monotable::model::{Error, Store};
use monotable_kit::Problem;

use super::fix::Fix;
use super::{Found, Rows};
use crate::table::CodeKurukshetra;

/// Compares index keys and facets with the fields of their rows.
pub(super) async fn compare(
    db: &Store<CodeKurukshetra>,
    rows: &Rows,
    found: &mut Vec<Found>,
) -> Result<(), Problem> {
    /// Compares the rows of one kind.
    macro_rules! verify {
        ($rows:expr, $row:ident => $name:expr, $fix:expr) => {
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
                    found.push(drift.fixed_by($fix($row.clone())));
                }
            }
        };
    }
    verify!(rows.teams, row => format!("TEAM#{}", row.team_id), Fix::DeriveTeam);
    verify!(
        rows.participants, row => format!("PARTICIPANT#{}", row.participant_id), Fix::DeriveParticipant
    );
    verify!(rows.payments, row => format!("PAYMENT#{}", row.payment_id), Fix::DerivePayment);
    for facet in &rows.status_facets {
        if !rows.teams.contains_key(&facet.team_id) {
            let orphan = orphan(&facet.team_id, "IDX#PAYMENT_STATUS");
            found.push(orphan.fixed_by(Fix::DropStatusFacet(facet.clone())));
        }
    }
    for facet in &rows.track_facets {
        let team = rows.teams.get(&facet.team_id);
        if team.is_none_or(|team| team.track.is_none()) {
            let orphan = orphan(&facet.team_id, "IDX#TRACK");
            found.push(orphan.fixed_by(Fix::DropTrackFacet(facet.clone())));
        }
    }
    Ok(())
}

fn orphan(team_id: &crate::table::TeamId, sort: &str) -> Found {
    Found::new("keys", format!("TEAM#{team_id} / {sort}"), "no team has this facet")
}
