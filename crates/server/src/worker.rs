//! One thread of the server: its own runtime, its own connections, its own figures.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::net::{SocketAddr, TcpStream as StdStream};
use std::rc::Rc;
use std::sync::Arc;

use monotable_engine::Database;
use monotable_wire::Endpoint;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{AbortHandle, LocalSet, spawn_local};

use crate::backlog::Backlog;
use crate::buffers::Pool;
use crate::clock::DateText;
use crate::config::Config;
use crate::connection::Connection;
use crate::limits::Limits;
use crate::metrics::{Metrics, WorkerMetrics};
use crate::request_id::RequestIds;

/// What all workers share; nothing in it is locked by a request.
pub(crate) struct Shared {
    pub(crate) config: Config,
    pub(crate) database: Database,
    pub(crate) endpoint: Endpoint,
    pub(crate) metrics: Metrics,
    /// The memory for large bodies, a permit a byte.
    pub(crate) body_bytes: Arc<Semaphore>,
}

/// What the acceptor tells a worker.
pub(crate) enum Message {
    /// Serve this connection; it counts as open until the permit is dropped.
    Serve(StdStream, SocketAddr, OwnedSemaphorePermit),
    /// Finish what was begun, take nothing more.
    Stop,
}

/// The state of one worker.
pub(crate) struct Worker {
    shared: Arc<Shared>,
    index: usize,
    pool: Pool,
    pub(crate) backlog: Backlog,
    pub(crate) request_ids: RequestIds,
    pub(crate) date: DateText,
    stopping: Cell<bool>,
    connections: RefCell<HashMap<u64, Open>>,
}

/// An open connection.
struct Open {
    task: AbortHandle,
    busy: Rc<Cell<bool>>,
}

impl Worker {
    fn new(shared: Arc<Shared>, index: usize) -> Self {
        Self {
            shared,
            index,
            pool: Pool::default(),
            backlog: Backlog::default(),
            request_ids: RequestIds::new(),
            date: DateText::default(),
            stopping: Cell::new(false),
            connections: RefCell::default(),
        }
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.config.limits
    }

    /// This worker's part of the responses that may be unread.
    pub(crate) fn unread_bytes_max(&self) -> usize {
        self.limits().unread_bytes_max / self.shared.config.workers.max(1)
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

    /// Waits for a share of the memory for large bodies.
    pub(crate) async fn body_share(&self, bytes: usize) -> OwnedSemaphorePermit {
        let permits = u32::try_from(bytes).unwrap_or(u32::MAX);
        match Arc::clone(&self.shared.body_bytes).acquire_many_owned(permits).await {
            Ok(permit) => permit,
            Err(_) => unreachable!("the semaphore is never closed"),
        }
    }

    fn serve(
        self: &Rc<Self>,
        id: u64,
        stream: StdStream,
        peer: SocketAddr,
        permit: OwnedSemaphorePermit,
    ) {
        // A socket that can't be registered is dropped, which closes it.
        let Ok(stream) = tokio::net::TcpStream::from_std(stream) else {
            return;
        };
        let busy = Rc::new(Cell::new(false));
        let connection = Connection::new(stream, peer, Rc::clone(self), Rc::clone(&busy));
        let worker = Rc::clone(self);
        let task = spawn_local(async move {
            connection.serve().await;
            worker.connections.borrow_mut().remove(&id);
            drop(permit);
        });
        self.connections.borrow_mut().insert(id, Open { task: task.abort_handle(), busy });
    }

    /// Ends the connections that wait for a request; the others end after their response.
    fn stop(&self) {
        self.stopping.set(true);
        self.connections.borrow_mut().retain(|_, open| {
            if !open.busy.get() {
                open.task.abort();
            }
            open.busy.get()
        });
    }
}

/// Runs a worker until the acceptor is gone.
pub(crate) fn run(
    shared: Arc<Shared>,
    index: usize,
    mut messages: UnboundedReceiver<Message>,
) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    LocalSet::new().block_on(&runtime, async move {
        let worker = Rc::new(Worker::new(shared, index));
        let mut id = 0;
        while let Some(message) = messages.recv().await {
            match message {
                Message::Serve(stream, peer, permit) => {
                    worker.serve(id, stream, peer, permit);
                    id += 1;
                }
                Message::Stop => worker.stop(),
            }
        }
    });
    Ok(())
}
