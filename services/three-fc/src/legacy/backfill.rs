//! Brings rows of older programs up to date: mirrors, guards, pointers and counts that they did not write.

use monotable::model::{Entity, Error, Holds, Store, create, edit};
use monotable_kit::backfill::{Backfill, BackfillReport, Look};
use monotable_kit::{BoxFuture, Problem};
use serde::Serialize;

use super::{addresses, games, whole};
use crate::api::acl;
use crate::table::{
    Acl, Game, GameId, League, LeagueId, LegacyRow, Player, PlayerClaim, PlayerId, PoolEntry,
    RosterEntry, Season, SeasonId, Session, SessionGame, SessionId, ThreeFc, ThreeFcReads as _,
};

/// What is counted: rows that follow from others and were missing or out of date, leagues whose admins were not
/// counted, games without teams or results, grants under e-mail addresses that moved to users, players whose
/// users did not have the claim, and players who were not in the pool of a league that they played in.
const COUNTS: [&str; 6] =
    [DERIVED, "countedAdmins", "completedGames", "movedGrants", "claims", "pooledPlayers"];
const DERIVED: &str = "derivedRows";

/// What was done, and what was not.
pub type Report = BackfillReport<Conflict>;

/// What needs a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[allow(missing_docs, reason = "fields are named after what they are of")]
pub enum Conflict {
    /// Two leagues have a season of the same id; the row under the id belongs to `owner`.
    SeasonIdTwice { season_id: SeasonId, league_id: LeagueId, owner: LeagueId },
    /// Two seasons have a session of the same id; the row under the id belongs to `owner`.
    SessionIdTwice { session_id: SessionId, season_id: SeasonId, owner: SeasonId },
    /// Another row has the slug, the slot of a player or the goal's id that this one has, too.
    Taken { row: String },
    /// A game is listed in a session, and does not exist or is listed elsewhere.
    StaleSessionGame { session_id: SessionId, game_id: GameId },
    /// A player is claimed by a user who has no account.
    UserMissing { player_id: PlayerId },
}

/// A run of the backfill.
struct Run<'a> {
    db: &'a Store<ThreeFc>,
    backfill: Backfill<Conflict>,
}

/// Brings the whole table up to date. It can run while the service is in use, and again.
///
/// # Errors
/// Fails if the table can't be read or written; earlier changes stay.
pub fn backfill(db: &Store<ThreeFc>) -> BoxFuture<'_, Report> {
    Box::pin(async move {
        let run = Run { db, backfill: Backfill::new(&COUNTS) };
        let mut rows = db.legacy_rows().stream();
        while let Some(row) = run.backfill.next(&mut rows).await? {
            match row {
                LegacyRow::League(row) => run.league(&row).await?,
                LegacyRow::Season(row) => run.season(&row).await?,
                LegacyRow::Session(row) => run.session(&row).await?,
                LegacyRow::Game(row) => run.game(&row).await?,
                LegacyRow::SessionGame(row) => run.session_game(&row).await?,
                LegacyRow::Goal(row) => run.derive(&row, "GOAL#", row.event_id.as_str()).await?,
                LegacyRow::RosterEntry(row) => {
                    run.derive(&row, "ROSTER#", row.player_id.as_str()).await?;
                    run.pool(&row).await?;
                }
                LegacyRow::Acl(row) => run.grant(&row).await?,
                LegacyRow::Player(row) => run.player(&row).await?,
                // Seasons and sessions that lost their own rows are found by what belongs to them.
                LegacyRow::Team(row) => drop(whole::season(db, &row.season_id).await?),
            }
        }
        Ok(run.backfill.finish())
    })
}

