//! `GET /manage/leagues/{leagueId}`: a league, its seasons, its players and who may do what.

use monotable_kit::{Form, Html};

use super::{Entry, ManagePage, Section, with_third_lengths};
use crate::api::acl;
use crate::api::leagues::{self, LeagueView};
use crate::api::prelude::*;
use crate::api::{players, seasons};
use crate::legacy::whole;

/// Shows a league to those who run it.
#[operation(GET "/manage/leagues/{leagueId}", refuses(refusal::VIEWING))]
async fn manage_league(app: &App, call: &Call<LeaguePath>) -> Answer<Html> {
    let league_id = &call.path.league_id;
    let granted = policy::league(app, call, league_id, Action::View).await?;
    let all = whole::latest_first(&app.db, app.db.seasons(league_id), |it| it.starts_on).await?;
    let pool = app.db.pool(league_id).all().await?;
    let season = Form::of(call, &seasons::create::route())
        .without(&["seasonId", "ranking", "teams"])
        .submit("Make the season")
        .then("/manage/seasons/{seasonId}");
    let player = Form::of(call, &players::create::route())
        .fixed("leagueId", league_id)
        .without(&["playerId"])
        .submit("Add the player")
        .then(format!("/manage/leagues/{league_id}"));
    let mut known = players::by_ids(&app.db, pool.iter().map(|entry| &entry.player_id)).await?;
    known.sort_by_key(|player| player.nickname.to_lowercase());
    let is_admin = granted.is_admin();
    let can_score = granted.allow(Action::Score).is_ok();
    let seasons = all
        .into_iter()
        .map(|season| Entry::linked(format!("/manage/seasons/{}", season.season_id), season.name));
    let people = known.into_iter().map(|player| Entry {
        path: (can_score && player.is_of(league_id))
            .then(|| format!("/manage/leagues/{league_id}/players/{}", player.player_id)),
        note: if player.claimed_by_user_id.is_some() {
            "claimed".to_owned()
        } else {
            String::new()
        },
        name: player.nickname,
        ..Entry::default()
    });
    let new_season = is_admin.then(|| ("New season", with_third_lengths(season)));
    let mut sections = vec![
        Section::list("Seasons", seasons, new_season),
        Section::list("Players", people, can_score.then_some(("New player", player))),
    ];
    if is_admin {
        sections.push(roles(app, call).await?);
        sections.push(settings(call, &granted));
    }
    let above = vec![
        ("/manage".to_owned(), "Your leagues".to_owned()),
        (format!("/leagues/{league_id}"), "Page for everybody".to_owned()),
    ];
    Ok(ManagePage { above, title: granted.league.name, sections }.html(call)?.into())
}

/// Returns who may do what, for admins.
async fn roles(app: &App, call: &Call<LeaguePath>) -> Result<Section, Problem> {
    let league_id = &call.path.league_id;
    let then = format!("/manage/leagues/{league_id}");
    let grants = app.db.grants(league_id).consistent().all().await?;
    let emails = acl::list::emails(app, grants.iter().map(|grant| &grant.user_id)).await?;
    let entries = grants.into_iter().zip(emails).map(|(grant, email)| Entry {
        path: None,
        form: Some(
            Form::of(call, &acl::revoke::route())
                .path("userId", &grant.user_id)
                .submit("Take away")
                .then(&then),
        ),
        note: grant.role.word().to_owned(),
        name: email.unwrap_or_else(|| grant.user_id.to_string()),
    });
    let form = Form::of(call, &acl::invite::route()).submit("Give the role").then(&then);
    Ok(Section::list("Roles", entries, Some(("Give a role", form))))
}

fn settings(call: &Call<LeaguePath>, granted: &Granted) -> Section {
    let league = LeagueView::with_role(&granted.league, Role::Admin);
    let change = Form::of(call, &leagues::update::route())
        .values(&league)
        .submit("Save the league")
        .then(format!("/manage/leagues/{}", call.path.league_id));
    let delete = Form::of(call, &leagues::delete::route());
    let delete = delete.submit("Delete the league and its players").then("/manage");
    Section::settings([("Name and address", change), ("Delete", delete)])
}
