//! Exports: one row per participant, read and written piece by piece.

use std::collections::{BTreeMap, BTreeSet};

use monotable::model::RowStream;
use monotable_kit::{FieldKeys, Masking, Pieces};

use super::disclosure::Disclosure;
use super::person::{PersonView, is_shown};
use crate::api::prelude::*;

/// Participants of a piece.
const PIECE: usize = 100;

/// What is exported.
#[derive(Body, Clone, Debug)]
#[body(case = "snake")]
pub(crate) struct ExportQuery {
    /// Only participants of teams with this status of their payment.
    payment_status: Option<PaymentStatus>,
    /// Only participants of teams with this track.
    track: Option<Track>,
    #[body(flatten)]
    disclosure: Disclosure,
}

/// How an export is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    /// What comes before the first row.
    pub(crate) start: fn() -> String,
    /// Appends a row; the number of rows before it decides about separators.
    pub(crate) row: fn(&mut String, &PersonView, usize),
    /// What comes after the last row.
    pub(crate) end: &'static str,
}

/// An export on its way.
struct Export {
    db: Store<CodeKurukshetra>,
    keys: FieldKeys,
    query: ExportQuery,
    masking: Masking,
    format: Format,
    people: RowStream<Participant>,
    written: usize,
    place: Place,
}

/// Where an export is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    Rows,
    End,
}

/// Authorizes an export, and begins it.
///
/// # Errors
/// Returns 403 if the caller is not an administrator, or 400 if personal data is asked for without
/// a reason.
pub(crate) async fn begin(
    app: &App,
    call: &Call<(), (), ExportQuery>,
    format: Format,
) -> Result<Pieces, Problem> {
    policy::administer(call)?;
    let masking = call.query.disclosure.decide(app, call, "export", "PARTICIPANTS").await?;
    let export = Export {
        db: app.db.clone(),
        keys: app.field_keys.clone(),
        query: call.query.clone(),
        masking,
        format,
        people: app.db.every_participant().skip_unreadable().stream(),
        written: 0,
        place: Place::Start,
    };
    Ok(Pieces::new(export, Export::piece))
}

impl Export {
    /// Returns the next piece.
    async fn piece(mut self) -> Result<Option<(String, Self)>, Problem> {
        let text = match self.place {
            Place::Start => {
                self.place = Place::Rows;
                (self.format.start)()
            }
            Place::Rows => self.rows().await?,
            Place::End => return Ok(None),
        };
        Ok(Some((text, self)))
    }

    /// Returns some rows, and the end after the last ones.
    async fn rows(&mut self) -> Result<String, Problem> {
        let mut people = Vec::with_capacity(PIECE);
        while people.len() < PIECE
            && let Some(person) = self.people.next().await
        {
            people.push(person?);
        }
        let teams = teams_of(&self.db, &people).await?;
        let (now, mut text) = (self.db.now(), String::new());
        for person in &people {
            let team = teams.get(&person.team_id).filter(|team| self.query.matches(team));
            let Some(team) = team.filter(|team| is_shown(person, team, now)) else { continue };
            let view = PersonView::of(person, team, self.masking, &self.keys)?;
            (self.format.row)(&mut text, &view, self.written);
            self.written += 1;
        }
        if people.len() < PIECE {
            self.place = Place::End;
            text.push_str(self.format.end);
        }
        Ok(text)
    }
}

impl ExportQuery {
    fn matches(&self, team: &Team) -> bool {
        self.payment_status.is_none_or(|status| team.payment_status == status)
            && self.track.as_ref().is_none_or(|track| team.track.as_ref() == Some(track))
    }
}

/// Returns the teams of participants.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn teams_of(
    db: &Store<CodeKurukshetra>,
    people: &[Participant],
) -> Result<BTreeMap<TeamId, Team>, Problem> {
    let ids: BTreeSet<&TeamId> = people.iter().map(|person| &person.team_id).collect();
    let keys: Vec<TeamKey> = ids.into_iter().cloned().map(TeamKey::new).collect();
    let teams = db.teams_by_key(&keys).await?.into_iter().flatten();
    Ok(teams.map(|team| (team.team_id.clone(), team)).collect())
}
