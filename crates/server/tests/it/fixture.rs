//! A server in this process with one table, and the polite request that must always be answered.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use monotable_engine::{CreateTable, Database, GetItem, PutItem, item};
use monotable_metrics::Page;
use monotable_server::{Config, Error, Limits, Refusal, Server, Site, SitePath, SiteReply, Upload};
use tokio::sync::oneshot;

use crate::client::{Answer, Client};

pub(crate) const LOOPBACK: &str = "127.0.0.1:0";

/// A running server. Its table `plain` has the string key `id` and an item `there`.
pub(crate) struct World {
    pub(crate) database: Database,
    pub(crate) address: SocketAddr,
    /// The address of the site, and the one for metrics.
    pub(crate) others: [Option<SocketAddr>; 2],
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Result<(), Error>>>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with_limits(Limits::default())
    }

    pub(crate) fn with_limits(limits: Limits) -> Self {
        Self::with_config(Config { limits, ..config() }, Database::memory())
    }

    pub(crate) fn with_config(config: Config, database: Database) -> Self {
        Self::with_site(config, database, None::<NoSite>)
    }

    pub(crate) fn with_site(
        config: Config,
        database: Database,
        site: Option<impl Site + 'static>,
    ) -> Self {
        let table = CreateTable::new("plain").partition_key("id", "S").unwrap();
        database.create_table(table).unwrap();
        database.put_item(PutItem::new("plain", item! { "id" => "there", "n" => 7 })).unwrap();
        let mut server = Server::bind(config).unwrap();
        if let Some(site) = site {
            server = server.site(site);
        }
        let address = server.address();
        let others = [Some(server.site_address()), server.metrics_address()];
        let (stop, stopped) = oneshot::channel();
        let served = database.clone();
        let thread = std::thread::spawn(move || {
            server.run_until(served, async {
                let _ = stopped.await;
            })
        });
        Self { database, address, others, stop: Some(stop), thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> Client {
        Client::new(self.address)
    }

    /// A connection to the site's own address.
    pub(crate) fn connect_to_site(&self) -> Client {
        Client::new(self.others[0].unwrap())
    }

    /// A connection to the address for metrics.
    pub(crate) fn connect_to_metrics(&self) -> Client {
        Client::new(self.others[1].unwrap())
    }

    /// Asks on a connection of its own.
    #[track_caller]
    pub(crate) fn ask(&self, operation: &str, body: impl AsRef<[u8]>) -> Answer {
        let mut client = self.connect();
        client.send(request(operation, body));
        client.receive()
    }

    /// Somebody else is served as if nothing had happened.
    #[track_caller]
    pub(crate) fn assert_serves(&self) {
        let answer = self.ask("GetItem", GET_THERE);
        assert_eq!((answer.status, answer.text()), (200, THERE));
    }

    pub(crate) fn has(&self, id: &str) -> bool {
        let request = GetItem::new("plain", item! { "id" => id });
        self.database.get_item(request).unwrap().item.is_some()
    }

    /// Tells the server to stop, without waiting for it.
    pub(crate) fn tell_to_stop(&mut self) {
        let _ = self.stop.take().expect("not told before").send(());
    }

    /// Waits until the server is gone.
    pub(crate) fn wait(&mut self) {
        self.thread.take().expect("not waited for before").join().unwrap().unwrap();
    }
}

/// Nothing else is answered on the port.
enum NoSite {}

impl Site for NoSite {
    fn find(&self, _: &str) -> Option<SitePath> {
        match *self {}
    }

    fn call(&self, _: http::Request<Upload>) -> SiteReply {
        match *self {}
    }

    fn refuse(&self, _: &str, _: Refusal) -> SiteReply {
        match *self {}
    }

    fn write_metrics(&self, _: &mut Page) {
        match *self {}
    }
}

impl Drop for World {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Two threads, so that one that hangs is seen as a server that half works.
pub(crate) fn config() -> Config {
    Config { workers: 2, ..Config::new(LOOPBACK.parse().unwrap()) }
}

pub(crate) const GET_THERE: &str = r#"{"TableName":"plain","Key":{"id":{"S":"there"}}}"#;
pub(crate) const THERE: &str = r#"{"Item":{"id":{"S":"there"},"n":{"N":"7"}}}"#;

/// A request as AWS's SDKs send it.
pub(crate) fn request(operation: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    request_with(operation, "", body)
}

/// The same with more headers, each ended by a line end.
pub(crate) fn request_with(operation: &str, headers: &str, body: impl AsRef<[u8]>) -> Vec<u8> {
    let body = body.as_ref();
    let length = body.len();
    [head(operation, &format!("{headers}Content-Length: {length}\r\n")).as_bytes(), body].concat()
}

/// The head of a request, with the headers that say how long its body is.
pub(crate) fn head(operation: &str, headers: &str) -> String {
    format!(
        "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n\
         X-Amz-Target: DynamoDB_20120810.{operation}\r\n{headers}\r\n"
    )
}

/// A PutItem of `id` with something large in it.
pub(crate) fn put(id: &str, padding_bytes: usize) -> String {
    let padding = "x".repeat(padding_bytes);
    format!(r#"{{"TableName":"plain","Item":{{"id":{{"S":"{id}"}},"p":{{"S":"{padding}"}}}}}}"#)
}