impl Run<'_> {
    /// Makes the rows that follow from a row right. What another row has is reported.
    async fn derive<E: Entity>(&self, row: &E, kind: &str, id: &str) -> Result<(), Problem>
    where
        ThreeFc: Holds<E>,
    {
        match self.backfill.derive(self.db, row, DERIVED).await {
            Err(Error::UniqueTaken { .. } | Error::Exists { .. } | Error::Transaction { .. }) => {
                self.backfill.needs_decision(Conflict::Taken { row: format!("{kind}{id}") });
                Ok(())
            }
            done => Ok(done?),
        }
    }

    async fn league(&self, league: &League) -> Result<(), Problem> {
        let (db, league_id) = (self.db, &league.league_id);
        self.derive(league, "LEAGUE#", league_id.as_str()).await?;
        let row = format!("LEAGUE#{league_id}");
        let settled = self.backfill.settle(row, || async {
            let Some(league) = db.league(league_id).await? else { return Ok(Look::Settled) };
            if league.admin_count.is_some() {
                return Ok(Look::Settled);
            }
            let admins = acl::admins(db, &league).await?;
            db.edit(league, |league| league.admin_count = Some(admins)).await?;
            self.backfill.repaired("countedAdmins", 1);
            Ok::<_, Problem>(Look::Settled)
        });
        settled.await
    }

    async fn season(&self, season: &Season) -> Result<(), Problem> {
        let Season { season_id, league_id, .. } = season.clone();
        match whole::season(self.db, &season_id).await? {
            Some(Season { league_id: owner, .. }) if owner != league_id => {
                let conflict = Conflict::SeasonIdTwice { season_id, league_id, owner };
                self.backfill.needs_decision(conflict);
                Ok(())
            }
            _ => self.derive(season, "SEASON#", season_id.as_str()).await,
        }
    }

    async fn session(&self, session: &Session) -> Result<(), Problem> {
        let Session { session_id, season_id, .. } = session.clone();
        whole::season(self.db, &season_id).await?;
        match whole::session(self.db, &session_id).await? {
            Some(Session { season_id: owner, .. }) if owner != season_id => {
                let conflict = Conflict::SessionIdTwice { session_id, season_id, owner };
                self.backfill.needs_decision(conflict);
                Ok(())
            }
            _ => self.derive(session, "SESSION#", session_id.as_str()).await,
        }
    }

    async fn game(&self, game: &Game) -> Result<(), Problem> {
        self.derive(game, "GAME#", game.game_id.as_str()).await?;
        let is_completed = games::complete(self.db, &game.game_id).await?;
        self.backfill.repaired("completedGames", u64::from(is_completed));
        Ok(())
    }

    async fn session_game(&self, row: &SessionGame) -> Result<(), Problem> {
        whole::session(self.db, &row.session_id).await?;
        let game = self.db.game(&row.game_id).await?;
        let is_right = game.is_some_and(|game| {
            game.session_id == row.session_id && game.game_start_ts == row.game_start_ts
        });
        if !is_right {
            let (session_id, game_id) = (row.session_id.clone(), row.game_id.clone());
            self.backfill.needs_decision(Conflict::StaleSessionGame { session_id, game_id });
        }
        Ok(())
    }

    async fn grant(&self, grant: &Acl) -> Result<(), Problem> {
        let user_id = grant.user_id.as_str();
        self.derive(grant, "ACL#USER#", user_id).await?;
        if !user_id.contains('@') {
            return Ok(());
        }
        if let Some(user) = self.db.user_by_email(user_id).await? {
            let is_moved = addresses::move_grant(self.db, grant, &user.user_id).await?;
            self.backfill.repaired("movedGrants", u64::from(is_moved));
        }
        Ok(())
    }

    /// Lists a player in the pool of the league that the player played in. A league that nobody knows of a player
    /// is the first one that lists the player.
    async fn pool(&self, entry: &RosterEntry) -> Result<(), Problem> {
        let (db, player_id) = (self.db, &entry.player_id);
        let Some(game) = db.game(&entry.game_id).await? else { return Ok(()) };
        let Some(player) = db.player(player_id).await? else { return Ok(()) };
        let played = PoolEntry::played(&game, player_id);
        let mut tx = db.transact();
        match db.pool_entry(&game.league_id, player_id).await? {
            Some(known) if known.last_played >= played.last_played => return Ok(()),
            Some(known) => _ = tx.add(edit(&known, |known| known.follow(played))),
            None => _ = tx.add(create(played)),
        }
        if player.league_id.is_none() {
            tx.add(edit(&player, |player| player.league_id = Some(game.league_id.clone())));
        }
        match tx.commit().await {
            Ok(_) => self.backfill.repaired("pooledPlayers", 1),
            // A request was faster.
            Err(Error::Transaction { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Gives the user of a claimed player the claim.
    async fn player(&self, player: &Player) -> Result<(), Problem> {
        let Some(user_id) = player.claimed_by_user_id.clone() else { return Ok(()) };
        let player_id = player.player_id.clone();
        if user_id.as_str().contains('@') {
            if let Some(user) = self.db.user_by_email(user_id.as_str()).await? {
                let is_moved =
                    addresses::move_claim(self.db, player, &user_id, &user.user_id).await?;
                self.backfill.repaired("claims", u64::from(is_moved));
                return Ok(());
            }
            // The claim moves when somebody signs in with the address.
        } else if self.db.user(&user_id).await?.is_none_or(|user| user.deleted_at.is_some()) {
            self.backfill.needs_decision(Conflict::UserMissing { player_id });
            return Ok(());
        }
        let claim = PlayerClaim::of(&user_id, &player_id);
        match self.db.transact().with(create(claim)).with(edit(player, |_| {})).await {
            Ok(_) => self.backfill.repaired("claims", 1),
            // It has the claim, or somebody has changed the player.
            Err(Error::Transaction { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }
}
