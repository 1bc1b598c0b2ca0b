//! Takes connections and deals them out to the workers, within the number that may be open.

use std::convert::Infallible;
use std::net::{SocketAddr, TcpListener as StdListener, TcpStream as StdStream};
use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::error::Error;
use crate::worker::Message;

/// How long the acceptor pauses when the system has no socket for it.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How often it looks for an idle connection while one waits for its place.
const IDLE_CHECKED_EVERY: Duration = Duration::from_millis(100);

/// The one who accepts connections.
pub(crate) struct Acceptor {
    listener: TcpListener,
    workers: Workers,
    /// A permit for each connection that may be open.
    places: Arc<Semaphore>,
    places_max: usize,
    /// One that was accepted and has no place yet; the others stay in the system's queue.
    waiting: Option<(StdStream, SocketAddr)>,
}

/// The workers, of which each gets a connection in turn.
struct Workers {
    senders: Vec<UnboundedSender<Message>>,
    turn: usize,
}

impl Workers {
    fn deal_out(&mut self, stream: StdStream, peer: SocketAddr, place: OwnedSemaphorePermit) {
        if let Some(worker) = self.senders.get(self.turn) {
            let _ = worker.send(Message::Serve(stream, peer, place));
        }
        self.turn = (self.turn + 1) % self.senders.len();
    }
}

impl Acceptor {
    pub(crate) fn new(
        listener: StdListener,
        senders: Vec<UnboundedSender<Message>>,
        places_max: usize,
    ) -> Result<Self, Error> {
        Ok(Self {
            listener: TcpListener::from_std(listener).map_err(Error::Start)?,
            workers: Workers { senders, turn: 0 },
            places: Arc::new(Semaphore::new(places_max)),
            places_max,
            waiting: None,
        })
    }

    /// Accepts until it is dropped.
    pub(crate) async fn run(&mut self) -> Infallible {
        loop {
            let accepted = match self.listener.accept().await {
                Ok((stream, peer)) => stream.into_std().map(|stream| (stream, peer)),
                Err(error) => Err(error),
            };
            let Ok(accepted) = accepted else {
                tokio::time::sleep(ACCEPT_PAUSE).await;
                continue;
            };
            // Kept here while it waits: a shutdown serves it too.
            self.waiting = Some(accepted);
            let place = self.place().await;
            if let Some((stream, peer)) = self.waiting.take() {
                self.workers.deal_out(stream, peer, place);
            }
        }
    }

    /// Lets nobody in any more, and waits until everybody who is in has been served.
    pub(crate) async fn finish(self) {
        let Self { listener, mut workers, places, places_max, waiting } = self;
        let mut queue = Vec::from_iter(waiting);
        take_queue(listener, &mut queue, places_max);
        for worker in &workers.senders {
            let _ = worker.send(Message::Stop);
        }
        for (stream, peer) in queue {
            if let Ok(place) = Arc::clone(&places).acquire_owned().await {
                workers.deal_out(stream, peer, place);
            }
        }
        let all = u32::try_from(places_max).unwrap_or(u32::MAX);
        let _ = places.acquire_many(all).await;
    }

    /// Waits for a place, and meanwhile has those closed that nobody uses.
    async fn place(&self) -> OwnedSemaphorePermit {
        if let Ok(place) = Arc::clone(&self.places).try_acquire_owned() {
            return place;
        }
        tokio::select! {
            biased;
            place = Arc::clone(&self.places).acquire_owned() => match place {
                Ok(place) => place,
                Err(_) => unreachable!("the semaphore is never closed"),
            },
            never = self.make_room() => match never {},
        }
    }

    /// Closes the longest idle connection, and another if that was not enough.
    async fn make_room(&self) -> Infallible {
        loop {
            let mut longest = None;
            for worker in &self.workers.senders {
                let (reply, since) = oneshot::channel();
                let _ = worker.send(Message::LongestIdle(reply));
                let Ok(Some(since)) = since.await else { continue };
                if longest.is_none_or(|(known, _)| since < known) {
                    longest = Some((since, worker));
                }
            }
            if let Some((_, worker)) = longest {
                let _ = worker.send(Message::CloseIdle);
            }
            tokio::time::sleep(IDLE_CHECKED_EVERY).await;
        }
    }
}

/// Accepts the connections that clients have made before, which may have sent a request on them; then
/// the listener is gone and more are refused.
fn take_queue(
    listener: TcpListener,
    queue: &mut Vec<(StdStream, SocketAddr)>,
    connections_max: usize,
) {
    let Ok(listener) = listener.into_std() else { return };
    while queue.len() < connections_max
        && let Ok((stream, peer)) = listener.accept()
    {
        if stream.set_nonblocking(true).is_ok() {
            queue.push((stream, peer));
        }
    }
}
