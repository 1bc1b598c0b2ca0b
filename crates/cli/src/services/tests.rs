//! Services that are no trouble for each other.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Result, bail};
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::response::Response;
use axum::routing::get;
use bytes::Bytes;
use http::{HeaderMap, Request};
use monotable::prelude::Timestamp;
use monotable_engine::Database;
use monotable_kit::Problem;
use monotable_server::{Site as _, Upload};

use super::hosted::{Hosted, Promise, Running};
use super::worker::{Rhythm, Worker};
use super::{Services, Setting, block_on};
use crate::identity::{Identity, IdentityArguments};

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

    fn open<'a>(&'a self, _: &'a Setting) -> Promise<'a, Box<dyn Running>> {
        Box::pin(async {
            match &self.1 {
                Work::Broken => bail!("its table is another one"),
                work => Ok(Box::new(Fake(self.0, work.clone())) as Box<dyn Running>),
            }
        })
    }

    fn refuse(&self, _: &HeaderMap, problem: &Problem, _: Timestamp) -> Response {
        Response::builder().status(problem.status()).body(problem.code.into()).unwrap()
    }
}

impl Running for Fake {
    fn router(&self) -> Router {
        let name = self.0;
        let told = move |uri: http::Uri| async move { format!("{name} {uri}") };
        Router::new().route("/", get(told)).fallback(told)
    }

    fn work(&self) -> Promise<'_, ()> {
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

    fn sweep(&self) -> Promise<'_, ()> {
        Box::pin(async {
            match &self.1 {
                Work::Tells(told) => Ok(told.send("swept")?),
                _ => bail!("there is no broom"),
            }
        })
    }

    fn backfill(&self) -> Promise<'_, String> {
        Box::pin(async {
            match &self.1 {
                Work::Tells(told) => told.send("backfilled")?,
                _ => bail!("there is nothing to fill"),
            }
            Ok("all".to_owned())
        })
    }

    fn demo<'a>(&'a self, _: &'a Identity, address: SocketAddr) -> Promise<'a, String> {
        Box::pin(async move { Ok(format!("{} at {address}\n", self.0)) })
    }
}

fn services(services: Vec<Fake>) -> Services {
    #[derive(clap::Parser)]
    struct Arguments {
        #[command(flatten)]
        identity: IdentityArguments,
    }
    let arguments: Arguments = clap::Parser::parse_from(["x"]);
    let setting = Setting {
        database: Database::memory(),
        environment: "test".to_owned(),
        identity: Arc::new(arguments.identity.read(None, None).unwrap()),
        directory: None,
        origins: Vec::new(),
        tables: BTreeMap::new(),
        narrator: None,
        has_log: false,
    };
    let hosted = services.into_iter().map(|fake| Box::new(fake) as Box<dyn Hosted>);
    Services::of(setting, hosted.collect())
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

fn open_all(services: &Services) {
    let opened = block_on(async {
        for place in &*services.places {
            let _ = place.open(&services.setting).await;
        }
    });
    opened.unwrap();
}

const RHYTHM: Rhythm = Rhythm { pause: Duration::from_millis(1), first_sweep: 1, sweep_rounds: 2 };

#[test]
fn paths_begin_behind_the_name_of_the_service() {
    let (told, _heard) = channel();
    let services =
        services(vec![Fake("one", Work::Tells(told.clone())), Fake("other", Work::Tells(told))]);
    for path in ["/one", "/one/x", "/other//"] {
        assert!(services.owns(path), "{path}");
    }
    for path in ["/", "", "/ones", "/on", "/x/one"] {
        assert!(!services.owns(path), "{path}");
    }
    assert_eq!((services.body_bytes_max("/one/x"), services.body_bytes_max("/other")), (3, 5));
    assert_eq!(asked(&services, "/one"), (200, "one /".to_owned()));
    assert_eq!(asked(&services, "/one?a=b"), (200, "one /?a=b".to_owned()));
    assert_eq!(asked(&services, "/other/x/y?a"), (200, "other /x/y?a".to_owned()));
    let demo = block_on(services.demo(ADDRESS)).unwrap().unwrap();
    assert_eq!(demo, "one at 127.0.0.1:1\nother at 127.0.0.1:1\n");
}

#[test]
fn a_service_that_can_not_be_opened_refuses_in_its_own_form_and_the_others_answer() {
    let (told, _heard) = channel();
    let services = services(vec![Fake("broken", Work::Broken), Fake("whole", Work::Tells(told))]);
    assert_eq!(asked(&services, "/broken/x"), (503, "UNAVAILABLE".to_owned()));
    assert_eq!(asked(&services, "/whole/x").0, 200);
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
        Fake("broken", Work::Broken),
        Fake("fine", Work::Tells(told)),
    ]);
    open_all(&services);
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
    open_all(&services);
    let worker = Worker::start_in(RHYTHM, &services, true).unwrap();
    // Nobody tells it to go on any more, which is an error each time.
    drop(go);
    for _ in 0..3 {
        assert_eq!(begun.recv_timeout(PATIENCE), Ok("began"));
    }
    drop(worker);
}
