//! Services do not disturb each other.

use std::future::Future;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::routing::get;
use http::Request;
use monotable::design::meta::TableMeta;
use monotable::model::Table as _;
use monotable::prelude::*;
use monotable_kit::{JwtSettings, LocalIssuer, Principal, Rate, State, ThrottleSettings};

use crate::error::Error;
use crate::identity::Identity;
use crate::option::{OptionValues, ServiceOption};
use crate::service::{BoxFuture, DemoSettings, OpenService, RunningService, Service};
use crate::services::{ServicePath, Services};
use crate::settings::{HostSettings, limits};
use crate::worker::{Backfill, Rhythm, Worker};
use crate::{BoxError, secrets};

/// Far beyond the duration of anything here, so that only a failure takes so long.
const PATIENCE: Duration = Duration::from_secs(60);
const URL: &str = "http://127.0.0.1:1";

/// What a service does in its background work.
#[derive(Clone)]
enum Work {
    /// Reports that it did.
    Reports(Sender<&'static str>),
    /// Reports that it started, and continues when it gets a message.
    Waits(Sender<&'static str>, Arc<Mutex<Receiver<()>>>),
    Fails,
    Panics,
    /// The service can't be opened.
    Broken,
}

struct Fake(&'static str, Work);

/// A row of the table that no test writes.
#[derive(Entity, Clone, Debug, PartialEq, Serialize, Deserialize)]
#[key(pk = "ROW", sk = "ROW#{id}")]
struct Row {
    #[immutable]
    id: String,
}

table! {
    /// A table.
    FakeTable {
        name = "fake-{environment}";
        key(PK, SK);
        type_attribute = ItemType;
        entities(Row);
    }
}

impl Service for Fake {
    fn api(&self) -> monotable_kit::Service {
        monotable_kit::Service::new(self.0, "Fake", "", |_, _| Default::default())
    }

    fn table(&self) -> &'static TableMeta {
        FakeTable::META
    }

    fn body_bytes_max(&self) -> usize {
        self.0.len()
    }

    fn options(&self) -> Vec<ServiceOption> {
        vec![ServiceOption::new("mood", "WORD", "How the service feels")]
    }

    fn configure(&mut self, values: &OptionValues) -> Result<(), BoxError> {
        match values.text("mood") {
            Some("bad") => Err(format!("{} is in a bad mood", self.0).into()),
            _ => Ok(()),
        }
    }

    fn open<'a>(&'a self, table_name: &'a str, _: &'a HostSettings) -> BoxFuture<'a, OpenService> {
        Box::pin(async move {
            let (name, table_name) = (self.0, table_name.to_owned());
            let show = move |uri: http::Uri| async move { format!("{name} {uri}") };
            let router = Router::new()
                .route("/", get(show))
                .route("/table", get(move || async move { table_name }))
                .fallback(show);
            match &self.1 {
                Work::Broken => Err("its table is another one".into()),
                work => {
                    let fake = Arc::new(Self(name, work.clone()));
                    let state = Arc::clone(&fake) as _;
                    Ok(OpenService { router, running: fake, state, sign_in: None })
                }
            }
        })
    }
}

impl RunningService for Fake {
    fn work(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            match &self.1 {
                Work::Reports(reports) => reports.send("worked")?,
                Work::Waits(reports, go) => {
                    reports.send("began")?;
                    go.lock().unwrap().recv()?;
                }
                Work::Fails => return Err("it can't be done".into()),
                Work::Panics => panic!("work panics"),
                Work::Broken => unreachable!(),
            }
            Ok(())
        })
    }

    fn sweep(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            match &self.1 {
                Work::Reports(reports) => Ok(reports.send("swept")?),
                _ => Err("there is no broom".into()),
            }
        })
    }

    fn backfill(&self) -> BoxFuture<'_, String> {
        Box::pin(async {
            match &self.1 {
                Work::Reports(reports) => reports.send("backfilled")?,
                _ => return Err("there is nothing to fill".into()),
            }
            Ok("all".to_owned())
        })
    }

    fn demo<'a>(&'a self, url: &'a str) -> BoxFuture<'a, String> {
        Box::pin(async move { Ok(format!("{} at {url}\n", self.0)) })
    }

    fn demo_people(&self) -> Vec<Principal> {
        let id = format!("demo-{}", self.0);
        vec![Principal { id, email: None, email_verified: false, roles: Vec::new() }]
    }
}

impl State for Fake {
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }
}

