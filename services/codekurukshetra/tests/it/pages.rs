//! The pages: what they show and lead to, and that nothing in a text becomes part of them.

use monotable_codekurukshetra::table::{
    Alert, CodeKurukshetraReads as _, College, Participant, RegistrationStatus, TeamName,
};
use monotable_kit::payment_gateway::Attempt;
use serde_json::json;

use crate::event_day::{code, paid_team};
use crate::world::{Event, done, id};

/// What somebody could have called themselves.
const SCRIPT: &str = "<script>x</script>";

/// Returns a page, which must be there.
async fn page(event: &Event, actor: &str, path: &str) -> String {
    let shown = event.get(actor, path).await;
    assert_eq!(shown.status, 200, "{path}: {}", shown.text);
    assert!(shown.text.contains("<main"), "{path}");
    assert!(!shown.text.contains(SCRIPT), "{path}: {}", shown.text);
    shown.text
}

/// Returns the values of the hidden fields of the form that is sent to a path.
fn fields(page: &str, action: &str) -> Vec<(String, String)> {
    let start = page.find(&format!("action=\"/codekurukshetra{action}\"")).expect(action);
    let form = page[start..].split("</form>").next().unwrap();
    let fields = form.split("<input type=\"hidden\" name=\"").skip(1).map(|field| {
        let (name, rest) = field.split_once("\" value=\"").unwrap();
        (
            name.to_owned(),
            rest.split('"').next().unwrap().replace("&#123;", "{").replace("&#125;", "}"),
        )
    });
    fields.collect()
}

