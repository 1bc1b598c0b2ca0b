//! What the operations that add players have in common.

use std::collections::BTreeSet;

use monotable::model::{Entity as _, Handle, Outcome, Transact, create};
use monotable_kit::{Answer, Body, Problem, Refuse as _, Request, Response};

use super::numbers::{NumberTaking, number_taken};
use super::{PlayerFields, distinct_positions};
use crate::api::fields::Fields;
use crate::app::App;
use crate::refusal::Refusal;
use crate::table::{HackTracker, HackTrackerReads as _, Player, Stamps, Team, TeamId};
use crate::{names, policy};

/// Players of a team at most.
const PLAYERS_MAX: usize = 100;

/// A player to add.
#[derive(Clone, Debug, Body)]
#[body(read_only(
    "playerId",
    "teamId",
    "userId",
    "isGhost",
    "linkedAt",
    "lastUnlinkedAt",
    "paCount",
    "createdAt",
    "updatedAt",
    "ver"
))]
pub(crate) struct NewPlayer {
    /// Letters of any script, hyphens, apostrophes, periods and single spaces.
    #[body(length = 1..=50, example = "Mary Ann")]
    first_name: String,
    #[body(flatten)]
    fields: PlayerFields,
}

impl NewPlayer {
    /// Returns the row of the player; invalid fields are reported with the prefix of their path.
    ///
    /// # Errors
    /// 500 if there is no new id.
    pub(super) fn row(
        &self,
        app: &App,
        team_id: &TeamId,
        prefix: &str,
        fields: &mut Fields,
    ) -> Result<Player, Problem> {
        let field = |field: &str| format!("{prefix}{field}");
        let PlayerFields { last_name, player_number, positions, status } = &self.fields;
        let first_name = fields.read(&field("firstName"), Some(&*self.first_name), names::player);
        let last_name =
            fields.read(&field("lastName"), last_name.value().map(String::as_str), names::player);
        let positions = positions.value().map(Vec::as_slice);
        let positions = fields.read(&field("positions"), positions, distinct_positions);
        Ok(Player {
            team_id: team_id.clone(),
            player_id: app.new_id()?,
            user_id: None,
            first_name: first_name.unwrap_or_default(),
            last_name,
            player_number: player_number.value().copied(),
            positions: positions.unwrap_or_default(),
            status: status.unwrap_or_default(),
            is_ghost: true,
            named_by_manager: Some(true),
            named_by: None,
            linked_at: None,
            last_unlinked_at: None,
            pa_count: Some(0),
            lineups: 0,
            stamps: Stamps::default(),
        })
    }
}

/// The transaction that adds players to a team.
pub(super) struct Addition {
    tx: Transact<HackTracker>,
    /// The team must not be deleted.
    active: Handle<()>,
    /// Whether the team must be unchanged as well.
    is_near_limit: bool,
    /// The numbers of the team, those of the new players included.
    worn: BTreeSet<u8>,
    /// The operations that take numbers.
    taken: Vec<NumberTaking>,
}

impl Addition {
    /// Starts it for so many players.
    ///
    /// # Errors
    /// 409 `LIMIT_REACHED`.
    pub(super) async fn start(app: &App, team: &Team, count: usize) -> Result<Self, Problem> {
        let roster = app.db.roster(&team.team_id).consistent().all().await?;
        let size = roster.len() + count;
        if size > PLAYERS_MAX {
            let text = format!("A team can have {PLAYERS_MAX} players.");
            return Err(Refusal::LimitReached.text(text).with("limit", PLAYERS_MAX));
        }
        // Near the limit the team is changed as well, so that one of two concurrent requests runs again.
        let is_near_limit = size * 2 > PLAYERS_MAX;
        let mut tx = app.db.transact();
        let active = if is_near_limit {
            let is_same = team.unchanged().and(policy::is_active());
            tx.add(Team::update(&team.key()).when(is_same))
        } else {
            tx.add(policy::check_active(&team.team_id))
        };
        let worn = roster.iter().filter_map(Player::wears_number).collect();
        Ok(Self { tx, active, is_near_limit, worn, taken: Vec::new() })
    }

    /// Adds a player.
    ///
    /// # Errors
    /// 409 `NUMBER_TAKEN`.
    pub(super) fn add(&mut self, player: &Player) -> Result<Handle<Player>, Problem> {
        let added = self.tx.add(create(player.clone()));
        if let Some(number) = player.wears_number() {
            if !self.worn.insert(number) {
                return Err(number_taken(number));
            }
            self.taken.push(NumberTaking::add(&mut self.tx, player, number));
        }
        Ok(added)
    }

    /// Commits it.
    ///
    /// # Errors
    /// 409 `NUMBER_TAKEN` and `TEAM_DELETED`.
    pub(super) async fn commit<R: Response>(
        self,
        call: &Request,
        response: impl Fn(&Outcome) -> R + Send + Sync + 'static,
    ) -> Answer<R> {
        let Self { tx, active, is_near_limit, taken, .. } = self;
        call.commit(tx)
            .refusing(|refusals| taken.iter().fold(refusals, |all, number| number.refusals(all)))
            .refusing(|refusals| {
                if is_near_limit {
                    refusals.retry(active)
                } else {
                    refusals.refuse(active, Refusal::TeamDeleted)
                }
            })
            .or_retry()
            .respond(response)
            .await
    }
}
