//! Sign-in: links, sessions, and everything that strangers try with them.

use std::net::SocketAddr;

use axum::body::Body;
use http::{Method, Request};
use monotable_kit::{Events, Principal, Reply, ReplyBody, Route, SignInStore as _};

use crate::shelf::{App, service};
use crate::world::{Answer, World};

/// A browser: it keeps cookies, and sends what a page of the service sends.
#[derive(Clone, Default)]
pub(crate) struct Browser {
    cookies: Vec<(String, String)>,
}

impl Browser {
    pub(crate) async fn get(&mut self, world: &World, path: &str) -> Answer {
        self.send(world, Method::GET, path, None, &[("sec-fetch-site", "same-origin")]).await
    }

    /// Sends a form of a page of the service.
    pub(crate) async fn post(&mut self, world: &World, path: &str, form: &str) -> Answer {
        self.post_from(world, path, form, &[("sec-fetch-site", "same-origin")]).await
    }

    /// Sends a form with the headers of its origin.
    pub(crate) async fn post_from(
        &mut self,
        world: &World,
        path: &str,
        form: &str,
        headers: &[(&str, &str)],
    ) -> Answer {
        self.send(world, Method::POST, path, Some(form), headers).await
    }

    async fn send(
        &mut self,
        world: &World,
        method: Method,
        path: &str,
        form: Option<&str>,
        headers: &[(&str, &str)],
    ) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("/shelf{path}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        for (name, value) in &self.cookies {
            request = request.header("cookie", format!("{name}={value}"));
        }
        if form.is_some() {
            request = request.header("content-type", "application/x-www-form-urlencoded");
        }
        let body = form.map_or_else(Body::empty, |form| Body::from(form.to_owned()));
        let answer = world.send(request.body(body).unwrap()).await;
        for cookie in answer.headers.get_all("set-cookie") {
            let (name, rest) = cookie.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap().to_owned();
            self.cookies.retain(|(kept, _)| kept != name);
            if !value.is_empty() {
                self.cookies.push((name.to_owned(), value));
            }
        }
        answer
    }

    /// The token of the session, as forms of its pages send it.
    pub(crate) fn csrf(&self) -> String {
        let found = self.cookies.iter().find(|(name, _)| name == "__Host-shelf-csrf");
        format!("_csrf={}", found.map_or("", |(_, value)| value))
    }

    /// Asks for a link and uses it.
    pub(crate) async fn sign_in(&mut self, world: &World, email: &str) -> Answer {
        let sent = self.post(world, "/sign-in", &format!("email={email}")).await;
        assert_eq!(sent.status, 200, "{}", sent.text);
        let link = world.letters.last_link();
        self.post(world, &link, "").await
    }

    /// The subject that is signed in.
    async fn subject(&mut self, world: &World) -> String {
        let page = self.get(world, "/account").await.text;
        let start = page.find("<code>").unwrap() + "<code>".len();
        page[start..].split('<').next().unwrap().to_owned()
    }

    async fn is_signed_in(&mut self, world: &World) -> bool {
        self.get(world, "/account").await.status == 200
    }
}

#[tokio::test]
async fn a_link_by_e_mail_signs_in_once() {
    let world = World::new().await;
    let mut ann = Browser::default();
    let page = ann.get(&world, "/sign-in?then=/shelf/books").await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("value=\"/shelf/books\""), "{}", page.text);
    let sent = ann.post(&world, "/sign-in", "email=Ann@Example.org&then=/shelf/books").await;
    assert!(sent.text.contains("ann@example.org"), "{}", sent.text);
    let link = world.letters.last_link();

    // Programs that look into e-mails follow links; nothing happens by that.
    for _ in 0..2 {
        let shown = ann.get(&world, &link).await;
        assert_eq!(shown.status, 200);
        assert!(shown.headers.get("set-cookie").is_none());
    }
    let signed_in = ann.post(&world, &link, "").await;
    assert_eq!((signed_in.status, signed_in.header("location")), (303, "/shelf/books"));
    let cookies: Vec<&str> = signed_in
        .headers
        .get_all("set-cookie")
        .iter()
        .map(|cookie| cookie.to_str().unwrap())
        .collect();
    assert!(cookies[0].starts_with("__Host-shelf-session="), "{cookies:?}");
    assert!(cookies[0].contains("; Path=/; Secure; HttpOnly; SameSite=Lax"), "{cookies:?}");
    assert!(cookies[1].starts_with("__Host-shelf-csrf="), "{cookies:?}");
    let account = ann.get(&world, "/account").await;
    assert!(account.text.contains("ann@example.org"), "{}", account.text);
    assert!(account.text.contains("librarian"), "the granted role: {}", account.text);

    for again in [ann.post(&world, &link, "").await, ann.get(&world, &link).await] {
        assert_eq!(again.status, 404);
        assert!(again.text.contains("used already, or has expired"), "{}", again.text);
    }
}

