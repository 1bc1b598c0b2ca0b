//! Connections through TLS: on every address, with the certificate that was read last, within the limits.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use monotable_engine::Database;
use monotable_server::{Config, Limits, Tls, TlsError};
use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, StreamOwned, SupportedProtocolVersion,
};
use tempfile::TempDir;
use tokio::sync::mpsc;

use crate::client::{Client, PATIENCE};
use crate::fixture::{GET_THERE, THERE, World, config, put, request};
use crate::site::echo;

/// A certificate for localhost, and its key, in files.
struct Certificate {
    directory: TempDir,
}

impl Certificate {
    fn new() -> Self {
        Self::with(|_| ())
    }

    fn with(change: impl FnOnce(&mut CertificateParams)) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let made = Self { directory };
        made.renew(change);
        made
    }

    /// Replaces the files.
    fn renew(&self, change: impl FnOnce(&mut CertificateParams)) {
        let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
        let mut params = CertificateParams::new(names).unwrap();
        change(&mut params);
        let key = KeyPair::generate().unwrap();
        fs::write(self.key(), key.serialize_pem()).unwrap();
        fs::write(self.certificate(), params.self_signed(&key).unwrap().pem()).unwrap();
    }

    fn certificate(&self) -> PathBuf {
        self.directory.path().join("certificate.pem")
    }

    fn key(&self) -> PathBuf {
        self.directory.path().join("key.pem")
    }

    fn tls(&self) -> Tls {
        Tls::read(&self.certificate(), &self.key()).unwrap()
    }

    fn der(&self) -> CertificateDer<'static> {
        CertificateDer::from_pem_file(self.certificate()).unwrap()
    }
}

fn config_with(tls: &Tls) -> Config {
    Config { tls: Some(Arc::new(tls.clone())), ..config() }
}

fn world(tls: &Tls, limits: Limits) -> World {
    World::with_config(Config { limits, ..config_with(tls) }, Database::memory())
}

type Secure = StreamOwned<ClientConnection, TcpStream>;

