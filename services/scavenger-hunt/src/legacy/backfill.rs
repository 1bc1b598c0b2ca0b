//! Brings rows of older programs up to date: index keys, codes, guards, times and counts that they did not write. Afterwards
//! the table removes expired rows.

use std::collections::BTreeMap;

use monotable::model::rows::GuardKey as _;
use monotable::model::{Editable, Entity, Error, Holds, Store, create, edit};
use monotable_kit::backfill::{Backfill, BackfillReport, Look};
use monotable_kit::{BoxFuture, Problem};
use serde::Serialize;

use super::arrival;
use crate::api::games::create::scan_code;
use crate::api::play::join;
use crate::policy::game_of_team;
use crate::rules::progress::Route;
use crate::table::{
    GameId, IdGuard, LegacyRow, Level, LevelId, OlderExpiry, ScavengerHunt,
    ScavengerHuntReads as _, Stamps, Team, TeamId, TeamLevel, User, UserId,
};

/// What is counted: index keys that were missing, codes of levels, ids that were not kept for their game, users who were not
/// kept in their team, levels of routes without their game or their start, teams that were not counted, and expiries in the
/// older attribute.
const COUNTS: [&str; 7] =
    [INDEX_KEYS, "codes", "ids", "memberships", "progress", "countedTeams", "expiries"];
const INDEX_KEYS: &str = "indexKeys";

/// What was done, and what was not.
pub(crate) type Report = BackfillReport<Conflict>;

/// What needs a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "fields are named after what they are of")]
pub(crate) enum Conflict {
    /// Two games have a team or a level of the same id; it is kept for `owner`.
    IdTwice { id: String, game_id: GameId, owner: String },
    /// A user is in two teams of a game; the guard keeps the user in `owner`.
    TwoTeams { user_id: UserId, team_id: TeamId, owner: TeamId },
    /// A code of a level leads to another level.
    CodeTwice { level_id: LevelId },
    /// The game of a team is not known.
    TeamWithoutGame { team_id: TeamId },
}

/// A run of the backfill.
struct Run<'a> {
    db: &'a Store<ScavengerHunt>,
    backfill: Backfill<Conflict>,
    photos: BTreeMap<TeamId, u32>,
}

/// Brings the whole table up to date, and then lets it remove expired rows. It can run while the service is in use, and
/// again.
///
/// # Errors
/// Fails if the table can't be read or written; earlier changes stay.
pub(crate) fn backfill(db: &Store<ScavengerHunt>) -> BoxFuture<'_, Report> {
    Box::pin(async move {
        let mut run = Run { db, backfill: Backfill::new(&COUNTS), photos: BTreeMap::new() };
        let mut teams = Vec::new();
        let mut rows = db.legacy_rows().stream();
        while let Some(row) = run.backfill.next(&mut rows).await? {
            match row {
                LegacyRow::Game(row) => run.derive(&row).await?,
                LegacyRow::Level(row) => run.level(&row).await?,
                LegacyRow::Team(row) => {
                    run.derive(&row).await?;
                    run.keep_id(row.id.as_str(), &row.game_id).await?;
                    teams.push(row);
                }
                LegacyRow::User(row) => run.user(&row).await?,
                LegacyRow::TeamLevel(row) => run.team_level(&row).await?,
                LegacyRow::Message(row) => {
                    run.derive(&row).await?;
                    run.expire(&row, row.ttl.as_ref(), |row| (&mut row.stamps, &mut row.ttl))
                        .await?;
                }
                LegacyRow::Photo(row) => {
                    run.derive(&row).await?;
                    *run.photos.entry(row.team_id.clone()).or_default() += 1;
                    run.expire(&row, row.ttl.as_ref(), |row| (&mut row.stamps, &mut row.ttl))
                        .await?;
                }
                LegacyRow::CoordinateSnapshot(row) => {
                    run.derive(&row).await?;
                    run.expire(&row, row.ttl.as_ref(), |row| (&mut row.stamps, &mut row.ttl))
                        .await?;
                }
                LegacyRow::CheckpointEvent(row) => run.derive(&row).await?,
            }
        }
        for team in &teams {
            run.team(team).await?;
        }
        // Before, expired messages could have told when teams arrived.
        db.enable_expiry().await?;
        Ok(run.backfill.finish())
    })
}