#[tokio::test]
async fn the_home_page_leads_everybody_on() {
    let event = Event::new().await;
    let shown = page(&event, "", "/event").await;
    for text in [
        "20 February 2027, 15:30 to 22 February 2027, 23:30",
        "500 of 500 places are left",
        "₹999",
        "ai-ml",
        "href=\"/codekurukshetra/register\"",
    ] {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    assert!(!shown.contains("/organise"), "{shown}");
    assert!(page(&event, "admin", "/event").await.contains("/codekurukshetra/organise"));
    assert!(page(&event, "judge1", "/event").await.contains("/codekurukshetra/judge"));
    paid_team(&event, "t1", &["ann", "bo"]).await;
    assert!(page(&event, "ann", "/event").await.contains("Your team"));
    event.clock.advance_ms(100 * 24 * 60 * 60 * 1000);
    assert!(page(&event, "", "/event").await.contains("Registration has ended."));
    let unknown = Event::empty().await.get("", "/event").await;
    assert_eq!(unknown.status, 503, "{}", unknown.text);
}

#[tokio::test]
async fn a_team_registers_by_a_form_of_its_size() {
    let event = Event::new().await;
    assert_eq!(event.get("", "/register").await.status, 401);
    let shown = page(&event, "ann", "/register?size=3").await;
    for text in ["You, the leader", "Member 3", "name=\"members.2.email\"", "ann@example.org"] {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    assert!(!shown.contains("members.3."), "{shown}");
    assert!(
        !shown.contains("type=\"checkbox\" id=\"RegisteredMember-members-1-is_leader"),
        "{shown}"
    );
    let hidden = fields(&shown, "/hackathon/register/team");
    let value = |name: &str| {
        let found = hidden.iter().find(|(field, _)| field == name);
        found.unwrap_or_else(|| panic!("no {name} in {hidden:?}")).1.clone()
    };
    assert_eq!(value("members.0.is_leader"), "true");
    assert_eq!(value("members.0.email"), "ann@example.org");
    assert_eq!(value("_then"), "/codekurukshetra/pay");
    // A size that the event does not allow shows the smallest.
    assert!(!page(&event, "ann", "/register?size=9").await.contains("members.2."));
    event.register("ann", "Code Warriors", &["bo"]).await;
    assert!(page(&event, "ann", "/register").await.contains("You are in a team already."));
    assert!(page(&event, "ann", "/join").await.contains("You are in a team already."));
    let full = Event::with(|config| config.max_teams = 1).await;
    full.register("ann", "Code Warriors", &["bo"]).await;
    assert!(page(&full, "cy", "/register").await.contains("Join the waiting list"));
    let closed = Event::with(|config| config.registration_open = false).await;
    assert!(page(&closed, "cy", "/register").await.contains("Registration is closed."));
}

#[tokio::test]
async fn the_leader_pays_on_the_page_of_the_gateway() {
    let event = Event::new().await;
    let team = event.register("ann", "Code Warriors", &["bo"]).await;
    let shown = page(&event, "ann", "/pay").await;
    for text in [
        "Waiting for the payment",
        "held until 16 January 2027",
        "data-until=\"2027-01-16T",
        "Pay ₹999",
    ] {
        assert!(shown.contains(text), "no {text} in {shown}");
    }
    let other = page(&event, "bo", "/pay").await;
    assert!(
        other.contains("The leader of the team pays.") && !other.contains("<button"),
        "{other}"
    );
    assert_eq!(event.get("ann", "/receipt").await.status, 404);
    let order = json!({ "team_id": team["team_id"] });
    let order = done(event.post("ann", "/hackathon/payment/create-order", order).await, 200);
    let order_id = id(order["order_id"].as_str().unwrap());
    event.gateway.attempt(&order_id, Attempt::Fails).unwrap();
    event.deliver().await;
    let shown = page(&event, "ann", "/pay").await;
    assert!(shown.contains("The last payment failed.") && shown.contains("Pay ₹999"), "{shown}");
    let payment = event.gateway.attempt(&order_id, Attempt::Succeeds).unwrap();
    event.deliver().await;
    assert!(page(&event, "ann", "/pay").await.contains("The team takes part."));
    let receipt = page(&event, "bo", "/receipt").await;
    for text in ["₹999", "Code Warriors", payment.payment_id.as_str()] {
        assert!(receipt.contains(text), "no {text} in {receipt}");
    }
    assert!(!receipt.contains("@example.org"), "{receipt}");
}

#[tokio::test]
async fn every_status_has_its_page() {
    let event = Event::new().await;
    paid_team(&event, "t1", &["ann", "bo"]).await;
    for (status, text) in [
        (RegistrationStatus::Confirmed, "The team takes part."),
        (RegistrationStatus::Waitlisted, "All places are taken."),
        (RegistrationStatus::Expired, "Register again"),
        (RegistrationStatus::Refunded, "The fee of ₹999 was returned."),
        (RegistrationStatus::Cancelled, "The team was withdrawn."),
    ] {
        let team = event.app.db.team(&id("t1")).await.unwrap().unwrap();
        event.app.db.edit(team, |team| team.set_registration(status)).await.unwrap();
        let shown = page(&event, "ann", "/pay").await;
        assert!(shown.contains(text), "{status:?}: {shown}");
    }
    let held = Event::new().await;
    held.register("ann", "Code Warriors", &["bo"]).await;
    held.clock.advance_ms(25 * 60 * 60 * 1000);
    let shown = page(&held, "ann", "/pay").await;
    assert!(
        shown.contains("The time for the payment is over.") && !shown.contains("Pay ₹"),
        "{shown}"
    );
}

#[tokio::test]
async fn the_leader_runs_the_team_and_members_see_it() {
    let event = Event::new().await;
    paid_team(&event, "t1", &["ann", "bo", "cy"]).await;
    let lead = page(&event, "ann", "/team").await;
    for text in [
        "Make leader",
        "Remove",
        "Invite somebody",
        "Add somebody yourself",
        "<summary>Track</summary>",
    ] {
        assert!(lead.contains(text), "no {text} in {lead}");
    }
    // A confirmed team keeps its name.
    assert!(!lead.contains("id=\"TeamChanges-name\""), "{lead}");
    let member = page(&event, "bo", "/team").await;
    for text in ["Make leader", "Remove", "Invite", "@example.org"] {
        assert!(!member.contains(text), "{text} in {member}");
    }
    assert!(page(&event, "zoe", "/team").await.contains("You are in no team yet."));
    let shown = page(&event, "ann", "/team/invite?code=abc.DEF_1-2").await;
    assert!(shown.contains("/codekurukshetra/join?code=abc.DEF_1-2"), "{shown}");
    assert!(shown.contains("class=\"qr\""), "{shown}");
    assert_eq!(event.get("ann", "/team/invite?code=%3Cb%3E").await.status, 400);
    let join = page(&event, "zoe", "/join?code=abc.DEF").await;
    assert!(join.contains("value=\"abc.DEF\"") && join.contains("zoe@example.org"), "{join}");
    assert!(page(&event, "bo", "/profile").await.contains("value=\"BO\""));
}

#[tokio::test]
async fn tickets_are_for_their_owners_and_leaders() {
    let event = Event::new().await;
    paid_team(&event, "t1", &["ann", "bo"]).await;
    let (ann, bo) = (code(&event, "ann").await, code(&event, "bo").await);
    let lead = page(&event, "ann", "/tickets").await;
    assert!(lead.contains(&ann) && lead.contains(&bo), "{lead}");
    let own = page(&event, "bo", "/tickets").await;
    assert!(!own.contains(&ann) && own.contains(&bo), "{own}");
    let desk = page(&event, "admin", &format!("/check-in?code={bo}")).await;
    assert!(
        desk.contains(&format!("value=\"{bo}\"")) && desk.contains("data-queued=\"\""),
        "{desk}"
    );
    done(event.post("admin", "/hackathon/admin/checkin", json!({ "code": bo })).await, 201);
    let desk = page(&event, "admin", "/check-in").await;
    assert!(desk.contains("1 arrived") && desk.contains("BO Rao"), "{desk}");
    let own = page(&event, "bo", "/tickets").await;
    let link = own.split("href=\"").find(|rest| rest.contains("/certificates/")).unwrap();
    let path = link.split('"').next().unwrap().split("/codekurukshetra").nth(1).unwrap();
    let certificate = page(&event, "", path).await;
    assert!(certificate.contains("BO Rao") && certificate.contains("Team t1"), "{certificate}");
    for hidden in ["@example.org", "University", "ANN"] {
        assert!(!certificate.contains(hidden), "{hidden} in {certificate}");
    }
}

#[tokio::test]
async fn organisers_find_teams_and_act_on_them() {
    let event = Event::new().await;
    let (team_id, _) = event.paid("ann", &["bo"]).await;
    event.register("cy", "Waiting Ones", &["di"]).await;
    let board = page(&event, "admin", "/organise").await;
    for text in ["Team ann", "Waiting Ones", "₹999", "2/500", "data-live=", "class=\"bars\""] {
        assert!(board.contains(text), "no {text} in {board}");
    }
    assert!(!board.contains("@example.org"), "{board}");
    let paid = page(&event, "admin", "/organise?payment_status=paid&track=&college=").await;
    assert!(paid.contains("Team ann") && !paid.contains("Waiting Ones"), "{paid}");
    assert!(paid.contains("value=\"paid\" selected"), "{paid}");
    let first = page(&event, "admin", "/organise?limit=1").await;
    let next = first.split("href=\"?nextToken=").nth(1).expect("a second page");
    let next = next.split('"').next().unwrap().replace("&#38;", "&");
    let second = page(&event, "admin", &format!("/organise?limit=1&nextToken={next}")).await;
    assert_ne!(first.contains("Team ann"), second.contains("Team ann"));
    let path = format!("/organise/teams/{team_id}");
    let team = page(&event, "admin", &path).await;
    for text in ["ann@example.org", "Return the money", "₹999"] {
        assert!(team.contains(text), "no {text} in {team}");
    }
    let audit = event.app.db.audit(&id("202701")).all().await.unwrap();
    assert!(audit.iter().any(|entry| entry.action == "readPersonalData"), "{audit:?}");
    assert!(page(&event, "admin", "/organise/log").await.contains("readPersonalData"));
    assert!(
        page(&event, "admin", "/organise/settings").await.contains("value=\"CodeKurukshetra\"")
    );
    let empty = Event::empty().await;
    assert!(page(&empty, "admin", "/organise/settings").await.contains("Nobody can register"));
    for path in [
        "/organise",
        "/organise/settings",
        "/organise/judging",
        "/organise/log",
        "/check-in",
        &path,
    ] {
        assert_eq!(event.get("ann", path).await.status, 403, "{path}");
        assert_eq!(event.get("judge1", path).await.status, 403, "{path}");
    }
}

#[tokio::test]
async fn judges_score_by_taps() {
    let event = Event::new().await;
    paid_team(&event, "t1", &["ann", "bo"]).await;
    assert!(page(&event, "judge1", "/judge").await.contains("judge1"), "the id for organisers");
    let work = json!({ "title": "Watch", "description": "Warns of floods.", "url": "https://a.example/b" });
    done(event.put("ann", "/hackathon/team/t1/submission", work).await, 201);
    let chosen = page(&event, "admin", "/organise/judging?judge=judge1").await;
    assert!(chosen.contains("name=\"team_ids\" value=\"t1\""), "{chosen}");
    let teams = json!({ "team_ids": ["t1"] });
    assert_eq!(
        event.post("admin", "/hackathon/admin/judges/judge1/teams", teams).await.status,
        204
    );
    assert!(page(&event, "judge1", "/judge").await.contains("You have scored 0 of 1 teams."));
    let form = page(&event, "judge1", "/judge/t1").await;
    assert!(form.contains("<legend>Innovation</legend>"), "{form}");
    assert_eq!(form.matches("value=\"10\"").count(), 4, "{form}");
    let scores = ["Innovation", "Execution", "Impact", "Presentation"];
    let scores = scores.map(|name| json!({ "criterion": name, "points": 7 }));
    let score = json!({ "scores": scores, "comment": "Clear" });
    done(event.put("judge1", "/hackathon/team/t1/score", score).await, 201);
    let form = page(&event, "judge1", "/judge/t1").await;
    assert_eq!(form.matches("value=\"7\" required checked").count(), 4, "{form}");
    assert!(form.contains(">Clear</textarea>"), "{form}");
    let board = page(&event, "admin", "/organise/judging").await;
    assert!(board.contains("Team t1") && board.contains("7.0"), "{board}");
    assert_eq!(event.get("ann", "/judge").await.status, 403);
}

/// Every text that people, organisers or the gateway supply is a script.
async fn hostile() -> Event {
    let event = Event::with(|config| config.event_name = format!("Event {SCRIPT}")).await;
    paid_team(&event, "t1", &["ann", "bo"]).await;
    paid_team(&event, "t2", &["cy", "di"]).await;
    let db = &event.app.db;
    // Names like these are refused by the API; another program could have written them.
    let team = db.team(&id("t1")).await.unwrap().unwrap();
    db.edit(team, |team| team.name = TeamName(SCRIPT.to_owned())).await.unwrap();
    for member in ["ann", "bo"] {
        let member = db.participant(&id(member)).await.unwrap().unwrap();
        let change = |member: &mut Participant| {
            member.first_name = SCRIPT.to_owned();
            member.last_name = SCRIPT.to_owned();
            member.college = Some(College(format!("College {SCRIPT}")));
            member.github_username = Some(SCRIPT.to_owned());
        };
        db.edit(member, change).await.unwrap();
    }
    let criteria = json!({ "criteria": [{ "name": SCRIPT, "weight": 1 }] });
    done(event.put("admin", "/hackathon/admin/criteria", criteria).await, 200);
    for (leader, team) in [("ann", "t1"), ("cy", "t2")] {
        let path = format!("/hackathon/team/{team}/submission");
        let work = json!({
            "title": SCRIPT, "description": format!("It is {SCRIPT}"), "url": "https://a.example/x",
        });
        done(event.put(leader, &path, work).await, 201);
    }
    let teams = json!({ "team_ids": ["t1", "t2"] });
    assert_eq!(
        event.post("admin", "/hackathon/admin/judges/judge1/teams", teams).await.status,
        204
    );
    let score = json!({ "scores": [{ "criterion": SCRIPT, "points": 3 }], "comment": SCRIPT });
    done(event.put("judge1", "/hackathon/team/t1/score", score).await, 201);
    let alert = Alert::new(event.now(), id("a1"), SCRIPT, SCRIPT);
    db.create(&alert).await.unwrap();
    let ann = code(&event, "ann").await;
    done(event.post("admin", "/hackathon/admin/checkin", json!({ "code": ann })).await, 201);
    event
}

#[tokio::test]
async fn texts_stay_texts() {
    let event = hostile().await;
    let ticket = done(event.get("ann", "/hackathon/participant/ann/ticket").await, 200);
    let certificate = ticket["certificate_url"].as_str().unwrap();
    let certificate = certificate.split("/codekurukshetra").nth(1).unwrap();
    const ESCAPED: &str = "&#60;script&#62;x&#60;/script&#62;";
    for (actor, path, least) in [
        ("", "/event", 1),
        ("", certificate, 3),
        ("ann", "/team", 5),
        ("ann", "/pay", 1),
        ("ann", "/tickets", 4),
        ("ann", "/profile", 4),
        ("ann", "/submit", 2),
        ("judge1", "/judge", 2),
        ("judge1", "/judge/t1", 4),
        ("admin", "/organise", 2),
        ("admin", "/organise/teams/t1", 6),
        ("admin", "/organise/settings", 1),
        ("admin", "/organise/judging?judge=judge1", 2),
        ("admin", "/organise/log", 2),
        ("admin", "/check-in", 2),
    ] {
        let shown = page(&event, actor, path).await;
        let count = shown.matches(ESCAPED).count();
        assert!(count >= least, "{path} shows it {count} times instead of {least}: {shown}");
    }
    // What is wrong with a form is shown beside its field, as a text.
    let refused = event.post("admin", "/hackathon/admin/checkin", json!({ "code": SCRIPT })).await;
    assert_eq!(refused.outcome(), "404 NOT_FOUND", "{}", refused.text);
    let unknown = event.get("admin", "/organise/teams/%3Cscript%3E").await;
    assert!(!unknown.text.contains("<script>"), "{}", unknown.text);
}
