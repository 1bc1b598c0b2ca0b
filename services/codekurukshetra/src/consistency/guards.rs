//! Guards: every member of a team that holds a place has the guards of its address and account, and the team that of its
//! name; nobody else has one.

use std::collections::{BTreeMap, BTreeSet};

use monotable::model::{Entity as _, check, create, delete};

use super::fix::Fix;
use super::{Found, Rows};
use crate::money::guards;
use crate::rules::teams::name_guard;
use crate::table::{Account, EmailGuard, NameGuard, Participant, Team};

/// Compares guards with their holders.
pub(super) fn compare(rows: &Rows, found: &mut Vec<Found>) {
    let members = || rows.participants.values().filter(|it| rows.holding_team(it).is_some());
    compare_kind(&rows.emails, members(), found);
    compare_kind(&rows.accounts, members(), found);
    let teams = rows.teams.values().filter(|team| team.registration().has_guards());
    compare_kind(&rows.names, teams, found);
}

/// A kind of guards.
trait Guard: Sized + Clone {
    /// The row that holds one.
    type Holder: Clone;

    /// What it guards.
    const GUARDED: &'static str;

    /// Returns the guard that a row should hold.
    fn of(holder: &Self::Holder) -> Option<Self>;

    /// Returns what no other row may have.
    fn value(&self) -> String;

    /// Returns the name of the row that holds it.
    fn holder(&self) -> String;

    /// Writes the guard for its holder.
    fn take(self, holder: Self::Holder) -> Fix;

    /// Deletes it.
    fn release(self) -> Fix;
}

/// Declares a kind of guards: what is guarded, the guard of a row, its value, and the name of the row.
macro_rules! guard {
    ($Guard:ty, $Holder:ty, $guarded:literal, $of:expr, $value:expr, $holder:expr) => {
        impl Guard for $Guard {
            type Holder = $Holder;

            const GUARDED: &'static str = $guarded;

            fn of(holder: &$Holder) -> Option<Self> {
                let of: fn(&$Holder) -> Option<Self> = $of;
                of(holder)
            }

            fn value(&self) -> String {
                let value: fn(&Self) -> String = $value;
                value(self)
            }

            fn holder(&self) -> String {
                let holder: fn(&Self) -> String = $holder;
                holder(self)
            }

            fn take(self, holder: $Holder) -> Fix {
                Fix::write(move |tx| {
                    tx.add(create(self));
                    tx.add(check(&holder.key(), holder.unchanged()));
                })
            }

            fn release(self) -> Fix {
                Fix::write(move |tx| _ = tx.add(delete(&self)))
            }
        }
    };
}

guard!(
    EmailGuard,
    Participant,
    "address",
    |member| Some(guards::of_email(member)),
    |guard| guard.email.normal(),
    |guard| Participant::row_name(&guard.participant_id)
);
guard!(
    Account,
    Participant,
    "account",
    guards::of_account,
    |guard| guard.account_id.to_string(),
    |guard| Participant::row_name(&guard.participant_id)
);
guard!(
    NameGuard,
    Team,
    "name",
    |team| Some(guards::of_name(team)),
    |guard| name_guard(&guard.name.0),
    |guard| format!("TEAM#{}", guard.team_id)
);

/// Compares the guards of a kind with the rows that should hold one.
fn compare_kind<'a, G: Guard>(
    guards: &[G],
    holders: impl Iterator<Item = &'a G::Holder>,
    found: &mut Vec<Found>,
) where
    G::Holder: 'a,
{
    let held: BTreeMap<String, String> =
        guards.iter().map(|guard| (guard.value(), guard.holder())).collect();
    let mut expected = BTreeSet::new();
    for (holder, guard) in holders.filter_map(|holder| Some((holder, G::of(holder)?))) {
        let (row, value) = (guard.holder(), guard.value());
        expected.insert((row.clone(), value.clone()));
        match held.get(&value) {
            Some(other) if *other == row => {}
            Some(other) => {
                let text = format!("{other} has the same {}", G::GUARDED);
                found.push(Found::new("guards", row, text));
            }
            None => {
                let text = format!("there is no guard of its {}", G::GUARDED);
                let missing = Found::new("guards", row, text);
                found.push(missing.fixed_by(guard.take(holder.clone())));
            }
        }
    }
    for guard in guards {
        if !expected.contains(&(guard.holder(), guard.value())) {
            let text = format!("a guard holds the {} of another row", G::GUARDED);
            let orphan = Found::new("guards", guard.holder(), text);
            found.push(orphan.fixed_by(guard.clone().release()));
        }
    }
}
