//! Teams of a season.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;
pub(crate) mod update;

use crate::api::prelude::*;

/// A team of a season.
#[derive(View)]
#[view(of = Team, list = "teams")]
pub(crate) struct TeamView {
    season_id: SeasonId,
    #[view(example = "red")]
    team_id: TeamId,
    #[view(example = "Red")]
    name: String,
    #[view(null, example = "red")]
    color: Option<String>,
    #[view(stamps)]
    stamps: Stamps,
}

/// A team to make.
#[derive(Debug, Body)]
pub(crate) struct NewTeam {
    /// A slug; made of the name unless chosen.
    #[body(check = checks::slug, example = "red")]
    team_id: Option<TeamId>,
    #[body(length = 1..=40, check = checks::name, example = "Red")]
    name: String,
    /// As #RRGGBB, or by its name in CSS.
    #[body(length = checks::COLOR_LENGTH, check = checks::color, example = "red", label = "Colour")]
    color: Patch<String>,
}

impl NewTeam {
    /// Returns a team that is called like its colour.
    pub(crate) fn of_color(name: &str) -> Self {
        Self { team_id: None, name: name.to_owned(), color: Patch::Set(name.to_lowercase()) }
    }

    /// Returns the team of a season.
    ///
    /// # Errors
    /// Returns 400 if it has no id, and none can be made of its name.
    pub(crate) fn team(&self, season_id: &SeasonId) -> Result<Team, Problem> {
        let team_id = match &self.team_id {
            Some(team_id) => team_id.clone(),
            None => slug_of(&self.name)?,
        };
        let (season_id, name) = (season_id.clone(), self.name.clone());
        let color = self.color.value().cloned();
        Ok(Team { season_id, team_id, name, color, stamps: Stamps::default() })
    }
}

/// Makes an id of a name: its ASCII letters and digits, with hyphens between words.
fn slug_of(name: &str) -> Result<TeamId, Problem> {
    let words = name.split(|one: char| !one.is_ascii_alphanumeric());
    let words: Vec<String> = words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let slug = checks::slug(&words.join("-")).ok().and_then(|slug| TeamId::new(slug).ok());
    slug.ok_or_else(|| Problem::field("teamId", "is needed: the name has no letters of a-z"))
}
