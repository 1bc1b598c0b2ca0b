//! The server from its start to its end: address, workers, and who is waited for.

use std::future::Future;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;

use monotable_engine::Database;
use monotable_wire::Endpoint;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::acceptor::Acceptor;
use crate::access::Serves;
use crate::backlog::Backlog;
use crate::body_memory::BodyMemory;
use crate::config::Config;
use crate::error::Error;
use crate::limits::open_files_max;
use crate::maintenance::Maintenance;
use crate::metrics::Metrics;
use crate::secure::TlsAcceptor;
use crate::site::Site;
use crate::worker::{self, Message, Shared};

/// Connections that the system keeps until they are accepted.
const ACCEPT_QUEUE_MAX: i32 = 4_096;

/// A server that listens, but does not answer before [`Server::run_until`].
pub struct Server {
    listeners: Vec<Listener>,
    config: Config,
    site: Option<Arc<dyn Site>>,
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
        // once is made to wait seconds for some of them.
        rustix::net::listen(&socket, ACCEPT_QUEUE_MAX).map_err(|reason| cannot(reason.into()))?;
        socket.set_nonblocking(true).map_err(cannot)?;
        let address = socket.local_addr().map_err(cannot)?;
        Ok(Self { socket, serves, address })
    }
}

/// A worker that runs until its sender is gone.
struct StartedWorker {
    sender: UnboundedSender<Message>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Takes the addresses.
    ///
    /// # Errors
    /// An address is in use or not ours, or the database's is not the loopback while nothing protects it.
    pub fn bind(mut config: Config) -> Result<Self, Error> {
        config.check()?;
        let open_files_max = open_files_max(config.limits.open_files_wanted());
        config.limits = config.limits.within_open_files(open_files_max);
        let listeners =
            config.addresses().map(|(listen, serves, flag)| Listener::bind(listen, serves, flag));
        Ok(Self { listeners: listeners.collect::<Result<_, _>>()?, config, site: None })
    }

    /// The address of the database.
    pub fn address(&self) -> SocketAddr {
        self.listeners[0].address
    }

    /// The address of the site: its own, or that of the database.
    pub fn site_address(&self) -> SocketAddr {
        self.address_of(Serves::Site).unwrap_or_else(|| self.address())
    }

    /// The beginning of the URLs of all addresses: `https` with TLS.
    pub fn scheme(&self) -> &'static str {
        if self.config.tls.is_some() { "https" } else { "http" }
    }

    /// The address for metrics, if they have one.
    pub fn metrics_address(&self) -> Option<SocketAddr> {
        self.address_of(Serves::Metrics)
    }

    fn address_of(&self, serves: Serves) -> Option<SocketAddr> {
        let listener = self.listeners.iter().find(|listener| listener.serves == serves);
        listener.map(|listener| listener.address)
    }

    /// Secures the connections of all addresses.
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

    /// Serves a database until `stop` is ready, then finishes the requests that were accepted.
    pub fn run_until(
        self,
        database: Database,
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        let Self { listeners, config, site } = self;
        let workers = config.workers.max(1);
        let shared = Arc::new(Shared {
            endpoint: Endpoint::new(database.clone()),
            metrics: Metrics::new(workers),
            body_memory: BodyMemory::new(&config.limits),
            backlog: Backlog::new(config.limits.unread_bytes_max, workers),
            database,
            site,
            config,
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(Error::Start)?;
        let maintenance = Maintenance::start(shared.database.clone()).map_err(Error::Start)?;
        let workers = start_workers(&shared)?;
        let limits = &shared.config.limits;
        let senders = workers.iter().map(|worker| worker.sender.clone()).collect();
        runtime.block_on(async {
            let mut acceptor = Acceptor::new(listeners, senders, limits.connections_max)?;
            tokio::select! {
                never = acceptor.run() => match never {},
                () = stop => {}
            }
            // Whoever does not finish in time is cut off.
            let _ = tokio::time::timeout(limits.shutdown_timeout, acceptor.finish()).await;
            Ok(())
        })?;
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