#[tokio::test]
async fn of_many_that_use_a_link_at_once_one_signs_in() {
    let world = World::new().await;
    let mut ann = Browser::default();
    ann.post(&world, "/sign-in", "email=ann@example.org").await;
    let link = world.letters.last_link();
    let mut browsers = vec![Browser::default(); 10];
    let tries = browsers.iter_mut().map(|browser| browser.post(&world, &link, ""));
    let mut signed_in = 0;
    for tried in tries {
        signed_in += usize::from(tried.await.status == 303);
    }
    assert_eq!(signed_in, 1);
}

#[tokio::test]
async fn links_and_sessions_end_by_time() {
    let world = World::new().await;
    let mut ann = Browser::default();
    ann.post(&world, "/sign-in", "email=ann@example.org").await;
    world.clock.advance_ms(1_000 * (15 * 60));
    assert_eq!(ann.post(&world, &world.letters.last_link(), "").await.status, 404);
    assert_eq!(ann.sign_in(&world, "ann@example.org").await.status, 303);
    world.clock.advance_ms(1_000 * (24 * 60 * 60 - 1));
    assert!(ann.is_signed_in(&world).await);
    world.clock.advance_ms(1_000);
    let refused = ann.get(&world, "/account").await;
    assert_eq!(refused.status, 401);
    assert!(refused.text.contains("/shelf/sign-in?then=%2Fshelf%2Faccount"), "{}", refused.text);
}

#[tokio::test]
async fn an_address_keeps_its_subject_and_a_printed_link_has_that_of_its_person() {
    let world = World::new().await;
    let (mut first, mut second, mut other) =
        (Browser::default(), Browser::default(), Browser::default());
    first.sign_in(&world, "bob@example.org").await;
    second.sign_in(&world, "BOB@example.org").await;
    other.sign_in(&world, "eve@example.org").await;
    assert_eq!(first.subject(&world).await, second.subject(&world).await);
    assert_ne!(first.subject(&world).await, other.subject(&world).await);

    let ada = Principal {
        id: "demo-ada".to_owned(),
        email: Some("ada@example.org".to_owned()),
        email_verified: true,
        roles: vec!["reader".to_owned()],
    };
    let link = world.sign_in.link(&ada).await.unwrap();
    let (mut printed, mut mailed) = (Browser::default(), Browser::default());
    assert_eq!(printed.post(&world, &link, "").await.status, 303);
    assert_eq!(printed.post(&world, &link, "").await.status, 404, "it works once");
    assert_eq!(printed.subject(&world).await, "demo-ada");
    mailed.sign_in(&world, "ada@example.org").await;
    assert_eq!(mailed.subject(&world).await, "demo-ada");
}

#[tokio::test]
async fn a_subject_that_is_forgotten_is_signed_out_and_its_address_is_free() {
    let world = World::new().await;
    let (mut ann, mut bob) = (Browser::default(), Browser::default());
    ann.sign_in(&world, "ann@example.org").await;
    bob.sign_in(&world, "bob@example.org").await;
    let before = ann.subject(&world).await;
    // Signing out does not give the address away.
    ann.post(&world, "/sign-out/everywhere", &ann.csrf()).await;
    ann.sign_in(&world, "ann@example.org").await;
    assert_eq!(ann.subject(&world).await, before);

    for _ in 0..2 {
        world.db.forget(&before).await.unwrap();
        assert!(!ann.is_signed_in(&world).await);
    }
    let rows = world.database.scan(monotable::dynamodb::Scan::new("shelf")).unwrap().items;
    let rows = format!("{rows:?}");
    assert!(!rows.contains(&before) && !rows.contains("ann@example.org"), "{rows}");
    assert!(bob.is_signed_in(&world).await);
    ann.sign_in(&world, "ann@example.org").await;
    assert_ne!(ann.subject(&world).await, before);
}

