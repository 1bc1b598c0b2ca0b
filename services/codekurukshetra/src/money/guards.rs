//! Guards: the rows by which an address, an account and a name belong to one team.

use monotable::model::{create, delete};
use monotable_kit::Problem;

use crate::money::{Cashier, Tx};
use crate::table::{
    Account, CodeKurukshetraReads as _, EmailGuard, NameGuard, Participant, Stamps, Team,
};

/// Returns the guard of a participant's address.
pub(crate) fn of_email(participant: &Participant) -> EmailGuard {
    EmailGuard {
        email: participant.email.clone(),
        participant_id: participant.participant_id.clone(),
        stamps: Stamps::default(),
    }
}

/// Returns the guard of a participant's account, if one is known.
pub(crate) fn of_account(participant: &Participant) -> Option<Account> {
    Some(Account {
        account_id: participant.firebase_uid.clone()?,
        participant_id: participant.participant_id.clone(),
        stamps: Stamps::default(),
    })
}

/// Returns the guard of a team's name.
pub(crate) fn of_name(team: &Team) -> NameGuard {
    let (name, team_id) = (team.name.clone(), team.team_id.clone());
    NameGuard { name, team_id, stamps: Stamps::default() }
}

/// The guards that a team and its members hold. Teams of older programs may hold fewer than they should.
#[derive(Clone, Debug, Default)]
pub(crate) struct Guards {
    emails: Vec<EmailGuard>,
    accounts: Vec<Account>,
    name: Option<NameGuard>,
}

impl Guards {
    /// Deletes them.
    pub(crate) fn release(&self, tx: &mut Tx) {
        self.emails.iter().for_each(|guard| _ = tx.add(delete(guard)));
        self.accounts.iter().for_each(|guard| _ = tx.add(delete(guard)));
        self.name.iter().for_each(|guard| _ = tx.add(delete(guard)));
    }
}

impl Cashier {
    /// Returns the guards that a team and its members hold.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn held_guards(
        &self,
        team: &Team,
        members: &[Participant],
    ) -> Result<Guards, Problem> {
        let mut guards = Guards::default();
        for member in members {
            let of_member = self.member_guards(member).await?;
            guards.emails.extend(of_member.emails);
            guards.accounts.extend(of_member.accounts);
        }
        let name = self.db.name_guard(&team.name).await?;
        guards.name = name.filter(|guard| guard.team_id == team.team_id);
        Ok(guards)
    }

    /// Returns the guards that one participant holds.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn member_guards(&self, member: &Participant) -> Result<Guards, Problem> {
        let mut guards = Guards::default();
        let is_own = |guard: &EmailGuard| guard.participant_id == member.participant_id;
        guards.emails.extend(self.db.email_guard(&member.email).await?.filter(is_own));
        if let Some(account_id) = &member.firebase_uid {
            let is_own = |guard: &Account| guard.participant_id == member.participant_id;
            guards.accounts.extend(self.db.account(account_id).await?.filter(is_own));
        }
        Ok(guards)
    }

    /// Takes the guards of a team again that has lost them. Returns false, and adds nothing, if another team has one
    /// of them.
    ///
    /// # Errors
    /// Returns the errors of the table.
    pub(crate) async fn take_guards_again(
        &self,
        tx: &mut Tx,
        team: &Team,
        members: &[Participant],
    ) -> Result<bool, Problem> {
        // Nobody holds the address of an erased member.
        let members: Vec<_> = members.iter().filter(|it| it.erased_at.is_none()).collect();
        for member in &members {
            let email_is_free = self.db.email_guard(&member.email).await?.is_none();
            let account_is_free = match &member.firebase_uid {
                Some(account_id) => self.db.account(account_id).await?.is_none(),
                None => true,
            };
            if !(email_is_free && account_is_free) {
                return Ok(false);
            }
        }
        if self.db.name_guard(&team.name).await?.is_some() {
            return Ok(false);
        }
        for member in members {
            tx.add(create(of_email(member)));
            of_account(member).into_iter().for_each(|guard| _ = tx.add(create(guard)));
        }
        tx.add(create(of_name(team)));
        Ok(true)
    }
}
