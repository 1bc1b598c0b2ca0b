//! The page for browsers at `/`: the database and the services, for everyone who may see it.

use askama::Template;
use axum::body::Body;
use http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use monotable_engine::Database;
use monotable_kit::{ServiceName, pages};
use monotable_server::Audience;

use crate::VERSION;
use crate::backup_status::{BackupStatus, Notice};

/// The path of the page's files.
const ASSETS: &str = "/assets/";

const HEADERS: [(HeaderName, &str); 6] = [
    (CONTENT_TYPE, pages::HTML),
    (CONTENT_SECURITY_POLICY, pages::POLICY),
    (CACHE_CONTROL, "no-store"),
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Programs get another response at the same address.
    (VARY, "accept"),
];

/// The page, with its view of this process.
pub(crate) struct StartPage {
    /// The database, whose tables are listed, if this server has one.
    pub(crate) database: Option<Database>,
    /// Its scheduled backups, if there are any.
    pub(crate) backups: Option<BackupStatus>,
    /// The location of the data, as a part of a sentence.
    pub(crate) data: String,
    pub(crate) region: String,
    /// Warnings for operators: faults, relaxed durability, anonymous access.
    pub(crate) warnings: Vec<String>,
    /// The services that are open.
    pub(crate) services: Vec<ServiceName>,
    /// The port of the services, if it is a separate one.
    pub(crate) services_port: Option<u16>,
    /// `https` with TLS.
    pub(crate) scheme: &'static str,
}

#[derive(Template)]
#[template(path = "start_page.html")]
struct View<'a> {
    head: String,
    version: &'a str,
    origin: String,
    region: &'a str,
    warnings: &'a [String],
    services: Vec<ServiceView>,
    database: Option<DatabaseView<'a>>,
}

struct ServiceView {
    title: &'static str,
    /// Its description.
    about: &'static str,
    url: String,
    /// The path of its home page.
    home: Option<&'static str>,
}

struct DatabaseView<'a> {
    data: &'a str,
    failure: Option<String>,
    backups: Option<Notice>,
    tables: Vec<TableView>,
}

struct TableView {
    name: String,
    items: u64,
    size: String,
    indexes: usize,
}

impl StartPage {
    /// Returns the page for an audience, with the host that the browser has used.
    pub(crate) fn response(&self, audience: Audience, host: &str) -> Response<Body> {
        let view = View {
            head: pages::head(ASSETS),
            version: VERSION,
            origin: format!("{}://{host}", self.scheme),
            region: &self.region,
            warnings: &self.warnings,
            services: self.services.iter().map(|it| self.service(*it, audience, host)).collect(),
            database: match audience {
                Audience::Operator => self.database.as_ref().map(|it| self.database(it)),
                Audience::Visitor => None,
            },
        };
        let mut response = match view.render() {
            Ok(page) => Response::new(Body::from(page)),
            Err(error) => {
                log::error!("the start page can't be written: {error}");
                let mut response = Response::new(Body::empty());
                *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
                response
            }
        };
        for (name, value) in HEADERS {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        response
    }

    fn service(&self, service: ServiceName, audience: Audience, host: &str) -> ServiceView {
        let ServiceName { name, title, about, home, .. } = service;
        let url = match (audience, self.services_port) {
            // The page is on the database's address.
            (Audience::Operator, Some(port)) => {
                format!("{}://{}:{port}/{name}", self.scheme, without_port(host))
            }
            (Audience::Operator, None) | (Audience::Visitor, _) => format!("/{name}"),
        };
        ServiceView { title, about, url, home }
    }

    fn database(&self, database: &Database) -> DatabaseView<'_> {
        let tables = database.statistics().tables.into_iter().map(|table| TableView {
            name: table.table_name,
            items: table.items,
            size: size(table.bytes),
            indexes: table.indexes.len(),
        });
        DatabaseView {
            data: &self.data,
            failure: database.accepts_writes().err().map(|error| error.to_string()),
            backups: self.backups.as_ref().map(BackupStatus::notice),
            tables: tables.collect(),
        }
    }
}

/// Returns the page's file at this path.
pub(crate) fn asset(path: &str) -> Option<Response<Body>> {
    pages::asset(path.strip_prefix(ASSETS)?)
}

