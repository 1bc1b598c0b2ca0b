//! Services that do not disturb each other.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Result, bail};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::routing::get;
use bytes::Bytes;
use http::Request;
use monotable_engine::Database;
use monotable_kit::{Rate, ThrottleSettings};
use monotable_server::{Reach, Site as _, SitePath, Upload};

use super::hosted::{BoxFuture, Hosted, Running};
use super::worker::{Rhythm, Worker};
use super::{Services, Setting, block_on};
use crate::identity::{Identity, IdentityArguments};
use crate::narrator::Narration;

/// Far beyond what anything here takes: only what never happens takes so long.
const PATIENCE: Duration = Duration::from_secs(60);
const ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 1);

/// What a service does when it works.
#[derive(Clone)]
enum Work {
    /// Tells that it did.
    Tells(Sender<&'static str>),
    /// Tells that it began, and goes on when it is told so.
    Waits(Sender<&'static str>, Arc<Mutex<Receiver<()>>>),
    Fails,
    Panics,
    /// The service can't even be opened.
    Broken,
}

struct Fake(&'static str, Work);

impl Hosted for Fake {
    fn name(&self) -> &'static str {
        self.0
    }

    fn table_name(&self) -> &'static str {
        "fake-{environment}"
    }

    fn body_bytes_max(&self) -> usize {
        self.0.len()
    }

    fn open<'a>(&'a self, _: &'a Setting) -> BoxFuture<'a, Arc<dyn Running>> {
        Box::pin(async {
            match &self.1 {
                Work::Broken => bail!("its table is another one"),
                work => Ok(Arc::new(Fake(self.0, work.clone())) as Arc<dyn Running>),
            }
        })
    }
}

impl Running for Fake {
    fn router(&self) -> Router {
        let name = self.0;
        let told = move |uri: http::Uri| async move { format!("{name} {uri}") };
        Router::new().route("/", get(told)).fallback(told)
    }

    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            match &self.1 {
                Work::Tells(told) => told.send("worked")?,
                Work::Waits(told, go) => {
                    told.send("began")?;
                    go.lock().unwrap().recv()?;
                }
                Work::Fails => bail!("it can't be done"),
                Work::Panics => panic!("work panics"),
                Work::Broken => unreachable!(),
            }
            Ok(())
        })
    }

    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            match &self.1 {
                Work::Tells(told) => Ok(told.send("swept")?),
                _ => bail!("there is no broom"),
            }
        })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            match &self.1 {
                Work::Tells(told) => told.send("backfilled")?,
                _ => bail!("there is nothing to fill"),
            }
            Ok("all".to_owned())
        })
    }

    fn demo<'a>(&'a self, _: &'a Identity, address: SocketAddr) -> BoxFuture<'a, String> {
        Box::pin(async move { Ok(format!("{} at {address}\n", self.0)) })
    }
}

fn setting(flags: &[&str]) -> Setting {
    #[derive(clap::Parser)]
    struct Arguments {
        #[command(flatten)]
        identity: IdentityArguments,
    }
    let arguments: Arguments = clap::Parser::parse_from([&["x"], flags].concat());
    Setting {
        database: Database::memory(),
        identity: arguments.identity.read("test").unwrap().complete(None).unwrap(),
        directory: None,
        origins: Vec::new(),
        tables: BTreeMap::new(),
        narration: Narration { narrator: None, tokens_max: 0 },
        writes_per_second: None,
        trusted_proxies: Vec::new(),
        hacktracker: Default::default(),
        has_log: false,
    }
}

fn try_open(services: Vec<Fake>, setting: &Setting) -> Result<Services> {
    let hosted = services.into_iter().map(|fake| Box::new(fake) as Box<dyn Hosted>);
    block_on(Services::open(&hosted.collect::<Vec<_>>(), setting)).unwrap()
}

fn services(services: Vec<Fake>) -> Services {
    try_open(services, &setting(&[])).unwrap()
}

/// Status and text of a GET.
fn asked(services: &Services, path: &str) -> (u16, String) {
    let request = Request::builder().uri(path).body(Upload::Whole(Bytes::new())).unwrap();
    let told: Result<(u16, String)> = block_on(async {
        let response = services.call(request).await;
        let status = response.status().as_u16();
        let bytes = to_bytes(Body::new(response.into_body()), usize::MAX).await?;
        Ok((status, String::from_utf8(bytes.to_vec())?))
    })
    .unwrap();
    told.unwrap()
}

const RHYTHM: Rhythm = Rhythm { pause: Duration::from_millis(1), first_sweep: 1, sweep_rounds: 2 };