impl Run<'_> {
    async fn derive<E: Entity>(&self, row: &E) -> Result<(), Problem>
    where
        ScavengerHunt: Holds<E>,
    {
        Ok(self.backfill.derive(self.db, row, INDEX_KEYS).await?)
    }

    /// Keeps an id of a team or a level for its game.
    async fn keep_id(&self, id: &str, game_id: &GameId) -> Result<(), Problem> {
        match self.db.run(IdGuard::of(&id).guard().hold(game_id.as_str())).await {
            Ok(()) => self.backfill.repaired("ids", 1),
            Err(Error::Held { .. }) => {
                let owner = self.db.run(IdGuard::of(&id).guard().holder()).await?;
                if let Some(owner) = owner.filter(|owner| *owner != game_id.as_str()) {
                    let (id, game_id) = (id.to_owned(), game_id.clone());
                    self.backfill.needs_decision(Conflict::IdTwice { id, game_id, owner });
                }
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Lets the code of a level lead to it. Levels of older programs have none: their id is the code.
    async fn level(&self, level: &Level) -> Result<(), Problem> {
        self.derive(level).await?;
        self.keep_id(level.id.as_str(), &level.game_id).await?;
        let code = level.scan_code.clone().unwrap_or_else(|| level.id.to_string());
        let row = scan_code(&level.game_id, &level.id, &code)?;
        match self.db.scan_code(&row.code_hash).await? {
            Some(known) if known.level_id != level.id => {
                let level_id = level.id.clone();
                self.backfill.needs_decision(Conflict::CodeTwice { level_id });
            }
            Some(_) => {}
            None => match self.db.create(&row).await {
                Ok(_) => self.backfill.repaired("codes", 1),
                // A request was faster.
                Err(Error::Exists { .. }) => {}
                Err(error) => return Err(error.into()),
            },
        }
        Ok(())
    }

    /// Keeps a user in one team of the game.
    async fn user(&self, user: &User) -> Result<(), Problem> {
        self.derive(user).await?;
        let (db, team_id) = (self.db, &user.team_id);
        let Some(game_id) = self.game(team_id).await? else { return Ok(()) };
        let settled = self.backfill.settle(format!("USER#{}", user.id), || async {
            let Some(user) = db.user_of(team_id, &user.id).await? else { return Ok(Look::Settled) };
            let member = db.game_membership(&user.id, &game_id).await?;
            let mut tx = db.transact();
            if let Some(member) = &member
                && member.team_id != user.team_id
            {
                let (user_id, owner) = (user.id.clone(), member.team_id.clone());
                let team_id = user.team_id.clone();
                self.backfill.needs_decision(Conflict::TwoTeams { user_id, team_id, owner });
                return Ok(Look::Settled);
            }
            if member.is_some() && user.game_id.is_some() {
                return Ok(Look::Settled);
            }
            if member.is_none() {
                tx.add(create(join::membership(&user, &game_id)?));
            }
            tx.add(edit(&user, |user| user.game_id = Some(game_id.clone())));
            tx.commit().await?;
            self.backfill.repaired("memberships", 1);
            Ok::<_, Problem>(Look::Settled)
        });
        settled.await
    }

    /// Returns the game of a team.
    async fn game(&self, team_id: &TeamId) -> Result<Option<GameId>, Problem> {
        let game_id = game_of_team(self.db, team_id).await?;
        if game_id.is_none() {
            self.backfill.needs_decision(Conflict::TeamWithoutGame { team_id: team_id.clone() });
        }
        Ok(game_id)
    }

    /// Writes the game of a level in a route, and when the team arrived there.
    async fn team_level(&self, level: &TeamLevel) -> Result<(), Problem> {
        self.derive(level).await?;
        if level.game_id.is_some() {
            return Ok(());
        }
        let (db, team_id, id) = (self.db, &level.team_id, &level.level_id);
        let Some(game_id) = self.game(team_id).await? else { return Ok(()) };
        let settled = self.backfill.settle(format!("TEAM#{team_id} LEVEL#{id}"), || async {
            let route = db.route(team_id).all().await?;
            let known = route.into_iter().find(|known| known.level_id == *id);
            let Some(known) = known.filter(|known| known.game_id.is_none()) else {
                return Ok(Look::Settled);
            };
            let arrived_at = arrival(db, &known).await?;
            db.edit(known, |level| {
                level.game_id = Some(game_id.clone());
                level.started_at = level.started_at.or(arrived_at).or(level.completed_at);
            })
            .await?;
            self.backfill.repaired("progress", 1);
            Ok::<_, Problem>(Look::Settled)
        });
        settled.await
    }

    /// Counts what a team has done, and who plays for it.
    async fn team(&self, team: &Team) -> Result<(), Problem> {
        let photos = self.photos.get(&team.id).copied().unwrap_or(0);
        let settled = self.backfill.settle(format!("TEAM#{}", team.id), || async {
            let known = self.db.team_of(&team.game_id, &team.id).await?;
            let Some(known) = known else { return Ok(Look::Settled) };
            let mut counted = known.clone();
            counted.tally = Route::new(self.db.route(&team.id).all().await?).tally();
            let users = self.db.users(&team.id).count().await?;
            counted.user_count = u32::try_from(users).unwrap_or(u32::MAX);
            counted.photo_count = counted.photo_count.max(photos);
            if counted != known {
                self.db.edit(known, |team| *team = counted).await?;
                self.backfill.repaired("countedTeams", 1);
            }
            Ok::<_, Problem>(Look::Settled)
        });
        settled.await
    }

    /// Moves the expiry of older programs to the attribute that counts.
    async fn expire<E: Editable + Clone>(
        &self,
        row: &E,
        ttl: Option<&OlderExpiry>,
        fields: fn(&mut E) -> (&mut Stamps, &mut Option<OlderExpiry>),
    ) -> Result<(), Problem>
    where
        ScavengerHunt: Holds<E>,
    {
        let Some(end) = ttl.and_then(OlderExpiry::seconds) else { return Ok(()) };
        let moved = self.db.edit(row.clone(), |row| {
            let (stamps, ttl) = fields(row);
            stamps.expires = stamps.expires.or(Some(end));
            *ttl = None;
        });
        match moved.await {
            Ok(_) => self.backfill.repaired("expiries", 1),
            // Somebody has erased it meanwhile.
            Err(Error::VersionConflict { .. } | Error::NotFound { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}