fn client_config(
    trusted: impl IntoIterator<Item = CertificateDer<'static>>,
    versions: &[&'static SupportedProtocolVersion],
) -> Arc<ClientConfig> {
    let mut roots = RootCertStore::empty();
    for certificate in trusted {
        roots.add(certificate).unwrap();
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_protocol_versions(versions);
    Arc::new(config.unwrap().with_root_certificates(roots).with_no_client_auth())
}

fn socket(address: SocketAddr) -> TcpStream {
    let socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(PATIENCE)).unwrap();
    socket.set_write_timeout(Some(PATIENCE)).unwrap();
    socket
}

/// Connects, and shakes hands.
fn shake_hands(config: &Arc<ClientConfig>, address: SocketAddr) -> std::io::Result<Secure> {
    let name = ServerName::try_from("localhost").unwrap();
    let mut connection = ClientConnection::new(Arc::clone(config), name).unwrap();
    let mut socket = socket(address);
    while connection.is_handshaking() {
        connection.complete_io(&mut socket)?;
    }
    Ok(StreamOwned::new(connection, socket))
}

fn connect(certificate: &Certificate, address: SocketAddr) -> Client<Secure> {
    let config = client_config([certificate.der()], rustls::ALL_VERSIONS);
    Client::over(shake_hands(&config, address).unwrap())
}

#[track_caller]
fn assert_serves(client: &mut Client<Secure>) {
    client.send(request("GetItem", GET_THERE));
    let answer = client.receive();
    assert_eq!((answer.status, answer.text()), (200, THERE));
}

#[test]
fn every_address_speaks_tls() {
    let certificate = Certificate::new();
    let any = Some("127.0.0.1:0".parse().unwrap());
    let config =
        Config { site_listen: any, metrics_listen: any, ..config_with(&certificate.tls()) };
    let world = World::with_site(config, Database::memory(), Some(echo(Vec::new())));
    assert_serves(&mut connect(&certificate, world.address));
    let [site, metrics] = world.others.map(Option::unwrap);
    let mut client = connect(&certificate, site);
    for path in ["/echo/1", "/echo/scheme"] {
        client.send(format!("GET {path} HTTP/1.1\r\n\r\n"));
        let answer = client.receive();
        assert_eq!(answer.status, 201);
        assert_eq!(answer.text() == "https", path == "/echo/scheme", "{}", answer.text());
    }
    let mut client = connect(&certificate, metrics);
    client.send("GET /metrics HTTP/1.1\r\n\r\n");
    assert_eq!(client.receive().status, 200);
}

#[test]
fn both_versions_carry_large_requests_and_responses() {
    let certificate = Certificate::new();
    let world = world(&certificate.tls(), Limits::default());
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let config = client_config([certificate.der()], &[version]);
        let mut client = Client::over(shake_hands(&config, world.address).unwrap());
        for number in 0..9 {
            client.send(request("PutItem", put(&format!("large{number}"), 300_000)));
            assert_eq!(client.receive().status, 200);
        }
        client.send(request("Scan", r#"{"TableName":"plain"}"#));
        let answer = client.receive();
        assert_eq!(answer.status, 200);
        assert!(answer.body.len() > 900_000, "{}", answer.body.len());
        // Requests that arrive together are answered one after the other.
        client.send([request("GetItem", GET_THERE), request("GetItem", GET_THERE)].concat());
        assert_eq!([client.receive().text(), client.receive().text()], [THERE, THERE]);
    }
}

#[test]
fn a_request_in_the_clear_is_refused_with_advice() {
    let certificate = Certificate::new();
    let world = world(&certificate.tls(), Limits::default());
    let mut client = world.connect();
    client.send(request("GetItem", GET_THERE));
    let answer = client.receive();
    assert_eq!(answer.status, 400);
    let advice = r#"{"message":"This address speaks HTTPS only; begin its URL with https://."}"#;
    assert_eq!(answer.text(), advice);
    client.finish();
    client.expect_end();
    assert_serves(&mut connect(&certificate, world.address));
}

/// A ClientHello of version 1.2 or before: ECDHE-ECDSA-AES128-GCM-SHA256 on X25519.
fn client_hello(version: [u8; 2]) -> Vec<u8> {
    const EXTENSIONS: [u8; 24] =
        [0, 22, 0, 10, 0, 4, 0, 2, 0, 0x1d, 0, 11, 0, 2, 1, 0, 0, 13, 0, 4, 0, 2, 4, 3];
    let suites = [0, 2, 0xc0, 0x2b];
    let body = [&version[..], &[7; 32], &[0], &suites, &[1, 0], &EXTENSIONS].concat();
    let handshake = [&[1, 0, 0, body.len() as u8][..], &body].concat();
    [&[22, 3, 1, 0, handshake.len() as u8][..], &handshake].concat()
}

#[test]
fn versions_before_1_2_are_refused() {
    let certificate = Certificate::new();
    let world = world(&certificate.tls(), Limits::default());
    // A handshake goes on, or ends with an alert.
    for (version, record) in [([3, 0], 21), ([3, 1], 21), ([3, 2], 21), ([3, 3], 22)] {
        let mut socket = socket(world.address);
        socket.write_all(&client_hello(version)).unwrap();
        let mut first = [0];
        socket.read_exact(&mut first).unwrap();
        assert_eq!(first, [record], "{version:?}");
    }
    assert_serves(&mut connect(&certificate, world.address));
}

#[test]
fn a_client_that_trusts_another_certificate_does_not_connect() {
    let (certificate, other) = (Certificate::new(), Certificate::new());
    let world = world(&certificate.tls(), Limits::default());
    let config = client_config([other.der()], rustls::ALL_VERSIONS);
    let error = shake_hands(&config, world.address).err().unwrap();
    assert!(error.to_string().contains("invalid peer certificate"), "{error}");
    assert_serves(&mut connect(&certificate, world.address));
}

#[test]
fn handshakes_and_records_that_stop_halfway_are_cut_off() {
    let certificate = Certificate::new();
    let short = Duration::from_millis(300);
    let limits = Limits { head_timeout: short, idle_timeout: short, ..Limits::default() };
    let world = world(&certificate.tls(), limits);
    let hello = client_hello([3, 3]);
    for bytes in [&[][..], &hello[..1], &hello[..hello.len() - 1]] {
        let mut client = Client::over(socket(world.address));
        client.send(bytes);
        client.expect_end();
    }
    let mut client = connect(&certificate, world.address);
    assert_serves(&mut client);
    let mut secure = client.into_inner();
    // The beginning of a record that never comes.
    secure.sock.write_all(&[23, 3, 3, 1, 0, 1, 2, 3]).unwrap();
    assert!(matches!(secure.sock.read_to_end(&mut Vec::new()), Ok(_) | Err(_)));
    assert_serves(&mut connect(&certificate, world.address));
}

#[test]
fn handshakes_count_as_connections() {
    let certificate = Certificate::new();
    let limits = Limits { connections_max: 4, ..Limits::default() };
    let world = world(&certificate.tls(), limits);
    let waiting: Vec<TcpStream> = (0..16).map(|_| socket(world.address)).collect();
    // Those who say nothing make room for one who does.
    assert_serves(&mut connect(&certificate, world.address));
    drop(waiting);
}

#[test]
fn a_stream_through_tls_ends_when_the_client_leaves_or_the_server_stops() {
    let certificate = Certificate::new();
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..2).map(|_| mpsc::channel(1)).unzip();
    let config = config_with(&certificate.tls());
    let mut world = World::with_site(config, Database::memory(), Some(echo(receivers)));
    let open = |world: &World| {
        let mut client = connect(&certificate, world.address);
        client.send("GET /echo/stream HTTP/1.1\r\n\r\n");
        client.receive_head();
        client
    };
    let first = open(&world);
    let mut secure = first.into_inner();
    secure.conn.send_close_notify();
    secure.flush().unwrap();
    drop(secure);
    let left = async { senders[1].closed().await };
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(left);
    let mut second = open(&world);
    senders[0].blocking_send("news").unwrap();
    assert_eq!(second.read_up_to(64), b"4\r\nnews\r\n");
    world.tell_to_stop();
    assert_eq!(second.read_up_to(64), b"0\r\n\r\n");
    second.expect_end();
    world.wait();
}

#[test]
fn a_certificate_is_replaced_while_clients_connect() {
    let certificate = Certificate::new();
    let old = certificate.der();
    let tls = certificate.tls();
    let world = world(&tls, Limits::default());
    let mut kept = connect(&certificate, world.address);
    assert_serves(&mut kept);
    certificate.renew(|_| ());
    let new = certificate.der();
    let both = client_config([old.clone(), new.clone()], rustls::ALL_VERSIONS);
    let (is_done, count) = (AtomicBool::new(false), AtomicUsize::new(0));
    let seen = std::thread::scope(|scope| {
        let load = scope.spawn(|| {
            let mut seen = Vec::new();
            loop {
                let last = is_done.load(Ordering::Relaxed);
                let mut client = shake_hands(&both, world.address).unwrap();
                let shown = client.conn.peer_certificates().unwrap()[0].clone();
                client.write_all(&request("GetItem", GET_THERE)).unwrap();
                assert_serves_on(client);
                seen.push(shown.into_owned());
                count.fetch_add(1, Ordering::Relaxed);
                if last {
                    return seen;
                }
            }
        });
        while count.load(Ordering::Relaxed) < 3 {
            std::thread::yield_now();
        }
        tls.reload(&certificate.certificate(), &certificate.key()).unwrap();
        is_done.store(true, Ordering::Relaxed);
        load.join().unwrap()
    });
    assert_eq!((seen.first(), seen.last()), (Some(&old), Some(&new)));
    assert!(seen.is_sorted_by_key(|shown| *shown == new));
    // Who was connected before goes on.
    assert_serves(&mut kept);
    // A pair that does not fit changes nothing.
    fs::write(certificate.key(), KeyPair::generate().unwrap().serialize_pem()).unwrap();
    let error = tls.reload(&certificate.certificate(), &certificate.key()).unwrap_err();
    assert!(matches!(error, TlsError::Mismatch { .. }), "{error}");
    assert_serves(&mut connect(&certificate, world.address));
}

/// The response to a GetItem that was sent.
fn assert_serves_on(client: Secure) {
    assert_eq!(Client::over(client).receive().text(), THERE);
}

#[track_caller]
fn refused(certificate: &Path, key: &Path, expected: &str) {
    let error = Tls::read(certificate, key).err().unwrap().to_string();
    assert!(error.contains(expected), "{error}");
}

#[test]
fn certificates_that_clients_would_refuse_are_refused_first() {
    let day = Duration::from_secs(24 * 60 * 60);
    let now = std::time::SystemTime::now();
    let good = Certificate::new();
    let expired = Certificate::with(|params| {
        params.not_before = (now - 9 * day).into();
        params.not_after = (now - 2 * day).into();
    });
    refused(&expired.certificate(), &expired.key(), "certificate.pem expired on ");
    let early = Certificate::with(|params| params.not_before = (now + 2 * day).into());
    refused(&early.certificate(), &early.key(), "certificate.pem is valid from ");
    refused(&good.certificate(), &early.key(), "does not belong to the certificate in ");
    refused(&good.key(), &good.key(), "key.pem contains no certificate; give a PEM file");
    refused(&good.certificate(), &good.certificate(), "certificate.pem contains no private key;");
    let nowhere = good.directory.path().join("nowhere.pem");
    refused(&nowhere, &good.key(), "nowhere.pem: No such file");
    refused(&good.certificate(), &nowhere, "nowhere.pem: No such file");
    let broken = good.directory.path().join("broken.pem");
    fs::write(&broken, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
    refused(&broken, &good.key(), "broken.pem can't be used: ");
}

#[test]
fn a_self_signed_certificate_is_kept_as_long_as_it_fits() {
    let directory = tempfile::tempdir().unwrap();
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let file = directory.path().join("tls-certificate.pem");
    let made = |addresses: &[IpAddr]| {
        Tls::self_signed(Some(directory.path()), addresses).unwrap();
        fs::read(&file).unwrap()
    };
    let first = made(&[loopback]);
    assert_eq!(made(&[loopback]), first);
    let network = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 7));
    let second = made(&[loopback, network]);
    assert_ne!(second, first);
    assert_eq!(made(&[network]), second, "it has more names than it needs");
    fs::write(&file, "broken").unwrap();
    assert_ne!(made(&[loopback, network]), second);
    let world = world(&Tls::self_signed(None, &[loopback]).unwrap(), Limits::default());
    let config =
        client_config([CertificateDer::from_pem_file(&file).unwrap()], rustls::ALL_VERSIONS);
    assert!(shake_hands(&config, world.address).is_err(), "each process has its own in memory");
}