#[test]
fn paths_begin_behind_the_name_of_the_service() {
    let (told, _heard) = channel();
    let services =
        services(vec![Fake("one", Work::Tells(told.clone())), Fake("other", Work::Tells(told))]);
    let found = |path| services.find(path).map(|found: SitePath| found.body_bytes_max);
    for (path, bytes) in [("/one", 3), ("/one/x", 3), ("/other//", 5)] {
        assert_eq!(found(path), Some(bytes), "{path}");
    }
    for path in ["/", "", "/ones", "/on", "/x/one"] {
        assert_eq!(found(path), None, "{path}");
    }
    assert_eq!(asked(&services, "/one"), (200, "one /".to_owned()));
    assert_eq!(asked(&services, "/one?a=b"), (200, "one /?a=b".to_owned()));
    assert_eq!(asked(&services, "/other/x/y?a"), (200, "other /x/y?a".to_owned()));
    let demo = block_on(services.demo(&setting(&[]).identity, ADDRESS)).unwrap().unwrap();
    assert_eq!(demo, "one at 127.0.0.1:1\nother at 127.0.0.1:1\n");
}

#[test]
fn a_service_that_can_not_be_opened_is_named() {
    let error = try_open(vec![Fake("broken", Work::Broken)], &setting(&[])).err().unwrap();
    assert_eq!(
        format!("{error:#}"),
        "the service broken can't be opened: its table is another one"
    );
}

#[test]
fn metrics_are_closed_and_claimed_identities_are_local() {
    let (told, _heard) = channel();
    let fakes = || vec![Fake("one", Work::Tells(told.clone()))];
    for (flags, reach) in [(&[][..], Reach::Anyone), (&["--development-identity"], Reach::Local)] {
        let services = try_open(fakes(), &setting(flags)).unwrap();
        let found = |path| services.find(path).unwrap().reach;
        assert_eq!((found("/one"), found("/one/metricsx")), (reach, reach), "{flags:?}");
        assert_eq!(found("/one/metrics"), Reach::Metrics, "{flags:?}");
    }
}

#[test]
fn no_other_path_leads_to_the_metrics() {
    let (told, _heard) = channel();
    let services = services(vec![Fake("one", Work::Tells(told))]);
    for path in [
        "/one/metrics",
        "/one/%6detrics",
        "/one%2Fmetrics",
        "/%6fne/metrics",
        "//one/metrics",
        "/one//metrics",
        "/one/./metrics",
        "/one/x/../metrics",
        "/one/metrics/",
        "/one/metrics;x",
    ] {
        let is_guarded = services.find(path).is_some_and(|found| found.reach == Reach::Metrics);
        let leads_there = asked(&services, path).1 == "one /metrics";
        assert_eq!(is_guarded, leads_there, "{path}");
    }
}

#[test]
fn work_that_waits_fails_or_panics_keeps_no_other_from_its_own() {
    let (told, heard) = channel();
    let (began, begun) = channel();
    let (go, going) = channel();
    let services = services(vec![
        Fake("slow", Work::Waits(began, Arc::new(Mutex::new(going)))),
        Fake("failing", Work::Fails),
        Fake("panicking", Work::Panics),
        Fake("fine", Work::Tells(told)),
    ]);
    let worker = Worker::start_in(RHYTHM, &services, true).unwrap();
    // The slow one is in its first round all the time.
    assert_eq!(begun.recv_timeout(PATIENCE), Ok("began"));
    let words: Vec<&str> = (0..8).map(|_| heard.recv_timeout(PATIENCE).unwrap()).collect();
    let expected =
        ["backfilled", "worked", "swept", "worked", "worked", "swept", "worked", "worked"];
    assert_eq!(words, expected);
    assert!(begun.try_recv().is_err());
    // Its next round comes when this one is done.
    go.send(()).unwrap();
    assert_eq!(begun.recv_timeout(PATIENCE), Ok("began"));
    drop(go);
    drop(worker);
}

#[test]
fn work_goes_on_behind_what_failed() {
    let (began, begun) = channel();
    let (go, going) = channel();
    let services = services(vec![Fake("failing", Work::Waits(began, Arc::new(Mutex::new(going))))]);
    let worker = Worker::start_in(RHYTHM, &services, true).unwrap();
    // Nobody tells it to go on any more, which is an error each time.
    drop(go);
    for _ in 0..3 {
        assert_eq!(begun.recv_timeout(PATIENCE), Ok("began"));
    }
    drop(worker);
}

#[test]
fn the_writes_of_one_caller_can_be_set() {
    let limits = |writes_per_second| Setting { writes_per_second, ..setting(&[]) }.limits();
    assert_eq!(limits(None), ThrottleSettings::default());
    let few = limits(Some(5));
    assert_eq!(few.writes_of_one, Rate { per_second: 5, burst: 100 });
    assert_eq!(few.everybody, ThrottleSettings::default().everybody);
    let many = limits(Some(5_000));
    assert_eq!(many.writes_of_one, Rate { per_second: 5_000, burst: 5_000 });
    assert_eq!((many.requests_of_one.per_second, many.everybody.per_second), (5_000, 5_000));
}