fn settings() -> HostSettings {
    let issuer = LocalIssuer::new(JwtSettings::new("test", "test"), &secrets::random()).unwrap();
    HostSettings::new(Arc::new(Embedded::memory()), Identity::local(issuer))
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn boxed(services: Vec<Fake>) -> Vec<Box<dyn Service>> {
    services.into_iter().map(|fake| Box::new(fake) as Box<dyn Service>).collect()
}

fn try_open(services: Vec<Fake>, settings: &HostSettings) -> Result<Services, Error> {
    block_on(Services::open(&boxed(services), settings))
}

fn open(services: Vec<Fake>) -> Services {
    try_open(services, &settings()).unwrap()
}

/// Returns status and text of a GET.
fn get_text(services: &Services, path: &str) -> (u16, String) {
    let request = Request::builder().uri(path).body(Body::empty()).unwrap();
    block_on(async {
        let response = services.respond(request).await;
        let status = response.status().as_u16();
        let bytes = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    })
}

const RHYTHM: Rhythm = Rhythm { pause: Duration::from_millis(1), first_sweep: 1, sweep_rounds: 2 };

#[test]
fn paths_begin_after_the_name_of_the_service() {
    let (reports, _received) = channel();
    let services = open(vec![
        Fake("one", Work::Reports(reports.clone())),
        Fake("other", Work::Reports(reports)),
    ]);
    let found = |path| services.find(path).map(|found: ServicePath| found.body_bytes_max);
    for (path, bytes) in [("/one", 3), ("/one/x", 3), ("/other//", 5)] {
        assert_eq!(found(path), Some(bytes), "{path}");
    }
    for path in ["/", "", "/ones", "/on", "/x/one"] {
        assert_eq!(found(path), None, "{path}");
    }
    assert_eq!(get_text(&services, "/one"), (200, "one /".to_owned()));
    assert_eq!(get_text(&services, "/one?a=b"), (200, "one /?a=b".to_owned()));
    assert_eq!(get_text(&services, "/other/x/y?a"), (200, "other /x/y?a".to_owned()));
    assert_eq!(get_text(&services, "/ones").0, 404);
    let settings = settings();
    let issuer = settings.identity.issuer();
    let demo = DemoSettings { url: URL, offers_people: false, issuer };
    let demo = block_on(services.demo(demo)).unwrap();
    for line in [
        "Fake and its documentation: http://127.0.0.1:1/one/docs",
        "  export ONE=ey",
        "one at http://127.0.0.1:1/one",
        "other at http://127.0.0.1:1/other",
    ] {
        assert!(demo.lines().any(|shown| shown.starts_with(line)), "{line}: {demo}");
    }
}

#[test]
fn services_are_opened_on_the_tables_that_are_named() {
    let settings =
        HostSettings { tables: [("one".to_owned(), "kv".to_owned())].into(), ..settings() };
    let services = vec![Fake("one", Work::Fails), Fake("other", Work::Fails)];
    let services = try_open(services, &settings).unwrap();
    assert_eq!(get_text(&services, "/one/table").1, "kv");
    assert_eq!(get_text(&services, "/other/table").1, "fake-{environment}");
}

#[test]
fn a_service_that_can_not_be_opened_is_named() {
    let error = try_open(vec![Fake("broken", Work::Broken)], &settings()).err().unwrap();
    assert_eq!(error.to_string(), "the service broken can't be opened");
    let cause = std::error::Error::source(&error).unwrap();
    assert_eq!(cause.to_string(), "its table is another one");
}

#[test]
fn services_refuse_values_of_their_options() {
    let mut services = boxed(vec![Fake("one", Work::Fails), Fake("other", Work::Fails)]);
    let mut configure = |mood: &str| {
        let values = [("mood", mood)].into_iter().collect();
        Services::configure(&mut services, &values).map_err(|error| error.to_string())
    };
    assert_eq!(configure("good"), Ok(()));
    assert_eq!(configure("bad"), Err("one is in a bad mood".to_owned()));
}

#[test]
fn work_that_waits_fails_or_panics_keeps_no_other_from_its_own() {
    let (reports, received) = channel();
    let (began, begun) = channel();
    let (go, going) = channel();
    let services = open(vec![
        Fake("slow", Work::Waits(began, Arc::new(Mutex::new(going)))),
        Fake("failing", Work::Fails),
        Fake("panicking", Work::Panics),
        Fake("fine", Work::Reports(reports)),
    ]);
    let worker = Worker::start_in(RHYTHM, &services, Backfill::AtStart).unwrap();
    // The slow one is in its first round all the time.
    assert_eq!(begun.recv_timeout(PATIENCE), Ok("began"));
    let words: Vec<&str> = (0..8).map(|_| received.recv_timeout(PATIENCE).unwrap()).collect();
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
fn work_goes_on_after_what_failed() {
    let (began, begun) = channel();
    let (go, going) = channel();
    let services = open(vec![Fake("failing", Work::Waits(began, Arc::new(Mutex::new(going))))]);
    let worker = Worker::start_in(RHYTHM, &services, Backfill::AtStart).unwrap();
    // No message lets it continue any more, which is an error each time.
    drop(go);
    for _ in 0..3 {
        assert_eq!(begun.recv_timeout(PATIENCE), Ok("began"));
    }
    drop(worker);
}

#[test]
fn the_writes_of_one_caller_can_be_set() {
    assert_eq!(limits(None), ThrottleSettings::default());
    let few = limits(Some(5));
    assert_eq!(few.writes_of_one, Rate { per_second: 5, burst: 100 });
    assert_eq!(few.everybody, ThrottleSettings::default().everybody);
    let many = limits(Some(5_000));
    assert_eq!(many.writes_of_one, Rate { per_second: 5_000, burst: 5_000 });
    assert_eq!((many.requests_of_one.per_second, many.everybody.per_second), (5_000, 5_000));
}
