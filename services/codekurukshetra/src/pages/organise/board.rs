//! `GET /organise`: the organisers' board: figures, revenue by day, and the teams.

use std::time::Duration;

use askama::Template;
use monotable_kit::Html;

use super::super::{money, status, tracks};
use crate::api::admin::funnel::funnel;
use crate::api::admin::registrations::{RegistrationQuery, RegistrationView, registrations};
use crate::api::checkin::arrivals;
use crate::api::prelude::*;
use crate::rules::statistics::Funnel;

/// Days of the picture of the revenue.
const DAYS: u32 = 14;
/// The size of the picture, in its own units.
const WIDTH: u64 = 700;
const HEIGHT: u64 = 160;

/// The content of the page.
#[derive(Template)]
#[template(path = "organise/board.html")]
struct BoardPage {
    config: Config,
    totals: TotalStats,
    revenue: String,
    arrived: u64,
    waiting: usize,
    funnel: Funnel,
    days: Vec<Bar>,
    query: RegistrationQuery,
    tracks: Vec<String>,
    teams: Vec<RegistrationView>,
    /// The query of the next page.
    next: Option<String>,
}

/// The revenue of a day as a bar.
struct Bar {
    x: u64,
    y: u64,
    width: u64,
    height: u64,
    day: String,
    amount: String,
}

impl BoardPage {
    /// Returns a part of the registered teams, in percent.
    fn percent(&self, part: &u64) -> u64 {
        (part * 100).checked_div(self.funnel.registered).unwrap_or(0)
    }

    fn has_revenue(&self) -> bool {
        self.days.iter().any(|day| day.height > 0)
    }

    fn has_status(&self, status: PaymentStatus) -> bool {
        self.query.payment_status == Some(status)
    }

    fn has_track(&self, track: &str) -> bool {
        self.query.track.as_ref().is_some_and(|chosen| chosen.as_str() == track)
    }
}

/// Shows the figures of the event and its teams, to organisers.
#[operation(GET "/organise", refuses(Forbidden, NotConfigured))]
async fn board_page(app: &App, call: &Call<(), (), RegistrationQuery>) -> Answer<Html> {
    policy::administer(call)?;
    let config = app.config().await?;
    let found = registrations(app, call).await?;
    let totals = app.db.totals().await?.unwrap_or_default();
    let earned = totals.revenue_minor.saturating_sub(totals.refunded_minor);
    let page = BoardPage {
        revenue: money(earned, &config.currency),
        days: days(app, &config).await?,
        arrived: arrivals(app).await?.arrived,
        waiting: app.db.waitlist().count().await?,
        funnel: funnel(app).await?,
        next: found.next.as_ref().map(|next| next_page(&call.query, &next.to_string())),
        teams: found.rows,
        query: call.query.clone(),
        tracks: tracks(&config).map(|(track, _)| track).collect(),
        totals,
        config,
    };
    let html = Html::new(call, "Organisers", &page)?;
    Ok(html.live("/hackathon/admin/live").into())
}

/// Returns the query of the next page.
fn next_page(query: &RegistrationQuery, token: &str) -> String {
    let mut text = format!("?nextToken={}", escaped(token));
    let status = query.payment_status.map(|status| status.word());
    let track = query.track.as_ref().map(Track::as_str);
    let chosen =
        [("payment_status", status), ("track", track), ("college", query.college.as_deref())];
    for (name, value) in chosen {
        if let Some(value) = value {
            text += &format!("&{name}={}", escaped(value));
        }
    }
    text
}

fn escaped(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// Returns the revenue of the last days.
async fn days(app: &App, config: &Config) -> Result<Vec<Bar>, Problem> {
    const DAY: Duration = Duration::from_secs(24 * 60 * 60);
    let now = app.db.now();
    let mut days = Vec::new();
    for ago in (0..DAYS).rev() {
        days.push(config.day_of(now - DAY * ago)?);
    }
    let (Some(first), Some(last)) = (days.first(), days.last()) else { return Ok(Vec::new()) };
    let known = app.db.daily_stats(*first, *last).all().await?;
    let revenue =
        |day: &Date| known.iter().find(|row| row.day == *day).map_or(0, |row| row.revenue_minor);
    let highest = days.iter().map(revenue).max().unwrap_or(0).max(1);
    let step = WIDTH / u64::from(DAYS);
    let bar = |(position, day): (u64, &Date)| {
        let amount = revenue(day);
        let height = amount * HEIGHT / highest;
        Bar {
            x: position * step + 2,
            y: HEIGHT - height,
            width: step - 4,
            height,
            day: day.to_string(),
            amount: money(amount, &config.currency),
        }
    };
    Ok((0..).zip(&days).map(bar).collect())
}
