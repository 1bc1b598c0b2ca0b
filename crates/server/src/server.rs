//! The server from start to end: addresses, workers, shutdown.

use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use monotable_engine::Database;
use monotable_metrics::Page;
use monotable_wire::Endpoint;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::acceptor::Acceptor;
use crate::access::Serves;
use crate::backlog::Backlog;
use crate::body_memory::BodyMemory;
use crate::config::Config;
use crate::error::Error;
use crate::limits::open_files_max;
use crate::maintenance;
use crate::metrics::Metrics;
use crate::repeating::Repeating;
use crate::secure::TlsAcceptor;
use crate::site::Site;
use crate::worker::{self, Message, Shared, Storage};

/// Connections that the system queues until they are accepted.
const ACCEPT_QUEUE_MAX: i32 = 4_096;

/// A server that listens, but does not respond before [`Server::run_until`].
pub struct Server {
    listeners: Vec<Listener>,
    config: Config,
    site: Option<Arc<dyn Site>>,
    watch: Option<Watch>,
}

/// A function that reads the metrics regularly.
struct Watch {
    every: Duration,
    look: Box<dyn FnMut(&Page) + Send>,
}

/// A socket that listens.
pub(crate) struct Listener {
    pub(crate) socket: TcpListener,
    pub(crate) serves: Serves,
    address: SocketAddr,
}

impl Listener {
    fn bind(listen: SocketAddr, serves: Serves, flag: &'static str) -> Result<Self, Error> {
        let cannot = |reason| Error::Listen { address: listen, flag, reason };
        let socket = TcpListener::bind(listen).map_err(cannot)?;
        // The standard library's queue is so short that a client which opens all its connections at
        // once has to wait seconds for some of them.
        rustix::net::listen(&socket, ACCEPT_QUEUE_MAX).map_err(|reason| cannot(reason.into()))?;
        socket.set_nonblocking(true).map_err(cannot)?;
        let address = socket.local_addr().map_err(cannot)?;
        Ok(Self { socket, serves, address })
    }
}

/// A worker that runs until its sender is dropped.
struct StartedWorker {
    sender: UnboundedSender<Message>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Binds the addresses.
    ///
    /// # Errors
    /// Fails if an address is in use or not available, or if an unprotected database would be
    /// reachable from other machines.
    pub fn bind(mut config: Config) -> Result<Self, Error> {
        config.check()?;
        let open_files_max = open_files_max(config.limits.open_files_wanted());
        config.limits = config.limits.within_open_files(open_files_max);
        let listeners =
            config.addresses().map(|(listen, serves, flag)| Listener::bind(listen, serves, flag));
        Ok(Self {
            listeners: listeners.collect::<Result<_, _>>()?,
            config,
            site: None,
            watch: None,
        })
    }

    /// Returns the address of the database.
    pub fn address(&self) -> SocketAddr {
        self.listeners[0].address
    }

    /// Returns the address of the site: its own, or that of the database.
    pub fn site_address(&self) -> SocketAddr {
        self.address_of(Serves::Site).unwrap_or_else(|| self.address())
    }

    /// Returns the scheme of all URLs: `https` with TLS.
    pub fn scheme(&self) -> &'static str {
        if self.config.tls.is_some() { "https" } else { "http" }
    }

    /// Returns the address for metrics, if they have one.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.address_of(Serves::Metrics)
    }

    fn address_of(&self, serves: Serves) -> Option<SocketAddr> {
        let listener = self.listeners.iter().find(|listener| listener.serves == serves);
        listener.map(|listener| listener.address)
    }

    /// Encrypts the connections of all addresses.
    #[must_use]
    pub fn tls(mut self, acceptor: Arc<dyn TlsAcceptor>) -> Self {
        self.config.tls = Some(acceptor);
        self
    }

    /// Serves a site, too.
    #[must_use]
    pub fn site(mut self, site: impl Site + 'static) -> Self {
        self.site = Some(Arc::new(site));
        self
    }

    /// Passes all metrics to a function regularly, while the server runs.
    #[must_use]
    pub fn watch(mut self, every: Duration, look: impl FnMut(&Page) + Send + 'static) -> Self {
        self.watch = Some(Watch { every, look: Box::new(look) });
        self
    }

    /// Serves a database until `stop` is ready, then finishes the requests that were accepted.
    pub fn run_until(
        self,
        database: Database,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        self.run(Some(Endpoint::new(database)), stop)
    }

    /// Serves the database of an endpoint until `stop` is ready, with all operations that the endpoint has.
    pub fn run_endpoint_until(
        self,
        endpoint: Endpoint,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        self.run(Some(endpoint), stop)
    }

    /// Serves the site alone until `stop` is ready, then finishes the requests that were accepted.
    /// DynamoDB's API is not available.
    pub fn run_site_until(self, stop: impl Future<Output = ()>) -> Result<(), Error> {
        self.run(None, stop)
    }

    fn run(self, endpoint: Option<Endpoint>, stop: impl Future<Output = ()>) -> Result<(), Error> {
        let Self { listeners, config, site, watch } = self;
        let workers = config.workers.max(1);
        let database = endpoint.as_ref().map(|endpoint| endpoint.database().clone());
        let mut regular: Vec<Repeating> = Vec::new();
        if let Some(database) = database {
            regular.push(maintenance::start(database).map_err(Error::Start)?);
        }
        let shared = Arc::new(Shared {
            metrics: Metrics::new(workers),
            body_memory: BodyMemory::new(&config.limits),
            backlog: Backlog::new(config.limits.unread_bytes_max, workers),
            storage: endpoint.map(Storage::new),
            site,
            config,
        });
        if let Some(Watch { every, mut look }) = watch {
            let shared = Arc::clone(&shared);
            let looking = move || look(&shared.metrics_page());
            let repeating = Repeating::start("monotable-watch", every, looking);
            regular.push(repeating.map_err(Error::Start)?);
        }
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Start)?;
        let workers = start_workers(&shared)?;
        let limits = &shared.config.limits;
        let senders = workers.iter().map(|worker| worker.sender.clone()).collect();
        runtime.block_on(async {
            let mut acceptor = Acceptor::new(listeners, senders, limits.connections_max)?;
            tokio::select! {
                never = acceptor.run() => match never {},
                () = stop => {}
            }
            // Unfinished requests are cut off.
            let _ = tokio::time::timeout(limits.shutdown_timeout, acceptor.finish()).await;
            Ok(())
        })?;
        for StartedWorker { sender, thread } in workers {
            drop(sender);
            let _ = thread.join();
        }
        regular.into_iter().for_each(Repeating::stop);
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
                        log::error!("a worker can't start: {error}");
                    }
                })
                .map_err(Error::Start)?;
            Ok(StartedWorker { sender, thread })
        })
        .collect()
}
