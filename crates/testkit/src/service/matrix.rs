//! The authorization matrix: every operation of the service by every actor. The operations are the service's
//! own list, so that a new one fails here until the table has a row for it.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use monotable::Item;
use monotable_kit::Route;
use serde_json::Value;

use crate::faulty::{FaultMode, FaultPlan};

use super::{Actor, Request, Response, Subject, World, example_body, path_with};

/// The rows of a matrix: which actor may do what.
///
/// A row is a method, a path, a state of the data, and a mark for each actor: `.` for 2xx, `u` for
/// 401, `-` for 404, `c` for 409, and the service's own marks for refusals that it distinguishes.
/// Spaces between marks are ignored.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// The rows.
    pub table: &'static str,
    /// The actors in the order of the marks.
    pub actors: &'static [&'static str],
    /// Marks of status and code, such as `("403 NOT_A_MEMBER", 'n')`.
    pub marks: &'static [(&'static str, char)],
    /// Operations without a row. The list may only become shorter.
    pub exempt: &'static [&'static str],
}

/// A row of a matrix.
#[derive(Clone, Debug)]
pub struct Row {
    /// The method and the path.
    pub route: String,
    /// The state of the data.
    pub at: &'static str,
    /// The marks of all actors.
    pub marks: String,
}

/// The data for the requests of a matrix, and the tokens of its actors.
pub trait Stage<S: Subject> {
    /// Returns the value of a `{name}` of a path.
    fn path_value(&self, route: &Route, name: &str, at: &str) -> String;

    /// Returns a body that the operation accepts.
    fn body(&self, route: &Route, _at: &str) -> Value {
        example_body(route, &|_| None)
    }

    /// Returns the query of an operation that requires one, without the question mark.
    fn query(&self, _route: &Route) -> &str {
        ""
    }

    /// Returns the token of an actor. By default `nobody` has none, `forged` and `expired` have tokens
    /// that must be refused, and others are users.
    fn token(&self, world: &World<S>, actor: &str) -> Option<String> {
        match actor {
            "nobody" => None,
            "forged" => Some(world.forged_token(&S::principal("admin"))),
            "expired" => Some(world.old_token("admin", 2 * 60 * 60)),
            user => world.token(Actor::User(user)),
        }
    }

    /// Returns whether a refused request must leave this row alone.
    fn is_compared(&self, _row: &str) -> bool {
        true
    }

    /// Returns whether the response begins before the backend is needed: it breaks off without one.
    fn is_streamed(&self, _route: &Route) -> bool {
        false
    }

    /// Prepares the world for the next request.
    fn before_request(&self, _world: &World<S>) {}
}

impl Matrix {
    /// Creates a matrix without rows, without marks of its own and without exemptions.
    pub const PLAIN: Self = Self { table: "", actors: &[], marks: &[], exempt: &[] };

