//! `GET /v1/players/{playerId}/statistics`: what a claimed player did, for the user who claimed it.

use std::collections::BTreeMap;

use crate::api::prelude::*;
use crate::rules::leaderboard::Totals;

/// What a player did in all seasons.
#[derive(View)]
pub(crate) struct PlayerStatistics {
    player_id: PlayerId,
    #[view(example = "Flash")]
    pub(crate) nickname: String,
    /// Season by season.
    pub(crate) seasons: Vec<SeasonStatistics>,
    /// All seasons together.
    pub(crate) total: Record,
}

/// What a player did in a season.
#[derive(View)]
pub(crate) struct SeasonStatistics {
    pub(crate) season_id: SeasonId,
    /// Absent if the season was deleted.
    #[view(example = "Summer 2026")]
    pub(crate) name: Option<String>,
    #[view(flatten)]
    pub(crate) record: Record,
}

/// What a player did, and how the games ended.
#[derive(View)]
pub(crate) struct Record {
    #[view(flatten)]
    pub(crate) totals: Totals,
    #[view(example = 2)]
    pub(crate) wins: usize,
    #[view(example = 1)]
    pub(crate) draws: usize,
    #[view(example = 1)]
    pub(crate) losses: usize,
}

/// Returns what a player did in finished games, for the user who claimed it.
#[operation(GET "/v1/players/{playerId}/statistics", refuses(NotFound, NotClaimOwner))]
pub(crate) async fn get_player_statistics(
    app: &App,
    call: &Call<PlayerPath>,
) -> Answer<Json<PlayerStatistics>> {
    let user_id = policy::caller(call)?;
    let player = app.db.player(&call.path.player_id).await?.ok_or(Refusal::NotFound)?;
    if player.claimed_by_user_id.as_ref() != Some(&user_id) {
        return Err(Refusal::NotClaimOwner.into());
    }
    Ok(Json(of_player(app, player).await?).into())
}

/// Returns what a player did in finished games.
pub(crate) async fn of_player(app: &App, player: Player) -> Result<PlayerStatistics, Problem> {
    let appearances = app.db.all_appearances(&player.player_id).consistent().all().await?;
    let total = record(&appearances);
    let mut by_season: BTreeMap<SeasonId, Vec<Appearance>> = BTreeMap::new();
    for appearance in appearances {
        by_season.entry(appearance.season_id.clone()).or_default().push(appearance);
    }
    let mut seasons = Vec::with_capacity(by_season.len());
    for (season_id, appearances) in by_season {
        let name = app.db.season(&season_id).await?.map(|season| season.name);
        seasons.push(SeasonStatistics { season_id, name, record: record(&appearances) });
    }
    let Player { player_id, nickname, .. } = player;
    Ok(PlayerStatistics { player_id, nickname, seasons, total })
}

fn record(appearances: &[Appearance]) -> Record {
    let mut totals = Totals::default();
    for appearance in appearances {
        totals.add(true, [appearance.goals, appearance.own_goals, appearance.assists]);
    }
    let count = |outcome| {
        appearances.iter().filter(|appearance| appearance.outcome == Some(outcome)).count()
    };
    Record { totals, wins: count(Ending::W), draws: count(Ending::D), losses: count(Ending::L) }
}
