//! Accepts connections and distributes them among the workers, within the maximum number.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::TcpStream as StdStream;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use crate::access::{Peer, Serves};
use crate::error::Error;
use crate::server::Listener;
use crate::worker::Message;

/// The pause of the acceptor when the system has no free socket.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How often it looks for an idle connection to close while another one waits.
const IDLE_CHECKED_EVERY: Duration = Duration::from_millis(100);

/// Accepts connections.
pub(crate) struct Acceptor {
    listeners: Vec<(TcpListener, Serves)>,
    /// The listener that is polled first, which alternates: none can starve the others.
    turn: usize,
    workers: Workers,
    /// A permit for each connection that may be open.
    places: Arc<Semaphore>,
    places_max: usize,
    /// An accepted connection without a permit; further ones stay in the system's queue.
    waiting: Option<(StdStream, Peer)>,
}

/// The workers, which get connections in turn.
struct Workers {
    senders: Vec<UnboundedSender<Message>>,
    turn: usize,
}

impl Workers {
    fn deal_out(&mut self, stream: StdStream, peer: Peer, place: OwnedSemaphorePermit) {
        if let Some(worker) = self.senders.get(self.turn) {
            let _ = worker.send(Message::Serve(stream, peer, place));
        }
        self.turn = (self.turn + 1) % self.senders.len();
    }
}

impl Acceptor {
    pub(crate) fn new(
        listeners: Vec<Listener>,
        senders: Vec<UnboundedSender<Message>>,
        places_max: usize,
    ) -> Result<Self, Error> {
        let listener = |Listener { socket, serves, .. }: Listener| {
            Ok((TcpListener::from_std(socket).map_err(Error::Start)?, serves))
        };
        Ok(Self {
            listeners: listeners.into_iter().map(listener).collect::<Result<_, Error>>()?,
            turn: 0,
            workers: Workers { senders, turn: 0 },
            places: Arc::new(Semaphore::new(places_max)),
            places_max,
            waiting: None,
        })
    }

    /// Accepts until it is dropped.
    pub(crate) async fn run(&mut self) -> Infallible {
        loop {
            let Ok(accepted) = self.accept().await else {
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

    /// Returns the next connection to any of the addresses.
    async fn accept(&mut self) -> io::Result<(StdStream, Peer)> {
        self.turn = (self.turn + 1) % self.listeners.len();
        let (before, first) = self.listeners.split_at(self.turn);
        let (stream, peer) = poll_fn(|context| {
            for (listener, serves) in first.iter().chain(before) {
                if let Poll::Ready(accepted) = listener.poll_accept(context) {
                    let peer = |address| Peer { address, serves: *serves };
                    return Poll::Ready(accepted.map(|(stream, address)| (stream, peer(address))));
                }
            }
            Poll::Pending
        })
        .await?;
        Ok((stream.into_std()?, peer))
    }

    /// Accepts no more connections, and waits until all requests have been served.
    pub(crate) async fn finish(self) {
        let Self { listeners, mut workers, places, places_max, waiting, .. } = self;
        let mut queue = Vec::from_iter(waiting);
        for (listener, serves) in listeners {
            take_queue(listener, serves, &mut queue, places_max);
        }
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

    /// Waits for a permit, and closes idle connections meanwhile.
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

    /// Closes the longest idle connection, and more if that was not enough.
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

/// Accepts the connections in the system's queue, which may contain requests; then the listener is
/// closed and further ones are refused.
fn take_queue(
    listener: TcpListener,
    serves: Serves,
    queue: &mut Vec<(StdStream, Peer)>,
    connections_max: usize,
) {
    let Ok(listener) = listener.into_std() else { return };
    while queue.len() < connections_max
        && let Ok((stream, address)) = listener.accept()
    {
        if stream.set_nonblocking(true).is_ok() {
            queue.push((stream, Peer { address, serves }));
        }
    }
}
