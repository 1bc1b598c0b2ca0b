//! `POST /api/games/{gameId}/adjust`: gives or takes points.

use crate::api::{announce, prelude::*};

/// Points to give or take.
#[derive(Debug, Body)]
pub(crate) struct NewAdjustment {
    team_id: TeamId,
    #[body(range = -100_000..=100_000, example = 25)]
    points: i32,
    #[body(length = 1..=200, example = "The best photo of the day")]
    reason: String,
}

/// Points that were given or taken.
#[derive(View)]
#[view(of = Adjustment, list = "adjustments")]
pub(crate) struct AdjustmentView {
    id: RowId,
    team_id: TeamId,
    #[view(example = 25)]
    points: i32,
    #[view(example = "The best photo of the day")]
    reason: String,
    #[view(from = stamps.created)]
    at: Timestamp,
}

/// Gives points to a team or takes some, with a reason.
#[operation(POST "/api/games/{gameId}/adjust", once, refuses(refusal::CONTROLLING, TeamNotFound))]
pub(crate) async fn adjust_score(
    app: &App,
    call: &Call<GamePath, NewAdjustment>,
) -> Answer<Created<AdjustmentView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    let NewAdjustment { team_id, points, reason } = &call.body;
    let mut tx = call.transact(&app.db).or_retry();
    let key = TeamKey::new(team_id.clone(), game.id.clone());
    tx.require(check(&key, team::game_id().exists()), Refusal::TeamNotFound);
    let audit = app.audit(call, &game.id, "adjustScore", format!("TEAM#{team_id}"))?;
    tx.add(create(audit.is("points", points.to_string()).is("reason", reason)));
    let adjustment = tx.add(create(Adjustment {
        id: app.new_id()?,
        ts: app.db.now().epoch_seconds(),
        game_id: game.id.clone(),
        team_id: team_id.clone(),
        points: *points,
        reason: reason.clone(),
        photo_id: None,
        stamps: Stamps::default(),
    }));
    tx.afterwards(announce::changed(app, &call.path.game_id, team_id))
        .respond(move |done| Created(AdjustmentView::of(&done[adjustment])))
        .await
}