/// Returns a host without its port.
fn without_port(host: &str) -> &str {
    match host.rfind(':') {
        // The colons of an IPv6 address are inside brackets.
        Some(at) if !host[at..].contains(']') => &host[..at],
        _ => host,
    }
}

/// Returns a number of bytes for people.
fn size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let mut value = bytes as f64 / 1_000.0;
    let mut unit = 0;
    while value >= 999.95 && unit + 1 < UNITS.len() {
        value /= 1_000.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use monotable_engine::{CreateTable, PutItem, item};

    use super::*;

    fn page(change: impl FnOnce(&mut StartPage)) -> StartPage {
        let database = Database::memory();
        let table = CreateTable::new("secret-plans").partition_key("id", "S").unwrap();
        database.create_table(table).unwrap();
        database.put_item(PutItem::new("secret-plans", item! { "id" => "a" })).unwrap();
        let mut page = StartPage {
            database: Some(database),
            backups: None,
            data: "its data is in memory".to_owned(),
            region: "us-east-1".to_owned(),
            warnings: vec!["Faults are injected: <b>".to_owned()],
            services: vec![ServiceName {
                name: "hacktracker",
                title: "HackTracker",
                about: "Teams & games.",
                cookie_prefix: None,
                home: Some("/teams"),
            }],
            services_port: None,
            scheme: "http",
        };
        change(&mut page);
        page
    }

    fn text(page: &StartPage, audience: Audience) -> String {
        let body = page.response(audience, "[::1]:8000").into_body();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let bytes = runtime.block_on(to_bytes(body, usize::MAX)).unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    }

    #[test]
    fn operators_see_tables_and_warnings_and_visitors_only_services() {
        let page = page(|_| ());
        let all = text(&page, Audience::Operator);
        for part in [
            "<code>secret-plans</code></td><td class=\"number\">1</td><td class=\"number\">3 B</td>",
            "its data is in memory",
            "Faults are injected: &#60;b&#62;",
            "href=\"/hacktracker/docs\"",
            "href=\"/hacktracker/teams\"",
            "<p>Teams &#38; games.</p>",
            "href=\"/metrics\"",
        ] {
            assert!(all.contains(part), "no {part} in {all}");
        }
        let few = text(&page, Audience::Visitor);
        assert!(few.contains("href=\"/hacktracker/docs\""), "{few}");
        for part in ["secret-plans", "memory", "Faults", VERSION, "/metrics", "us-east-1"] {
            assert!(!few.contains(part), "{part} in {few}");
        }
    }

    #[test]
    fn links_lead_to_the_port_of_the_services() {
        let page = page(|page| page.services_port = Some(9000));
        let all = text(&page, Audience::Operator);
        assert!(all.contains("href=\"http://[::1]:9000/hacktracker/docs\""), "{all}");
        assert!(text(&page, Audience::Visitor).contains("href=\"/hacktracker/docs\""));
    }

    #[test]
    fn the_page_needs_no_script_and_loads_nothing_from_elsewhere() {
        let page = page(|_| ());
        let response = page.response(Audience::Operator, "localhost");
        let policy = response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap();
        assert!(policy.starts_with("default-src 'none';") && !policy.contains("unsafe"));
        let head = pages::head(ASSETS);
        let files: Vec<&str> = head.split('"').filter(|part| part.starts_with(ASSETS)).collect();
        assert_eq!(files.len(), 2, "{head}");
        assert!(files.iter().all(|file| asset(file).unwrap().status() == 200), "{head}");
        assert!(asset("/assets/style-0.css").is_none() && asset("/hacktracker").is_none());
        let all = text(&page, Audience::Operator);
        for part in ["<script", "style=\"", "src=", "//"] {
            assert!(!all.contains(part), "{part} in {all}");
        }
    }

    #[test]
    fn sizes_are_short() {
        for (bytes, expected) in [
            (0, "0 B"),
            (999, "999 B"),
            (1_000, "1.0 KB"),
            (1_234_567, "1.2 MB"),
            (999_960, "1.0 MB"),
            (5_000_000_000_000_000, "5000.0 TB"),
        ] {
            assert_eq!(size(bytes), expected);
        }
    }
}
