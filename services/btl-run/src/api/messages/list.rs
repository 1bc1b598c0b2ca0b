//! `GET /match/{id}/alliance/messages`: lists the messages of an alliance.

use super::MessageView;
use crate::api::prelude::*;

/// Lists the messages of the alliance that the player's tribute is in.
#[operation(GET "/match/{id}/alliance/messages", refuses(refusal::PLAYER_ONLY))]
pub(crate) async fn read_messages(
    app: &App,
    call: &Call<MatchPath, (), NumberedPage>,
) -> Answer<Items<MessageView>> {
    let match_id = &call.path.id;
    let tribute_id = tokens::player(call, match_id)?;
    let state = turn::seen(app, match_id).await?.state;
    let tribute = state.tribute(&tribute_id).ok_or(Refusal::UnknownTribute)?;
    let Some(alliance_id) = &tribute.alliance_id else {
        let list = format!("messages {match_id}");
        call.query.start(app, &list)?;
        return Ok(Items::until(app, &list, Vec::new(), None).into());
    };
    let list = format!("messages {match_id} {alliance_id}");
    let (limit, after) = (call.query.limit(), call.query.start(app, &list)?);
    let (mut found, mut unreadable, mut next) = (Vec::new(), 0, None);
    loop {
        let rows = app.db.messages_after(match_id, alliance_id, after).skip_unreadable();
        let rows = rows.take(limit - found.len());
        let rows = match &next {
            Some(cursor) => rows.after(cursor),
            None => rows,
        };
        let read = rows.page().await?;
        found.extend(read.rows);
        unreadable += read.unreadable.len();
        next = read.next;
        if next.is_none() || found.len() >= limit {
            break;
        }
    }
    let last = next.and(found.last()).map(|row| row.seq);
    let items = found.iter().map(MessageView::of).collect();
    Ok(Items { unreadable, ..Items::until(app, &list, items, last) }.into())
}
