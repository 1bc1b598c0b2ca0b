//! Every operation by every actor. The operations are those of the service, so that a new one fails here until
//! the table has a row for it.

use std::sync::Arc;

use monotable_codekurukshetra::service;
use monotable_codekurukshetra::table::CodeKurukshetraReads as _;
use monotable_kit::payment_gateway::{Attempt, Gateway as _};
use monotable_kit::{Field, Route};
use monotable_testkit::service::{Matrix, Stage, example_body};
use serde_json::{Value, json};

use crate::world::{Event, Hackathon, World, done, person, team_body};

/// zoe is in no team, bo is a member of the team that ann leads, judge1 scores it and judge2 others. The team is confirmed,
/// has handed in its work, and bo has arrived; or it is `new`; or its place is `held` while the gateway
/// has the payment; or its money was `refunded`.
const MATRIX: Matrix = Matrix {
    table: "
GET    /hackathon/config                                -  ... ......
GET    /hackathon/tracks                                -  ... ......
GET    /hackathon/health                                -  ... ......
POST   /hackathon/register/team                         -  uuu .fffff
POST   /hackathon/payment/create-order                  -  uuu -fc-ff
POST   /hackathon/payment/create-order                  new uuu -f.-ff
POST   /hackathon/payment/verify                        held uuu -f.-ff
POST   /hackathon/payment/callback                      held ... ......
POST   /hackathon/payment/webhook                       -  sss ssssss
GET    /hackathon/team/{teamId}                         -  uuu -..-..
PUT    /hackathon/team/{teamId}                         -  uuu -fc-fc
PUT    /hackathon/team/{teamId}                         held uuu -f.-f.
DELETE /hackathon/team/{teamId}                         -  uuu fffffc
DELETE /hackathon/team/{teamId}                         held uuu fffff.
POST   /hackathon/team/{teamId}/leader                  -  uuu -f.-f.
POST   /hackathon/team/{teamId}/members                 -  uuu -f.-f.
PUT    /hackathon/team/{teamId}/members/{participantId} -  uuu -f.-f.
DELETE /hackathon/team/{teamId}/members/{participantId} -  uuu -f.-f.
POST   /hackathon/team/{teamId}/invites                 -  uuu -f.-f.
GET    /hackathon/team/{teamId}/invites                 -  uuu -f.-f.
DELETE /hackathon/team/{teamId}/invites/{inviteId}      -  uuu -f.-f.
POST   /hackathon/invites/accept                        -  uuu .cc...
GET    /hackathon/participant/{participantId}           -  uuu -..--.
PUT    /hackathon/participant/{participantId}           -  uuu -.f--.
PUT    /hackathon/participant/{participantId}           held uuu -..--.
DELETE /hackathon/participant/{participantId}           -  uuu -.f--.
GET    /hackathon/me                                    -  uuu ......
GET    /hackathon/me/export                             -  uuu -..---
GET    /hackathon/participant/{participantId}/ticket    -  uuu -..-f.
POST   /hackathon/admin/checkin                         -  uuu fffff.
GET    /hackathon/admin/checkin                         -  uuu fffff.
GET    /hackathon/admin/checkin/live                    -  uuu fffff.
DELETE /hackathon/admin/checkin/{participantId}         -  uuu fffff.
GET    /hackathon/certificates/{code}                   -  ... ......
PUT    /hackathon/team/{teamId}/submission              -  uuu -..-ff
GET    /hackathon/team/{teamId}/submission              -  uuu -..-..
GET    /hackathon/admin/submissions                     -  uuu fffff.
GET    /hackathon/criteria                              -  ... ......
PUT    /hackathon/admin/criteria                        -  uuu fffff.
POST   /hackathon/admin/judges/{judgeId}/teams          -  uuu fffff.
GET    /hackathon/admin/judges/{judgeId}/teams          -  uuu fffff.
DELETE /hackathon/admin/judges/{judgeId}/teams/{teamId} -  uuu fffff.
GET    /hackathon/judging/teams                         -  uuu fff...
PUT    /hackathon/team/{teamId}/score                   -  uuu -ff-..
GET    /hackathon/admin/leaderboard                     -  uuu fffff.
GET    /hackathon/admin/registrations                   -  uuu fffff.
GET    /hackathon/admin/payments                        -  uuu fffff.
GET    /hackathon/admin/orders/{orderId}                -  uuu fffff.
GET    /hackathon/admin/participants                    -  uuu fffff.
GET    /hackathon/admin/participants/{participantId}/teams - uuu fffff.
GET    /hackathon/admin/statistics                      -  uuu fffff.
GET    /hackathon/admin/statistics/daily                -  uuu fffff.
GET    /hackathon/admin/capacity                        -  uuu fffff.
GET    /hackathon/admin/funnel                          -  uuu fffff.
GET    /hackathon/admin/live                            -  uuu fffff.
GET    /hackathon/admin/colleges                        -  uuu fffff.
GET    /hackathon/admin/colleges/merges                 -  uuu fffff.
PUT    /hackathon/admin/colleges/merges                 -  uuu fffff.
DELETE /hackathon/admin/colleges/merges                 -  uuu fffff.
GET    /hackathon/admin/export/csv                      -  uuu fffff.
GET    /hackathon/admin/export/json                     -  uuu fffff.
GET    /hackathon/admin/config                          -  uuu fffff.
PUT    /hackathon/admin/config                          -  uuu fffff.
POST   /hackathon/admin/refund/{teamId}                 -  uuu fffff.
POST   /hackathon/admin/refund/{teamId}                 held uuu fffffc
POST   /hackathon/admin/release/{teamId}                -  uuu fffffc
POST   /hackathon/admin/release/{teamId}                refunded uuu fffff.
POST   /hackathon/admin/reconcile                       -  uuu fffff.
POST   /hackathon/admin/check                           -  uuu fffff.
GET    /hackathon/admin/audit                           -  uuu fffff.
GET    /hackathon/admin/alerts                          -  uuu fffff.
GET    /event                                           -  ... ......
GET    /register                                        -  uuu ......
GET    /join                                            -  uuu ......
GET    /team                                            -  uuu ......
GET    /team/invite                                     -  uuu -..---
GET    /profile                                         -  uuu -..---
GET    /pay                                             held uuu -..---
GET    /gateway/orders/{orderId}                        new ... ......
POST   /gateway/orders/{orderId}/payments               new ... ......
GET    /receipt                                         -  uuu -..---
GET    /receipt                                         held uuu ------
GET    /tickets                                         -  uuu -..---
GET    /tickets                                         held uuu -cc---
GET    /submit                                          -  uuu -..---
GET    /certificates/{code}                             -  ... ......
GET    /judge                                           -  uuu fff...
GET    /judge/{teamId}                                  -  uuu -ff-..
GET    /check-in                                        -  uuu fffff.
GET    /organise                                        -  uuu fffff.
GET    /organise/teams/{teamId}                         -  uuu fffff.
GET    /organise/settings                               -  uuu fffff.
GET    /organise/judging                                -  uuu fffff.
GET    /organise/log                                    -  uuu fffff.
",
    actors: &["nobody", "forged", "expired", "zoe", "bo", "ann", "judge2", "judge1", "admin"],
    marks: &[
        ("401 UNAUTHORIZED", 'u'),
        ("401 INVALID_SIGNATURE", 's'),
        ("403 FORBIDDEN", 'f'),
        ("403 EMAIL_NOT_VERIFIED", 'v'),
    ],
    exempt: &[],
};

