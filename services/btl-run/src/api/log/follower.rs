//! A client that follows a match.
//!
//! It is only notified that there are more events, and reads them from the log: so one place
//! decides what a viewer may see, slow followers lose nothing, and events of other processes are
//! seen as well, a little later.

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use monotable_kit::EventStream;

use crate::api::prelude::*;
use crate::change::LOG;
use crate::jobs::narrate::is_story_pending;
use crate::log::entries_after;
use crate::rules::redact::EventView;

/// The maximum delay until events of other processes are noticed.
const LOOK_EVERY: Duration = Duration::from_secs(3);
/// Events that are read at once.
const PAGE: u32 = 100;

/// A client that follows a match.
pub(super) struct Follower {
    app: App,
    match_id: MatchId,
    viewer: Viewer,
    /// The hash of the token that the viewer has shown, if any.
    token_hash: Option<String>,
    /// The number of the last event that was read.
    seq: u32,
    notifications: EventStream,
    /// Whether the log may contain more.
    is_behind: bool,
    /// Whether nothing more will happen.
    is_over: bool,
    /// What was read and not yet sent.
    frames: VecDeque<Bytes>,
}

impl Follower {
    /// Returns a client that has received everything up to a number, and is notified of more.
    pub(super) async fn new(
        app: &App,
        match_id: &MatchId,
        viewer: Viewer,
        notifications: EventStream,
        seq: u32,
    ) -> Result<Self, Problem> {
        Ok(Self {
            token_hash: token_hash(app, match_id, &viewer).await?,
            viewer,
            app: app.clone(),
            match_id: match_id.clone(),
            seq,
            notifications,
            is_behind: true,
            is_over: false,
            frames: VecDeque::new(),
        })
    }

    /// Returns the next frame; `None` when the stream is over, after which browsers reconnect.
    async fn next(mut self) -> Option<(Bytes, Self)> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                return Some((frame, self));
            }
            if self.is_over {
                return None;
            }
            if self.is_behind {
                self.read().await.ok()?;
                continue;
            }
            tokio::select! {
                notifications = poll_fn(|context| Pin::new(&mut self.notifications).poll_next(context)) => match notifications? {
                    // Sent only to keep the connection alive.
                    comment if comment.starts_with(b":") => return Some((comment, self)),
                    _ => self.is_behind = true,
                },
                () = tokio::time::sleep(LOOK_EVERY) => self.is_behind = true,
            }
        }
    }

    async fn read(&mut self) -> Result<(), Problem> {
        let state = turn::seen(&self.app, &self.match_id).await?.state;
        if self.seq >= state.log_seq {
            self.is_behind = false;
            self.is_over = is_over(&self.app, &state).await?;
            if self.is_over {
                self.frames.push_back(Bytes::from_static(END));
            }
            return Ok(());
        }
        if token_hash(&self.app, &self.match_id, &self.viewer).await? != self.token_hash {
            // The token has become invalid, and its bearer may not see more.
            return Err(Refusal::InvalidToken.into());
        }
        let (entries, until) = entries_after(&self.app, &state, self.seq, PAGE).await?;
        self.seq = until;
        let shown = entries.iter().filter_map(|entry| entry.view(&state, &self.viewer));
        self.frames = shown.map(|view| frame(&view)).collect::<Result<_, _>>()?;
        Ok(())
    }
}

/// The last event of a stream: no more events follow, so clients need not reconnect.
const END: &[u8] = b"event: end\ndata: {\"status\":\"ended\"}\n\n";

/// Returns whether a match has ended and every turn of it has its story.
pub(super) async fn is_over(app: &App, state: &MatchState) -> Result<bool, Problem> {
    Ok(state.status == Status::Ended && !is_story_pending(app, state).await?)
}

/// Returns the hash of the token by which a viewer sees more than spectators.
async fn token_hash(
    app: &App,
    match_id: &MatchId,
    viewer: &Viewer,
) -> Result<Option<String>, Problem> {
    if *viewer == Viewer::Spectator {
        return Ok(None);
    }
    let Some(secret) = app.db.secret(match_id).await? else { return Ok(None) };
    let mut hashes = secret.token_hashes;
    Ok(match viewer {
        Viewer::Spectator => None,
        Viewer::GameMaster => Some(hashes.admin),
        Viewer::Player(tribute_id) => hashes.players.remove(tribute_id),
    })
}

/// Writes an event as browsers read it. JSON has no line breaks of its own.
fn frame(view: &EventView) -> Result<Bytes, Problem> {
    let data = serde_json::to_string(view).map_err(Problem::internal)?;
    Ok(Bytes::from(format!("id: {}\nevent: {LOG}\ndata: {data}\n\n", view.seq)))
}

/// What a follower sends, one after the other.
pub(crate) struct Following {
    next: Option<Next>,
}

type Next = Pin<Box<dyn Future<Output = Option<(Bytes, Follower)>> + Send>>;

impl Following {
    pub(super) fn new(follower: Follower) -> Self {
        Self { next: Some(Box::pin(follower.next())) }
    }
}

impl Stream for Following {
    type Item = Bytes;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let Some(next) = &mut self.next else { return Poll::Ready(None) };
        let Poll::Ready(sent) = next.as_mut().poll(context) else { return Poll::Pending };
        let (frame, follower) = sent.unzip();
        self.next = follower.map(|follower| Box::pin(follower.next()) as Next);
        Poll::Ready(frame)
    }
}
