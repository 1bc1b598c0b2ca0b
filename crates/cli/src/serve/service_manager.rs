//! systemd: reports that the server is ready, alive, or stopping.
//!
//! The protocol is that of `sd_notify`: datagrams to the socket in the environment. Without one
//! nothing happens.

use std::ffi::OsStr;
use std::io;
use std::os::unix::net::{SocketAddr, UnixDatagram};
use std::time::Duration;

/// The service manager that has started this server.
pub(super) struct ServiceManager {
    socket: UnixDatagram,
    /// How often it expects a keep-alive.
    watchdog: Option<Duration>,
}

impl ServiceManager {
    /// Connects to the service manager, if there is one.
    pub(super) fn of_environment() -> Option<Self> {
        let name = std::env::var_os("NOTIFY_SOCKET")?;
        let connected = address(&name).and_then(|address| {
            let socket = UnixDatagram::unbound()?;
            socket.connect_addr(&address)?;
            Ok(socket)
        });
        match connected {
            Ok(socket) => Some(Self { socket, watchdog: watchdog() }),
            Err(error) => {
                log::warn!("NOTIFY_SOCKET can't be used: {error}");
                None
            }
        }
    }

    /// Reports that requests are served.
    pub(super) fn ready(&self) {
        self.send("READY=1");
    }

    /// Reports that no more requests are accepted.
    pub(super) fn stopping(&self) {
        self.send("STOPPING=1");
    }

    /// Sends keep-alives as long as it is awaited, twice as often as they are expected.
    pub(super) async fn live(&self) {
        let Some(watchdog) = self.watchdog else { return std::future::pending().await };
        let mut ticks = tokio::time::interval(watchdog / 2);
        loop {
            ticks.tick().await;
            self.send("WATCHDOG=1");
        }
    }

    /// Sends a state without waiting.
    fn send(&self, state: &str) {
        let _ = self.socket.send(state.as_bytes());
    }
}

/// Returns the address of a socket: a path, or a name in Linux's abstract namespace, which is
/// written with an `@`.
fn address(name: &OsStr) -> io::Result<SocketAddr> {
    #[cfg(target_os = "linux")]
    if let Some(abstract_name) = name.as_encoded_bytes().strip_prefix(b"@") {
        use std::os::linux::net::SocketAddrExt as _;
        return SocketAddr::from_abstract_name(abstract_name);
    }
    SocketAddr::from_pathname(name)
}

/// Returns how often the service manager expects a keep-alive of this process, if it does.
fn watchdog() -> Option<Duration> {
    let variable = |name: &str| std::env::var(name).ok();
    let is_ours = variable("WATCHDOG_PID").is_none_or(|id| id == std::process::id().to_string());
    let micros: u64 = variable("WATCHDOG_USEC")?.parse().ok()?;
    Some(Duration::from_micros(micros)).filter(|time| is_ours && !time.is_zero())
}