#[tokio::test]
async fn signing_out_ends_this_session_or_all() {
    let world = World::new().await;
    let (mut phone, mut desk, mut bob) =
        (Browser::default(), Browser::default(), Browser::default());
    phone.sign_in(&world, "ann@example.org").await;
    desk.sign_in(&world, "ann@example.org").await;
    bob.sign_in(&world, "bob@example.org").await;
    let stolen = phone.clone();

    let out = phone.post(&world, "/sign-out", &phone.csrf()).await;
    assert_eq!((out.status, out.header("location")), (303, "/shelf/sign-in"));
    assert!(phone.cookies.is_empty());
    assert!(!stolen.clone().is_signed_in(&world).await, "the session itself has ended");
    assert!(desk.is_signed_in(&world).await);

    phone.sign_in(&world, "ann@example.org").await;
    let out = phone.post(&world, "/sign-out/everywhere", &phone.csrf()).await;
    assert_eq!(out.status, 303);
    assert!(!desk.is_signed_in(&world).await);
    assert!(bob.is_signed_in(&world).await);
    assert_eq!(desk.sign_in(&world, "ann@example.org").await.status, 303);
}

#[tokio::test]
async fn a_subject_has_so_many_sessions_and_the_oldest_ends() {
    let world = World::new().await;
    let ada =
        Principal { id: "ada".to_owned(), email: None, email_verified: false, roles: Vec::new() };
    let mut browsers = Vec::new();
    for _ in 0..21 {
        let mut browser = Browser::default();
        let link = world.sign_in.link(&ada).await.unwrap();
        assert_eq!(browser.post(&world, &link, "").await.status, 303);
        browsers.push(browser);
    }
    assert!(!browsers[0].is_signed_in(&world).await);
    assert!(browsers[1].is_signed_in(&world).await && browsers[20].is_signed_in(&world).await);
}

#[tokio::test]
async fn a_session_that_somebody_else_chose_is_not_taken_over() {
    let world = World::new().await;
    let mut eve = Browser::default();
    eve.sign_in(&world, "eve@example.org").await;
    // Eve has planted her cookies in Ann's browser.
    let mut ann = eve.clone();
    ann.sign_in(&world, "ann@example.org").await;
    assert_ne!(ann.cookies, eve.cookies, "a new session has a new ticket");
    assert!(ann.get(&world, "/account").await.text.contains("ann@example.org"));
    let shown = eve.get(&world, "/account").await;
    assert!(!shown.text.contains("ann@example.org"), "{}", shown.text);
    // Two cookies of one name are none.
    let twice = ann.cookies[0].clone();
    ann.cookies.push((twice.0, eve.cookies[0].1.clone()));
    assert!(!ann.is_signed_in(&world).await);
}

#[tokio::test]
async fn a_request_that_names_the_services_own_origin_needs_no_token() {
    let world = World::new().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let book = "title=Emma&pages=1";
    let own = [("origin", "https://books.example"), ("host", "books.example")];
    let added = ann.post_from(&world, "/books", book, &own).await;
    assert_eq!(added.status, 303, "{}", added.text);
    for origin in ["https://books.example:8443", "http://books.example", "null"] {
        let headers = [("origin", origin), ("host", "books.example")];
        assert_eq!(ann.post_from(&world, "/books", book, &headers).await.status, 403, "{origin}");
    }
}

