//! `GET /api/games/{gameId}/links`: shows the codes of a game, to print.

use crate::api::prelude::*;
use crate::rules::codes;

/// The codes of a game.
#[derive(Clone, View)]
pub(crate) struct LinksView {
    pub(crate) game_id: GameId,
    pub(crate) teams: Vec<JoinLinkView>,
    pub(crate) levels: Vec<ScanLinkView>,
}

/// The code that lets players join a team.
#[derive(Clone, View)]
pub(crate) struct JoinLinkView {
    pub(crate) team_id: TeamId,
    #[view(example = "Mallards")]
    pub(crate) team_name: String,
    #[view(example = "7K3M9QWX0A1B")]
    pub(crate) code: String,
    /// The page that the code opens.
    #[view(example = "http://localhost:8000/scavenger-hunt/join?code=7K3M9QWX0A1B")]
    pub(crate) url: String,
}

/// The code at a level.
#[derive(Clone, View)]
pub(crate) struct ScanLinkView {
    pub(crate) level_id: LevelId,
    #[view(example = "The old fountain")]
    pub(crate) level_name: String,
    #[view(example = "7K3M9QWX0A1B7K3M9QWX0A1B7K")]
    pub(crate) code: String,
    #[view(example = "http://localhost:8000/scavenger-hunt/scan?code=7K3M9QWX0A1B7K3M9QWX0A1B7K")]
    pub(crate) url: String,
    /// How many teams walk the level.
    #[view(example = 3)]
    pub(crate) occurrences: usize,
}

/// Shows the codes of a game: those of its teams, with which players join, and those of its levels.
#[operation(GET "/api/games/{gameId}/links", refuses(refusal::CONTROLLING))]
pub(crate) async fn show_links(app: &App, call: &Call<GamePath>) -> Answer<Json<LinksView>> {
    let game = policy::game(app, call, &call.path.game_id, Action::Control).await?;
    Ok(Json(links_of(app, call, &game).await?).into())
}

/// Returns the codes of a game.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn links_of(app: &App, call: &Request, game: &Game) -> Result<LinksView, Problem> {
    let mut levels = app.db.levels(&game.id).skip_unreadable().all().await?;
    levels.sort_by_key(|level| level.position);
    let mut teams = app.db.teams(&game.id).skip_unreadable().all().await?;
    teams.sort_by_key(|team| team.position);
    let mut counts = std::collections::BTreeMap::new();
    for level in &levels {
        counts.insert(level.id.clone(), app.db.teams_at(&level.id).count().await?);
    }
    let count = |level_id: &LevelId| counts.get(level_id).copied().unwrap_or(0);
    Ok(links(app, call, game, &levels, &teams, count))
}

/// Returns the codes of a game. Levels and teams of older programs have no codes: their ids are the codes.
pub(crate) fn links(
    app: &App,
    call: &Request,
    game: &Game,
    levels: &[Level],
    teams: &[Team],
    occurrences: impl Fn(&LevelId) -> usize,
) -> LinksView {
    let is_older = game.status.is_none();
    let team = |team: &Team| {
        let code = if team.join_code.is_none() && is_older {
            team.id.to_string()
        } else {
            codes::join(&app.code_key, &game.id, &team.id)
        };
        let url = call.url(&format!("/join?code={code}"));
        JoinLinkView { team_id: team.id.clone(), team_name: team.name.clone(), code, url }
    };
    let level = |level: &Level| {
        let code = level.scan_code.clone().unwrap_or_else(|| level.id.to_string());
        let url = call.url(&format!("/scan?code={code}"));
        let (level_id, level_name) = (level.id.clone(), level.level_name.clone());
        ScanLinkView { occurrences: occurrences(&level.id), level_id, level_name, code, url }
    };
    LinksView {
        game_id: game.id.clone(),
        teams: teams.iter().map(team).collect(),
        levels: levels.iter().map(level).collect(),
    }
}
