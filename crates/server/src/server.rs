//! The acceptor: takes connections, deals them out to the workers, and ends in good order.

use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use monotable_engine::Database;
use monotable_wire::Endpoint;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::config::Config;
use crate::error::Error;
use crate::limits::open_files_max;
use crate::maintenance::Maintenance;
use crate::metrics::Metrics;
use crate::worker::{self, Message, Shared};

/// How long the acceptor pauses when the system has no socket for it.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A server that listens, but does not answer before [`Server::run_until`].
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    config: Config,
}

/// A worker that runs until its sender is gone.
struct StartedWorker {
    sender: UnboundedSender<Message>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Takes the address.
    ///
    /// # Errors
    /// The address is in use or not ours, or is not the loopback while no credentials protect it.
    pub fn bind(mut config: Config) -> Result<Self, Error> {
        config.check()?;
        config.limits = config.limits.within_open_files(open_files_max());
        let listen = config.listen;
        let cannot = |reason| Error::Listen { address: listen, reason };
        let listener = TcpListener::bind(listen).map_err(cannot)?;
        listener.set_nonblocking(true).map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        Ok(Self { listener, address, config })
    }

    /// The address that was taken.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves a database until `stop` is ready, then finishes the requests that were accepted.
    pub fn run_until(
        self,
        database: Database,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        let Self { listener, config, .. } = self;
        let shared = Arc::new(Shared {
            endpoint: Endpoint::new(database.clone()),
            metrics: Metrics::new(config.workers.max(1)),
            body_bytes: Arc::new(Semaphore::new(config.limits.bodies_bytes_max)),
            database,
            config,
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Start)?;
        let maintenance = Maintenance::start(shared.database.clone()).map_err(Error::Start)?;
        let workers = start_workers(&shared)?;
        let limits = shared.config.limits.clone();
        let connections = Arc::new(Semaphore::new(limits.connections_max));
        let senders: Vec<_> = workers.iter().map(|worker| worker.sender.clone()).collect();
        runtime.block_on(async {
            let accepting = accept(listener, &senders, &connections);
            tokio::select! {
                result = accepting => result,
                () = stop => Ok(()),
            }?;
            for sender in &senders {
                let _ = sender.send(Message::Stop);
            }
            let all = u32::try_from(limits.connections_max).unwrap_or(u32::MAX);
            // Whoever does not finish in time is cut off.
            let _ =
                tokio::time::timeout(limits.shutdown_timeout, connections.acquire_many(all)).await;
            Ok(())
        })?;
        drop(senders);
        for StartedWorker { sender, thread } in workers {
            drop(sender);
            let _ = thread.join();
        }
        maintenance.stop();
        Ok(())
    }
}

fn start_workers(shared: &Arc<Shared>) -> Result<Vec<StartedWorker>, Error> {
    (0..shared.config.workers.max(1))
        .map(|index| {
            let (sender, messages) = unbounded_channel();
            let shared = Arc::clone(shared);
            let thread = std::thread::Builder::new()
                .name(format!("monotable-serve-{index}"))
                .spawn(move || {
                    if let Err(error) = worker::run(shared, index, messages) {
                        eprintln!("a worker can't start: {error}");
                    }
                })
                .map_err(Error::Start)?;
            Ok(StartedWorker { sender, thread })
        })
        .collect()
}

async fn accept(
    listener: TcpListener,
    workers: &[UnboundedSender<Message>],
    connections: &Arc<Semaphore>,
) -> Result<(), Error> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(Error::Start)?;
    let mut turns = workers.iter().cycle();
    loop {
        // The permit comes first: a connection beyond the limit stays in the system's queue.
        let Ok(permit) = Arc::clone(connections).acquire_owned().await else {
            return Ok(());
        };
        let accepted = match listener.accept().await {
            Ok((stream, peer)) => stream.into_std().map(|stream| (stream, peer)),
            Err(error) => Err(error),
        };
        match (accepted, turns.next()) {
            (Ok((stream, peer)), Some(worker)) => {
                let _ = worker.send(Message::Serve(stream, peer, permit));
            }
            _ => tokio::time::sleep(ACCEPT_PAUSE).await,
        }
    }
}
