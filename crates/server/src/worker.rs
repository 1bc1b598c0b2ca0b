//! One thread of the server: its own runtime, its own connections, its own metrics.

use std::cell::Cell;
use std::net::TcpStream as StdStream;
use std::rc::Rc;
use std::sync::Arc;

use monotable_engine::Database;
use monotable_metrics::Page;
use monotable_wire::Endpoint;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::task::{LocalSet, spawn_local};
use tokio::time::Instant;

use crate::access::Peer;
use crate::backlog::Backlog;
use crate::body_memory::BodyMemory;
use crate::buffers::Pool;
use crate::clock::DateText;
use crate::config::Config;
use crate::connection::Connection;
use crate::limits::Limits;
use crate::metrics::{self, Metrics, WorkerMetrics};
use crate::places::Places;
use crate::request_id::RequestIds;
use crate::site::Site;

/// The state that all workers share; requests lock nothing in it, unless memory is short.
pub(crate) struct Shared {
    pub(crate) config: Config,
    /// The database, unless a site is served alone.
    pub(crate) storage: Option<Storage>,
    pub(crate) site: Option<Arc<dyn Site>>,
    pub(crate) metrics: Metrics,
    pub(crate) body_memory: BodyMemory,
    pub(crate) backlog: Backlog,
}

impl Shared {
    /// Returns all metrics of the server and its site.
    pub(crate) fn metrics_page(&self) -> Page {
        let mut page = Page::default();
        metrics::write(&mut page, self);
        if let Some(site) = &self.site {
            site.write_metrics(&mut page);
        }
        page
    }
}

/// A database behind DynamoDB's API.
pub(crate) struct Storage {
    pub(crate) database: Database,
    pub(crate) endpoint: Endpoint,
}

impl Storage {
    pub(crate) fn new(endpoint: Endpoint) -> Self {
        Self { database: endpoint.database().clone(), endpoint }
    }
}

/// A message from the acceptor to a worker.
pub(crate) enum Message {
    /// Serve this connection; it counts as open until the permit is dropped.
    Serve(StdStream, Peer, OwnedSemaphorePermit),
    /// Return since when the longest idle connection has been idle.
    LongestIdle(oneshot::Sender<Option<Instant>>),
    /// Close the longest idle connection.
    CloseIdle,
    /// Respond to what has arrived, and wait for nothing more.
    Stop,
}

/// The state of one worker.
pub(crate) struct Worker {
    shared: Arc<Shared>,
    index: usize,
    pool: Pool,
    places: Places,
    pub(crate) request_ids: RequestIds,
    pub(crate) date: DateText,
    stopping: Cell<bool>,
}

impl Worker {
    fn new(shared: Arc<Shared>, index: usize) -> Self {
        Self {
            shared,
            index,
            pool: Pool::default(),
            places: Places::default(),
            request_ids: RequestIds::new(),
            date: DateText::default(),
            stopping: Cell::new(false),
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.config.limits
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.shared
    }

    pub(crate) fn metrics(&self) -> &WorkerMetrics {
        self.shared.metrics.worker(self.index)
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.pool
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.stopping.get()
    }

    fn serve(self: &Rc<Self>, stream: StdStream, peer: Peer, permit: OwnedSemaphorePermit) {
        // A socket that can't be registered is dropped, which closes it.
        let Ok(stream) = tokio::net::TcpStream::from_std(stream) else {
            return;
        };
        let (id, place) = self.places.take();
        let connection = Connection::new(stream, peer, Rc::clone(self), place);
        let worker = Rc::clone(self);
        self.metrics().count_connection();
        spawn_local(async move {
            connection.serve().await;
            worker.places.give_back(id);
            worker.metrics().count_connection_end();
            drop(permit);
        });
    }

    /// Closes idle connections; the others end after their response.
    fn stop(&self) {
        self.stopping.set(true);
        self.places.wake_all();
    }
}

/// Runs a worker until the acceptor is dropped.
pub(crate) fn run(
    shared: Arc<Shared>,
    index: usize,
    mut messages: UnboundedReceiver<Message>,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async move {
        let worker = Rc::new(Worker::new(shared, index));
        while let Some(message) = messages.recv().await {
            match message {
                Message::Serve(stream, peer, permit) => worker.serve(stream, peer, permit),
                Message::LongestIdle(reply) => {
                    let _ = reply.send(worker.places.longest_idle_since(Instant::now()));
                }
                Message::CloseIdle => worker.places.free_one(Instant::now()),
                Message::Stop => worker.stop(),
            }
        }
    });
    Ok(())
}
