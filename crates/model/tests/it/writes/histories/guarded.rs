//! Operations with conditions, alone and in a transaction: the stored row determines the result of
//! each.

use monotable_model::{
    Entity as _, Error, Result, check as check_row, delete, delete_by_key, edit, rekey,
};
use monotable_types::Item;
use proptest::prelude::*;

use super::{Runs, World, name_of, player_at, team_at, text};
use crate::league::{Player, Position, Team, player as player_path, team as team_path};

/// An operation under a condition, on an entity as it was seen last or the time before that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Guarded {
    id: u8,
    what: What,
    when: When,
    is_stale: bool,
}

/// What happens to the entity.
#[derive(Clone, Copy, Debug)]
enum What {
    EditTeam { name: u8 },
    MoveTeam { to: u8 },
    DeleteTeam,
    DeleteTeamByKey,
    CheckTeam,
    EditPlayer { number: Option<u8> },
    MovePlayer { to: u8 },
    DeletePlayer,
    DeletePlayerByKey,
    CheckPlayer,
}

impl What {
    fn is_of_team(self) -> bool {
        use What::{CheckTeam, DeleteTeam, DeleteTeamByKey, EditTeam, MoveTeam};
        matches!(self, EditTeam { .. } | MoveTeam { .. } | DeleteTeam | DeleteTeamByKey | CheckTeam)
    }

    fn is_by_key(self) -> bool {
        matches!(self, Self::DeleteTeamByKey | Self::DeletePlayerByKey)
    }

    fn is_check(self) -> bool {
        matches!(self, Self::CheckTeam | Self::CheckPlayer)
    }
}

/// The condition: that the entity is unchanged, or has this name or number of goals.
#[derive(Clone, Copy, Debug)]
enum When {
    Unchanged,
    Is(u8),
}

pub(super) fn guarded() -> impl Strategy<Value = Guarded> {
    let id = || 0..3_u8;
    let number = proptest::option::of(0..120_u8);
    let what = prop_oneof![
        id().prop_map(|name| What::EditTeam { name }),
        id().prop_map(|to| What::MoveTeam { to }),
        Just(What::DeleteTeam),
        Just(What::DeleteTeamByKey),
        Just(What::CheckTeam),
        number.prop_map(|number| What::EditPlayer { number }),
        id().prop_map(|to| What::MovePlayer { to }),
        Just(What::DeletePlayer),
        Just(What::DeletePlayerByKey),
        Just(What::CheckPlayer),
    ];
    let when = prop_oneof![Just(When::Unchanged), id().prop_map(When::Is)];
    (id(), what, when, any::<bool>()).prop_map(|(id, what, when, is_stale)| Guarded {
        id,
        what,
        when,
        is_stale,
    })
}

impl World {
    /// Runs an operation with a condition and checks its result against the stored row.
    pub(super) async fn guarded(&mut self, guarded: Guarded, runs: Runs) -> Result<()> {
        let Guarded { id, what, when, is_stale } = guarded;
        let key = if what.is_of_team() {
            (format!("TEAM#t{id}"), "METADATA".to_owned())
        } else {
            ("TEAM#t0".to_owned(), format!("PLAYER#p{id}"))
        };
        let stored = self.f.row(&key.0, &key.1).await;
        let (result, expected) = if what.is_of_team() {
            let Some(old) = self.teams.get(id, is_stale) else { return Ok(()) };
            let holds = |row: &Item| match when {
                When::Unchanged => row["ver"] == old.ver.into(),
                When::Is(name) => text(row, "name") == Some(&name_of(name)),
            };
            let is_same = |row: &Item| {
                let texts = (text(row, "name"), text(row, "motto"));
                texts == (Some(&old.name), old.motto.as_deref()) && row["ver"] == old.ver.into()
            };
            let expected = Expected::of(what, stored.as_ref(), holds, is_same);
            (self.guarded_team(old, guarded, runs).await, expected)
        } else {
            let Some(old) = self.players.get(id, is_stale) else { return Ok(()) };
            let goals = |row: &Item| row.get("goals").and_then(|goals| goals.as_n()?.to_i64());
            let holds = |row: &Item| match when {
                When::Unchanged => row["ver"] == old.ver.into(),
                When::Is(count) => goals(row) == Some(i64::from(count)),
            };
            let number = |row: &Item| row.get("number").and_then(|number| number.as_n()?.to_i64());
            let is_same = |row: &Item| {
                let numbers = (goals(row), number(row));
                let user_id = old.user_id.as_ref().map(|user| user.as_str());
                let is_goal = old.position.map(|position| match position {
                    Position::Goal => "goal",
                    Position::Field => "field",
                });
                numbers == (i64::try_from(old.goals).ok(), old.number.map(i64::from))
                    && (text(row, "userId"), text(row, "position")) == (user_id, is_goal)
                    && row["ver"] == old.ver.into()
            };
            let expected = Expected::of(what, stored.as_ref(), holds, is_same);
            (self.guarded_player(old, guarded, runs).await, expected)
        };
        assert!(expected.is(&result), "{guarded:?}: {result:?} instead of {expected:?}");
        result
    }