/// What the requests are about.
#[derive(Default)]
struct Own {
    team: String,
    bo: String,
    cy: String,
    /// The code that ann shows at the entrance.
    arrival: String,
    certificate: String,
    order: String,
    /// The signed result of a payment.
    result: Value,
    invite: String,
    invite_code: String,
}

impl Stage<Hackathon> for Own {
    fn path_value(&self, route: &Route, name: &str, _at: &str) -> String {
        let value = match name {
            "teamId" => &self.team,
            "participantId" if route.path.contains("/members/") => &self.cy,
            "participantId" => &self.bo,
            "code" => &self.certificate,
            "orderId" => &self.order,
            "inviteId" => &self.invite,
            "judgeId" => "judge1",
            "file" => "draft.js",
            other => panic!("the matrix has no value for {{{other}}} of {}", route.path),
        };
        value.to_owned()
    }

    fn query(&self, route: &Route) -> &str {
        match route.path {
            "/hackathon/admin/payments" => "status=paid",
            "/hackathon/admin/participants" => "college=Example",
            "/hackathon/admin/statistics/daily" => "from=2027-01-01&to=2027-01-31",
            "/hackathon/admin/colleges/merges" if route.method == http::Method::DELETE => {
                "college=Example+U"
            }
            "/team/invite" => "code=a.b",
            _ => "",
        }
    }

    fn body(&self, route: &Route, _at: &str) -> Value {
        match route.path {
            _ if route.body.is_none() => return Value::Null,
            "/hackathon/register/team" => return team_body("New Team", &["zoe", "yve"]),
            "/hackathon/payment/create-order" => return json!({ "team_id": self.team }),
            "/hackathon/payment/verify" | "/hackathon/payment/callback" => {
                return self.result.clone();
            }
            "/gateway/orders/{orderId}/payments" => return json!({ "outcome": "fails" }),
            "/hackathon/team/{teamId}/leader" => return json!({ "participant_id": self.cy }),
            "/hackathon/invites/accept" => {
                let mut body = person("zoe");
                body["code"] = self.invite_code.clone().into();
                body.as_object_mut().unwrap().remove("email");
                return body;
            }
            "/hackathon/admin/checkin" => return json!({ "code": self.arrival }),
            "/hackathon/admin/judges/{judgeId}/teams" => {
                return json!({ "team_ids": [self.team] });
            }
            "/hackathon/team/{teamId}/score" => {
                let names = ["Innovation", "Execution", "Impact", "Presentation"];
                let scores = names.map(|name| json!({ "criterion": name, "points": 5 }));
                return json!({ "scores": scores });
            }
            _ => {}
        }
        example_body(route, &|field: &Field| match (route.path, field.name) {
            ("/hackathon/admin/config", "tracks") => Some(json!(["ai-ml", "web-mobile"])),
            ("/hackathon/admin/config", name) if name.ends_with("_end") => {
                Some(json!("2027-06-01T00:00:00Z"))
            }
            ("/hackathon/admin/config", "event_start") => Some(json!("2027-06-01T00:00:00Z")),
            _ => None,
        })
    }

