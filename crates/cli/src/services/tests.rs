//! The services behind the server's port.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use bytes::Bytes;
use http::Request;
use monotable::prelude::{Embedded, Timestamp};
use monotable_btl_run::BtlRunService;
use monotable_engine::Database;
use monotable_host::{
    BoxFuture, HostSettings, OpenService, RunningService, Service, Services, TableMeta,
};
use monotable_kit::{ServiceName, State};
use monotable_server::{Reach, Site as _, Upload};

use super::ServiceSite;
use crate::identity::IdentityArguments;
use crate::program_metrics::ProgramMetrics;
use crate::start_page::StartPage;

/// A service that shows the paths and the bodies of its requests.
struct Echo;

impl Service for Echo {
    fn api(&self) -> monotable_kit::Service {
        monotable_kit::Service::new("echo", "", "", |_, _| Default::default())
    }

    fn table(&self) -> &'static TableMeta {
        BtlRunService::default().table()
    }

    fn body_bytes_max(&self) -> usize {
        8
    }

    fn open<'a>(&'a self, _: &'a str, _: &'a HostSettings) -> BoxFuture<'a, OpenService> {
        let show = |uri: http::Uri, body: Body| async move {
            match to_bytes(body, 8).await {
                Ok(body) => format!("{uri} {}", String::from_utf8_lossy(&body)),
                Err(_) => "too large".to_owned(),
            }
        };
        let router = Router::new().fallback(show);
        let (running, state) = (Arc::new(Self), Arc::new(Self));
        Box::pin(async { Ok(OpenService { router, running, state, sign_in: None }) })
    }
}

impl RunningService for Echo {}

impl State for Echo {
    fn now(&self) -> Timestamp {
        Timestamp::EPOCH
    }
}

fn settings(flags: &[&str]) -> HostSettings {
    #[derive(clap::Parser)]
    struct Arguments {
        #[command(flatten)]
        identity: IdentityArguments,
    }
    let arguments: Arguments = clap::Parser::parse_from([&["x"], flags].concat());
    let identity = arguments.identity.read("test").unwrap().complete(None).unwrap();
    HostSettings::new(Arc::new(Embedded::memory()), identity)
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().build().unwrap()
}

fn site(flags: &[&str]) -> ServiceSite {
    let settings = settings(flags);
    let services = runtime().block_on(Services::open(&[Box::new(Echo)], &settings)).unwrap();
    let start_page = StartPage {
        backups: None,
        database: Some(Database::memory()),
        data: String::new(),
        region: String::new(),
        warnings: Vec::new(),
        services: vec![ServiceName { name: "echo", title: "Echo", ..ServiceName::default() }],
        services_port: None,
        scheme: "http",
    };
    ServiceSite::new(services, &settings.identity, start_page, ProgramMetrics::default())
}

#[test]
fn claimed_identities_are_local() {
    for (flags, reach) in [(&[][..], Reach::Anyone), (&["--development-identity"], Reach::Local)] {
        let site = site(flags);
        let reach_of = |path| site.find(path).unwrap().reach;
        assert_eq!((reach_of("/echo"), reach_of("/echo/x")), (reach, reach), "{flags:?}");
    }
}

#[test]
fn requests_and_responses_pass_with_their_bodies() {
    let site = site(&[]);
    assert_eq!(site.find("/echo/x").unwrap().body_bytes_max, 8);
    assert_eq!(site.find("/other"), None);
    let send = |path: &str, body| {
        let request = Request::builder().uri(path).body(body).unwrap();
        runtime().block_on(async {
            let response = site.call(request).await;
            let status = response.status().as_u16();
            let bytes = to_bytes(Body::new(response.into_body()), usize::MAX).await.unwrap();
            (status, String::from_utf8(bytes.to_vec()).unwrap())
        })
    };
    let whole = |text: &'static str| Upload::Whole(Bytes::from_static(text.as_bytes()));
    assert_eq!(send("/echo/x?a=b", whole("hello")), (200, "/x?a=b hello".to_owned()));
    assert_eq!(send("/echo", Upload::TooLarge), (200, "too large".to_owned()));
    assert_eq!(send("/other", whole("")), (404, String::new()));
}