#[tokio::test]
async fn pages_of_other_sites_can_change_nothing() {
    let world = World::new().await;
    let mut ann = Browser::default();
    ann.sign_in(&world, "ann@example.org").await;
    let book = "title=Emma&pages=1";
    let csrf = ann.csrf();

    // Without the token, or with that of another session.
    let mut eve = Browser::default();
    eve.sign_in(&world, "eve@example.org").await;
    for token in ["", "&_csrf=", &format!("&{}", eve.csrf())] {
        let refused = ann.post(&world, "/books", &format!("{book}{token}")).await;
        assert_eq!(refused.status, 403, "{token}");
    }
    // From another site, even with the token.
    for headers in [
        &[("sec-fetch-site", "cross-site")][..],
        &[("sec-fetch-site", "same-site")],
        &[("origin", "https://evil.example"), ("host", "books.example")],
        &[("origin", "null"), ("host", "books.example")],
    ] {
        let form = format!("{book}&{csrf}");
        let refused = ann.post_from(&world, "/books", &form, headers).await;
        assert_eq!(refused.status, 403, "{headers:?}");
    }
    // Nor can they sign somebody in or out, with or without a body.
    ann.post(&world, "/sign-in", "email=eve@example.org").await;
    let link = world.letters.last_link();
    let foreign = [("sec-fetch-site", "cross-site")];
    assert_eq!(ann.post_from(&world, &link, "", &foreign).await.status, 403);
    let empty = ann.send(&world, Method::POST, &link, None, &foreign).await;
    assert_eq!(empty.status, 403);
    assert_eq!(ann.post_from(&world, "/sign-out", &csrf, &foreign).await.status, 403);
    assert!(ann.get(&world, "/account").await.text.contains("ann@example.org"));

    let same = [("origin", "https://books.example"), ("host", "books.example")];
    let form = format!("{book}&{csrf}&_then=/shelf/books/{{bookId}}");
    let added = ann.post_from(&world, "/books", &form, &same).await;
    assert_eq!(added.status, 303, "{}", added.text);
    assert!(added.header("location").starts_with("/shelf/books/"), "{:?}", added.headers);
}

#[tokio::test]
async fn nobody_is_led_to_another_site() {
    let world = World::new().await;
    for then in [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/shelf/../../evil",
        "/other/",
        "javascript:alert(1)",
    ] {
        let mut ann = Browser::default();
        ann.post(&world, "/sign-in", &format!("email=a{}@example.org&then={then}", then.len()))
            .await;
        let signed_in = ann.post(&world, &world.letters.last_link(), "").await;
        assert_eq!(
            (signed_in.status, signed_in.header("location")),
            (303, "/shelf/docs"),
            "{then}"
        );
        let page = Browser::default().get(&world, &format!("/sign-in?then={then}")).await;
        assert!(!page.text.contains("evil") && !page.text.contains("javascript:"), "{then}");
    }
}

#[tokio::test]
async fn links_are_limited_by_address() {
    let world = World::new().await;
    let mut eve = Browser::default();
    for _ in 0..5 {
        assert_eq!(eve.post(&world, "/sign-in", "email=ann@example.org").await.status, 200);
    }
    let refused = eve.post(&world, "/sign-in", "email=ANN@example.org").await;
    assert_eq!(refused.status, 429);
    assert!(refused.text.contains("Too many links"), "{}", refused.text);
    assert_eq!(eve.post(&world, "/sign-in", "email=bob@example.org").await.status, 200);
    world.clock.advance_ms(1_000 * (60 * 60));
    assert_eq!(eve.post(&world, "/sign-in", "email=ann@example.org").await.status, 200);
}

#[tokio::test]
async fn links_are_limited_by_client() {
    let world = World::new().await;
    let ask = async |client: u8, number: u8| {
        let form = format!("email=ann{client}-{number}@example.org");
        let request = Request::post("/shelf/sign-in")
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .extension(SocketAddr::from(([192, 0, 2, client], 4711)))
            .body(Body::from(form));
        world.send(request.unwrap()).await.status
    };
    for number in 0..20 {
        assert_eq!(ask(1, number).await, 200, "{number}");
    }
    assert_eq!((ask(1, 20).await, ask(2, 0).await), (429, 200));
    world.clock.advance_ms(1_000 * (60 * 60));
    assert_eq!(ask(1, 21).await, 200);
}