    /// Returns the rows.
    ///
    /// # Panics
    /// Panics if a line is not a row.
    pub fn rows(&self) -> Vec<Row> {
        let lines = self.table.lines().filter(|line| !line.trim().is_empty());
        let row = |line: &'static str| {
            let words: Vec<&'static str> = line.split_whitespace().collect();
            let [method, path, at, marks @ ..] = words.as_slice() else {
                panic!("a row is a method, a path, a state and marks: {line}")
            };
            Row { route: format!("{method} {path}"), at, marks: marks.concat() }
        };
        lines.map(row).collect()
    }

    /// Checks that every operation has a row, and every row an operation.
    ///
    /// # Panics
    /// Panics if one has none.
    pub fn assert_complete(&self, service: &monotable_kit::Service) {
        let rows: BTreeSet<String> = self.rows().into_iter().map(|row| row.route).collect();
        let routes: BTreeSet<String> = service.routes.iter().map(name).collect();
        let exempt: BTreeSet<String> = self.exempt.iter().map(|&name| name.to_owned()).collect();
        let without: Vec<_> = routes.iter().filter(|route| !rows.contains(*route)).collect();
        let missing: Vec<_> = without.iter().filter(|route| !exempt.contains(**route)).collect();
        let gone: Vec<_> = rows.difference(&routes).collect();
        let unneeded: Vec<_> = exempt.iter().filter(|name| !without.contains(name)).collect();
        assert!(missing.is_empty(), "operations without a row: {missing:#?}");
        assert!(gone.is_empty(), "rows of operations that do not exist: {gone:#?}");
        assert!(unneeded.is_empty(), "exempt without need: {unneeded:#?}");
    }

    /// Checks every row: each actor gets the result in the table, a refused request changes
    /// nothing, and neither does a request that only reads.
    ///
    /// # Panics
    /// Panics with all differences.
    pub async fn check<S: Subject, G: Stage<S>>(
        &self,
        set_up: impl AsyncFn(&str) -> (World<S>, G),
    ) {
        let mut stages: BTreeMap<&str, (World<S>, G)> = BTreeMap::new();
        let mut wrong = Vec::new();
        for row in self.rows() {
            if !stages.contains_key(row.at) {
                stages.insert(row.at, set_up(row.at).await);
            }
            let (start, stage) = &stages[row.at];
            let Some(route) = start.routes().iter().find(|route| name(route) == row.route) else {
                continue;
            };
            self.check_row(&row, route, start, stage, &mut wrong).await;
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    async fn check_row<S: Subject>(
        &self,
        row: &Row,
        route: &Route,
        start: &World<S>,
        stage: &impl Stage<S>,
        wrong: &mut Vec<String>,
    ) {
        let compared = |world: &World<S>| {
            let mut rows = world.stored();
            rows.retain(|row| stage.is_compared(row));
            rows
        };
        let (mut world, before) = (start.copy().await, compared(start));
        let mut marks = String::new();
        for actor in self.actors {
            stage.before_request(&world);
            let response = request(stage, &world, actor, route, row.at).await;
            let mark = self.mark(&response);
            marks.push(mark);
            if mark == '?' {
                let told = response.outcome();
                wrong
                    .push(format!("{} {} by {actor}: {told} {}", row.route, row.at, response.text));
            }
            let is_write = response.is_success() && route.method != Method::GET;
            if is_write {
                world = start.copy().await;
            } else if compared(&world) != before {
                wrong.push(format!("{} {}: {actor} changed something", row.route, row.at));
            }
        }
        if marks != row.marks {
            wrong.push(format!("{} {}: {marks} instead of {}", row.route, row.at, row.marks));
        }
    }

    /// Checks that views are lists of what is sent: a field that is added to every row is in no
    /// response of any operation to any actor, except those that show rows as they are stored.
    ///
    /// # Panics
    /// Panics if a response contains the field.
    pub async fn assert_hides_new_fields<S: Subject, G: Stage<S>>(
        &self,
        set_up: impl AsyncFn(&str) -> (World<S>, G),
        add_field: fn(&mut Item, name: &str),
    ) {
        const FIELD: &str = "addedTomorrow";
        let mut stages: BTreeMap<&str, (World<S>, G)> = BTreeMap::new();
        for row in self.rows() {
            if !stages.contains_key(row.at) {
                let (world, stage) = set_up(row.at).await;
                let mut rows = world.rows();
                rows.iter_mut().for_each(|row| add_field(row, FIELD));
                world.put_rows(rows);
                stages.insert(row.at, (world, stage));
            }
            let (start, stage) = &stages[row.at];
            let routes = start.routes().iter().filter(|route| !S::shows_rows(route));
            for route in routes.filter(|route| name(route) == row.route) {
                for actor in self.actors {
                    let world = start.copy().await;
                    stage.before_request(&world);
                    let response = request(stage, &world, actor, route, row.at).await;
                    let is_shown = response.text.contains(FIELD);
                    assert!(!is_shown, "{} by {actor}: {}", row.route, response.text);
                }
            }
        }
    }

    /// Checks that no operation fails with 500 while the backend does not respond: it is 503 with `Retry-After`, unless
    /// the request is rejected before the backend is needed.
    ///
    /// # Panics
    /// If there is another response, or most operations need no backend.
    pub async fn assert_unavailable_without_backend<S: Subject, G: Stage<S>>(
        &self,
        set_up: impl AsyncFn(&str) -> (World<S>, G),
    ) {
        let mut stages: BTreeMap<&str, (World<S>, G)> = BTreeMap::new();
        let (mut tried, mut unavailable) = (BTreeSet::new(), BTreeSet::new());
        for row in self.rows() {
            if !tried.insert(row.route.clone()) {
                continue;
            }
            if !stages.contains_key(row.at) {
                let (start, stage) = set_up(row.at).await;
                let plan = FaultPlan::new(0);
                let backend = S::backend(&start.database, &start.clock).await;
                let world = start.over(plan.process(backend)).await;
                plan.set(FaultMode::Unanswered);
                stages.insert(row.at, (world, stage));
            }
            let (world, stage) = &stages[row.at];
            let Some(route) = world.routes().iter().find(|route| name(route) == row.route) else {
                continue;
            };
            if stage.is_streamed(route) {
                continue;
            }
            for actor in self.actors {
                stage.before_request(world);
                let response = request(stage, world, actor, route, row.at).await;
                let (status, text) = (response.status, &response.text);
                let is_unavailable = response.is_unavailable();
                assert!(
                    is_unavailable || status < 500,
                    "{} by {actor}: {status} {text}",
                    row.route
                );
                if is_unavailable {
                    unavailable.insert(row.route.clone());
                }
            }
        }
        assert!(2 * unavailable.len() > tried.len(), "only {unavailable:?} need the backend");
    }

    /// Returns the mark of a response.
    pub fn mark(&self, response: &Response) -> char {
        let told = response.outcome();
        match self.marks.iter().find(|(marked, _)| *marked == told) {
            Some((_, mark)) => *mark,
            None => match response.status {
                200..=299 => '.',
                401 if !self.marks.iter().any(|(marked, _)| marked.starts_with("401")) => 'u',
                404 => '-',
                409 => 'c',
                _ => '?',
            },
        }
    }
}

/// Returns the method and the path of a route.
fn name(route: &Route) -> String {
    format!("{} {}", route.method, route.path)
}

async fn request<S: Subject>(
    stage: &impl Stage<S>,
    world: &World<S>,
    actor: &str,
    route: &Route,
    at: &str,
) -> Response {
    let mut path = path_with(route, |name| stage.path_value(route, name, at));
    let query = stage.query(route);
    if !query.is_empty() {
        path = format!("{path}?{query}");
    }
    let token = stage.token(world, actor);
    let actor = token.as_deref().map_or(Actor::Nobody, Actor::Token);
    let request = Request {
        method: route.method.clone(),
        path: &path,
        body: stage.body(route, at),
        headers: &[],
    };
    world.send(actor, request).await
}
