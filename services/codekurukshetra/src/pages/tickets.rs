//! `GET /tickets`: the codes for the entrance, to be shown or printed.

use askama::Template;
use monotable_kit::{Html, QrCode};

use super::{my_team, time};
use crate::api::checkin::require_confirmed;
use crate::api::checkin::ticket::{TicketView, ticket};
use crate::api::prelude::*;

/// The content of the page.
#[derive(Template)]
#[template(path = "tickets.html")]
struct TicketsPage {
    event_name: String,
    starts: String,
    team_name: String,
    tickets: Vec<Printed>,
}

struct Printed {
    ticket: TicketView,
    picture: QrCode,
    arrived: Option<String>,
}

/// Shows your code for the entrance; the leader sees those of the whole team.
#[operation(GET "/tickets", refuses(NotFound, InvalidState, NotConfigured))]
async fn tickets_page(app: &App, call: &Call) -> Answer<Html> {
    let mine = my_team(app, call).await?;
    require_confirmed(&mine.team)?;
    let members = if mine.leads() {
        app.cashier.members(&mine.team).await?
    } else {
        vec![mine.participant.clone()]
    };
    let mut tickets = Vec::new();
    for member in members.iter().filter(|member| member.erased_at.is_none()) {
        let ticket = ticket(app, call, member, &mine.team).await?;
        tickets.push(Printed {
            picture: QrCode::of(&ticket.url, format!("QR code of {}", ticket.name))?,
            arrived: ticket.checked_in_at.map(|at| time(&mine.config, at)),
            ticket,
        });
    }
    let page = TicketsPage {
        starts: time(&mine.config, mine.config.event_start),
        event_name: mine.config.event_name,
        team_name: mine.team.name.0,
        tickets,
    };
    Ok(Html::new(call, "Codes for the entrance", &page)?.into())
}