    fn is_streamed(&self, route: &Route) -> bool {
        route.path.starts_with("/hackathon/admin/export/")
    }

    fn is_compared(&self, row: &str) -> bool {
        // Reading personal data is recorded, and attempts are counted.
        !["AUDIT#", "RATE#"].iter().any(|kind| row.contains(kind))
    }
}

async fn stage(at: &str) -> (World, Own) {
    let event = Event::new().await;
    let (team, order) = event.order("ann", &["bo", "cy"]).await;
    let team_path = format!("/hackathon/team/{team}");
    let attempt = if at == "new" { Attempt::Fails } else { Attempt::Succeeds };
    let attempt = event.gateway.attempt(&order, attempt).unwrap();
    let signature = event.gateway.signatures().of_payment(&order, &attempt.payment_id);
    let webhooks = event.webhooks();
    let mut own = Own {
        team: team.to_string(),
        order: order.to_string(),
        result: json!({
            "razorpay_order_id": order, "razorpay_payment_id": attempt.payment_id,
            "razorpay_signature": signature,
        }),
        ..Own::default()
    };
    // Accounts are linked by the first request.
    for actor in ["bo", "cy"] {
        done(event.get(actor, "/hackathon/me").await, 200);
    }
    let members = event.app.db.team(&team).await.unwrap().unwrap().member_ids;
    (own.bo, own.cy) = (members[1].to_string(), members[2].to_string());
    let teams = json!({ "team_ids": [own.team] });
    let assigned = event.post("admin", "/hackathon/admin/judges/judge1/teams", teams).await;
    assert_eq!(assigned.status, 204, "{}", assigned.text);
    if !["new", "held"].contains(&at) {
        for webhook in &webhooks {
            done(event.webhook(webhook).await, 200);
        }
        let invite = event.post("ann", &format!("{team_path}/invites"), json!({})).await;
        let invite = done(invite, 201);
        own.invite = invite["invite_id"].as_str().unwrap().to_owned();
        own.invite_code = invite["code"].as_str().unwrap().to_owned();
        let work = json!({
            "title": "Watch", "description": "Warns of floods.", "url": "https://a.example/b",
        });
        done(event.put("ann", &format!("{team_path}/submission"), work).await, 201);
        let ticket = async |participant: &str| {
            let path = format!("/hackathon/participant/{participant}/ticket");
            done(event.get("admin", &path).await, 200)
        };
        let code = ticket(&own.bo).await["code"].clone();
        done(event.post("admin", "/hackathon/admin/checkin", json!({ "code": code })).await, 201);
        let certificate = ticket(&own.bo).await["certificate_url"].as_str().unwrap().to_owned();
        own.certificate = certificate.rsplit('/').next().unwrap().to_owned();
        own.arrival = ticket(members[0].as_str()).await["code"].as_str().unwrap().to_owned();
        let merge = json!({ "college": "Example U", "into": "Example University" });
        let merged = event.put("admin", "/hackathon/admin/colleges/merges", merge).await;
        assert!(merged.is_success(), "{}", merged.text);
    }
    if at == "refunded" {
        let path = format!("/hackathon/admin/refund/{team}");
        let reason = json!({ "reason": "The team has withdrawn." });
        done(event.post("admin", &path, reason).await, 200);
        for _ in 0..3 {
            event.app.work().await.unwrap();
        }
    }
    let Event { world, gateway } = event;
    drop(gateway);
    let world = Arc::try_unwrap(world).unwrap_or_else(|_| panic!("another event has the world"));
    (world, own)
}

#[tokio::test]
async fn everybody_gets_what_the_table_shows() {
    MATRIX.check(stage).await;
}

#[test]
fn no_operation_is_left_out() {
    MATRIX.assert_complete(&service());
}

/// A field that is added to a row is in no response until a view has it.
#[tokio::test]
async fn views_are_lists_of_what_is_sent() {
    let add = |row: &mut monotable::Item, name: &str| {
        row.insert(name.to_owned(), "secret".into());
    };
    MATRIX.assert_hides_new_fields(stage, add).await;
}

#[tokio::test]
async fn operations_are_unavailable_while_the_backend_does_not_respond() {
    MATRIX.assert_unavailable_without_backend(stage).await;
}