    async fn guarded_team(
        &mut self,
        old: Team,
        Guarded { id, what, when, .. }: Guarded,
        runs: Runs,
    ) -> Result<()> {
        let f = &self.f;
        let condition = match when {
            When::Unchanged => old.unchanged(),
            When::Is(name) => team_path::name().eq(name_of(name)),
        };
        match what {
            What::EditTeam { name } => {
                let rename = edit(&old, |t| t.name = name_of(name)).when(condition);
                self.teams.add(id, runs.run(f, rename).await?);
            }
            What::MoveTeam { to } => {
                let rekey = rekey(&old, &team_at(&old, to)).when(condition);
                self.teams.add(to, runs.run(f, rekey).await?);
            }
            What::DeleteTeam => runs.run(f, delete(&old).when(condition)).await?,
            What::DeleteTeamByKey => {
                runs.run_for_nothing(f, delete_by_key(&old.key()).when(condition)).await?;
            }
            _ => runs.run(f, check_row(&old.key(), condition)).await?,
        }
        Ok(())
    }

    async fn guarded_player(
        &mut self,
        old: Player,
        Guarded { id, what, when, .. }: Guarded,
        runs: Runs,
    ) -> Result<()> {
        let f = &self.f;
        let condition = match when {
            When::Unchanged => old.unchanged(),
            When::Is(count) => player_path::goals().eq(u64::from(count)),
        };
        match what {
            What::EditPlayer { number } => {
                let edit = edit(&old, |p| p.number = number).when(condition);
                self.players.add(id, runs.run(f, edit).await?);
            }
            What::MovePlayer { to } => {
                let rekey = rekey(&old, &player_at(&old, to)).when(condition);
                self.players.add(to, runs.run(f, rekey).await?);
            }
            What::DeletePlayer => runs.run(f, delete(&old).when(condition)).await?,
            What::DeletePlayerByKey => {
                runs.run_for_nothing(f, delete_by_key(&old.key()).when(condition)).await?;
            }
            _ => runs.run(f, check_row(&old.key(), condition)).await?,
        }
        Ok(())
    }
}

/// How an operation under a condition ends.
#[derive(Clone, Copy, Debug)]
enum Expected {
    Done,
    NotFound,
    ConditionFailed,
    VersionConflict,
}

impl Expected {
    fn of(
        what: What,
        stored: Option<&Item>,
        holds: impl Fn(&Item) -> bool,
        is_same: impl Fn(&Item) -> bool,
    ) -> Self {
        match stored {
            None if what.is_by_key() => Self::Done,
            None => Self::NotFound,
            Some(row) if !holds(row) => Self::ConditionFailed,
            Some(row) if !what.is_by_key() && !what.is_check() && !is_same(row) => {
                Self::VersionConflict
            }
            Some(_) => Self::Done,
        }
    }

    fn is(self, result: &Result<()>) -> bool {
        matches!(
            (self, result),
            (Self::Done, Ok(()) | Err(Error::UniqueTaken { .. } | Error::Exists { .. }))
                | (Self::NotFound, Err(Error::NotFound { .. }))
                | (Self::ConditionFailed, Err(Error::ConditionFailed { .. }))
                | (Self::VersionConflict, Err(Error::VersionConflict { .. }))
        )
    }
}
