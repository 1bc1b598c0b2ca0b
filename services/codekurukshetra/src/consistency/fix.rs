//! What makes a row right that follows from others. Each is one small transaction, on condition that the rows that it
//! follows from are as they were read.

use monotable::model::{Entity as _, Store, check, create, delete, edit};
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;

use crate::table::{
    Account, CodeKurukshetra, College, EmailGuard, NameGuard, OrderLookup, Participant, Payment,
    PaymentStatus, StatusFacet, Team, TrackFacet,
};

/// What makes a row right.
pub(super) enum Fix {
    /// Index keys and facets are written again.
    DeriveTeam(Team),
    DeriveParticipant(Participant),
    DerivePayment(Payment),
    /// The copies of the team's fields are written again.
    Copy {
        member: Participant,
        payment_status: PaymentStatus,
        is_leader: bool,
    },
    /// The college gets the name that its spelling counts as.
    Rename {
        member: Participant,
        college: College,
    },
    /// A guard is written for who should hold it, or deleted where nobody does.
    TakeEmail(EmailGuard, Participant),
    TakeAccount(Account, Participant),
    TakeName(NameGuard, Team),
    TakeOrder(OrderLookup, Payment),
    DropEmail(EmailGuard),
    DropAccount(Account),
    DropName(NameGuard),
    DropStatusFacet(StatusFacet),
    DropTrackFacet(TrackFacet),
}

impl Fix {
    /// Repairs the row. Returns false if somebody has changed it meanwhile, or something else has its key.
    pub(super) async fn apply(self, db: &Store<CodeKurukshetra>) -> Result<bool, Problem> {
        match self.repair(db).await {
            Ok(()) => Ok(true),
            Err(error) if error.is_lost_race() => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn repair(self, db: &Store<CodeKurukshetra>) -> monotable::model::Result<()> {
        let mut tx = db.transact();
        match self {
            Self::DeriveTeam(row) => return db.repair(&row).await.map(drop),
            Self::DeriveParticipant(row) => return db.repair(&row).await.map(drop),
            Self::DerivePayment(row) => return db.repair(&row).await.map(drop),
            Self::Copy { member, payment_status, is_leader } => {
                tx.add(edit(&member, |member| {
                    (member.payment_status, member.is_leader) = (payment_status, is_leader);
                }));
            }
            Self::Rename { member, college } => {
                tx.add(edit(&member, |member| member.college = Some(college)));
            }
            Self::TakeEmail(guard, member) => {
                tx.add(create(guard));
                tx.add(check(&member.key(), member.unchanged()));
            }
            Self::TakeAccount(guard, member) => {
                tx.add(create(guard));
                tx.add(check(&member.key(), member.unchanged()));
            }
            Self::TakeName(guard, team) => {
                tx.add(create(guard));
                tx.add(check(&team.key(), team.unchanged()));
            }
            Self::TakeOrder(lookup, payment) => {
                tx.add(create(lookup));
                tx.add(check(&payment.key(), payment.unchanged()));
            }
            Self::DropEmail(guard) => _ = tx.add(delete(&guard)),
            Self::DropAccount(guard) => _ = tx.add(delete(&guard)),
            Self::DropName(guard) => _ = tx.add(delete(&guard)),
            Self::DropStatusFacet(facet) => _ = tx.add(delete(&facet)),
            Self::DropTrackFacet(facet) => _ = tx.add(delete(&facet)),
        }
        tx.commit().await.map(drop)
    }
}