#[tokio::test]
async fn a_demo_offers_its_people_and_nobody_else() {
    let world = World::new().await;
    let mut guest = Browser::default();
    assert_eq!(guest.post(&world, "/sign-in-as", "person=ada").await.status, 404);
    world.sign_in.offer(vec![Principal {
        id: "ada".to_owned(),
        email: None,
        email_verified: false,
        roles: Vec::new(),
    }]);
    let page = guest.get(&world, "/sign-in").await;
    assert!(page.text.contains("Sign in as ada"), "{}", page.text);
    assert_eq!(guest.post(&world, "/sign-in-as", "person=root").await.status, 404);
    assert_eq!(guest.post(&world, "/sign-in-as", "person=ada").await.status, 303);
    assert!(guest.is_signed_in(&world).await);
}

#[tokio::test]
async fn a_stream_of_an_ended_session_says_so() {
    let world = World::new().await;
    let mut ann = Browser::default();
    assert_eq!(ann.get(&world, "/events").await.status, 401, "nobody is signed in");
    ann.sign_in(&world, "ann@example.org").await;
    assert!(ann.get(&world, "/events").await.text.contains("data: 1"));
    world.clock.advance_ms(1_000 * (25 * 60 * 60));
    let ended = ann.get(&world, "/events").await;
    assert_eq!(ended.status, 200);
    assert!(ended.text.starts_with("event: signed-out\n"), "{}", ended.text);
}

#[tokio::test(start_paused = true)]
async fn signing_out_ends_the_streams_of_the_session_and_no_others() {
    let mut service = service();
    let nothing = |_: std::sync::Arc<App>, _| async {
        let stream = Events::default().subscribe("nothing");
        Ok(Reply::new(200, ReplyBody::Events(Box::pin(stream))))
    };
    let route = Route::new(Method::GET, "/silence", "followNothing", nothing);
    service.routes.push(route.produces(&["text/event-stream"]));
    let world = World::of(service, |host| host).await;
    let (mut phone, mut desk) = (Browser::default(), Browser::default());
    phone.sign_in(&world, "ann@example.org").await;
    desk.sign_in(&world, "ann@example.org").await;
    let (mut followed, mut other) = (phone.clone(), desk.clone());
    let sign_out = async {
        tokio::time::sleep(std::time::Duration::from_secs(20)).await;
        phone.post(&world, "/sign-out", &phone.csrf()).await
    };
    let (ended, lasting, _) =
        tokio::join!(followed.get(&world, "/silence"), other.get(&world, "/silence"), sign_out);
    let said = ended.text.split_once("event: signed-out\n");
    assert_eq!(said.map(|(before, _)| before), Some(": keep-alive\n\n"), "{}", ended.text);
    assert!(!lasting.text.contains("signed-out"), "{}", lasting.text);

    let (mut followed, mut one) = (desk.clone(), desk.clone());
    let sign_out = async {
        tokio::task::yield_now().await;
        desk.post(&world, "/sign-out/everywhere", &desk.csrf()).await
    };
    let (first, second, _) =
        tokio::join!(followed.get(&world, "/silence"), one.get(&world, "/silence"), sign_out);
    for ended in [first, second] {
        assert!(ended.text.starts_with("event: signed-out\n"), "{}", ended.text);
    }
}

#[tokio::test]
async fn rows_keep_no_secret_and_no_address_is_in_a_key() {
    let world = World::new().await;
    let mut ann = Browser::default();
    ann.post(&world, "/sign-in", "email=ann@example.org").await;
    let link = world.letters.last_link();
    let secret = link.rsplit('.').next().unwrap().to_owned();
    let stored = |world: &World| {
        let rows = world.database.scan(monotable::dynamodb::Scan::new("shelf")).unwrap().items;
        format!("{rows:?}")
    };
    assert!(stored(&world).contains("AUTH_MAGIC#"));
    assert!(!stored(&world).contains(&secret));
    ann.post(&world, &link, "").await;
    let cookie = ann.cookies[0].1.rsplit('.').next().unwrap().to_owned();
    let rows = stored(&world);
    assert!(rows.contains("AUTH_SESSION#") && !rows.contains("AUTH_MAGIC#"), "{rows}");
    assert!(!rows.contains(&cookie));
    assert!(!rows.contains("#ann@example.org"), "{rows}");
    assert!(!world.log.text().contains("ann@example.org"));
}
