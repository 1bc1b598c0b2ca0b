//! The start page: which callers see it, and as which audience.

use monotable_engine::Database;
use monotable_server::{Access, Config, Keys, Reach};

use super::{Echo, PUBLISHED};
use crate::fixture::{World, config};

/// Checks what a browser and then a program receive at `/`, and which audience may read the page's stylesheet.
#[track_caller]
fn check_start(config: Config, start: Reach, rows: &[(Address, &str, [&str; 3])]) {
    let site = Echo { start, streams: std::sync::Mutex::default() };
    let world = World::with_site(config, Database::memory(), Some(site));
    for (address, headers, expected) in rows {
        let mut client = match address {
            Address::Main => world.connect(),
            Address::Site => world.connect_to_site(),
            Address::Metrics => world.connect_to_metrics(),
        };
        let mut get = |path: &str, accept: &str| {
            client.send(format!("GET {path} HTTP/1.1\r\n{headers}Accept: {accept}\r\n\r\n"));
            let answer = client.receive();
            match answer.status {
                201 => answer.text().to_owned(),
                200 => "healthy".to_owned(),
                status => status.to_string(),
            }
        };
        let found = [get("/", "text/html,*/*;q=0.8"), get("/", "*/*"), get("/style", "text/css")];
        assert_eq!(found, *expected, "{address:?} {headers:?}");
    }
}

#[derive(Clone, Copy, Debug)]
enum Address {
    Main,
    Site,
    Metrics,
}

#[test]
fn the_start_page_shows_each_caller_what_it_may_use() {
    use Address::{Main, Metrics, Site};
    const WEB: &str = "Host: localhost\r\nOrigin: http://evil.example\r\n";
    let local = "Host: localhost\r\n";
    let all = ["Operator", "healthy", "Operator"];
    // Without signatures: callers on this machine see everything, others see the site.
    let visitor = ["Visitor", "403", "Visitor"];
    let rows = [(Main, local, all), (Main, PUBLISHED, visitor), (Main, WEB, visitor)];
    check_start(config(), Reach::Anyone, &rows);
    // A site that only this machine can reach, and no site at all.
    let rows = [(Main, local, all), (Main, PUBLISHED, ["403", "403", "403"])];
    check_start(config(), Reach::Local, &rows);
    check_start(config(), Reach::Nobody, &rows);
    // Everyone may use the database.
    let anyone = Config { access: Access::Anyone, ..config() };
    check_start(anyone, Reach::Anyone, &[(Main, local, all), (Main, PUBLISHED, all)]);
    // A browser can't sign.
    let signed = || Config { access: Access::Signed(Keys::new(Default::default())), ..config() };
    let visitor = ["Visitor", "healthy", "Visitor"];
    let rows = [(Main, local, visitor), (Main, PUBLISHED, visitor)];
    check_start(signed(), Reach::Anyone, &rows);
    let rows = [(Main, local, ["healthy", "healthy", "404"])];
    check_start(signed(), Reach::Nobody, &rows);
    // Addresses of their own.
    let any = Some("127.0.0.1:0".parse().unwrap());
    let apart = Config { site_listen: any, metrics_listen: any, ..config() };
    let rows = [
        (Main, local, all),
        (Main, PUBLISHED, ["403", "403", "403"]),
        (Site, local, ["Visitor", "404", "Visitor"]),
        (Site, PUBLISHED, ["Visitor", "404", "Visitor"]),
        (Metrics, local, ["404", "404", "404"]),
    ];
    check_start(apart, Reach::Anyone, &rows);
    let apart = Config { site_listen: any, ..signed() };
    let rows = [
        (Main, local, ["healthy", "healthy", "404"]),
        (Site, local, ["Visitor", "404", "Visitor"]),
    ];
    check_start(apart, Reach::Anyone, &rows);
}
