//! The pages of sign-in.

use askama::Template;
use http::Method;

use super::rows::Person;
use super::ticket::Ticket;
use super::{MAIL_LINK_LIFETIME, SignIn};
use crate::call::Request;
use crate::handler::Handler;
use crate::http::form::{local_path, see_other};
use crate::outbox::{Letter, MailError};
use crate::pages::{Form, Html};
use crate::problem::Problem;
use crate::reply::Reply;
use crate::route::Route;
use crate::schema::{Field, Schema};
use crate::view::Response as _;

/// The maximum number of links to one address, and of requests for links from one client, per hour.
const LINKS_PER_ADDRESS_MAX: i64 = 5;
const LINKS_PER_CLIENT_MAX: i64 = 20;
/// How long an e-mail may take to be sent.
const DELIVERY_MAX: std::time::Duration = std::time::Duration::from_secs(10);

/// The page on which people request a link, or see that they are signed in.
#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignInPage {
    title: &'static str,
    has_mail: bool,
    form: Form,
    /// A form for each demo user.
    people: Vec<Form>,
}

/// The page after requesting a link.
#[derive(Template)]
#[template(path = "link_sent.html")]
struct LinkSentPage {
    email: String,
    minutes: u64,
}

/// The page of a link: opening it changes nothing, its button uses the link.
#[derive(Template)]
#[template(path = "use_link.html")]
struct UseLinkPage {
    person: String,
    title: &'static str,
    form: Form,
}

/// The signed-in user, and sign-out.
#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    id: String,
    email: Option<String>,
    roles: String,
    sign_out: Form,
    sign_out_everywhere: Form,
}

/// The actions of people.
#[derive(Clone, Copy)]
enum Action {
    ShowSignIn,
    RequestLink,
    SignInAs,
    ShowLink,
    UseLink,
    ShowAccount,
    SignOut,
    SignOutEverywhere,
}

const ALL: [Action; 8] = [
    Action::ShowSignIn,
    Action::RequestLink,
    Action::SignInAs,
    Action::ShowLink,
    Action::UseLink,
    Action::ShowAccount,
    Action::SignOut,
    Action::SignOutEverywhere,
];

/// Returns the routes of sign-in. They are pages, and not part of the API.
pub(crate) fn routes(sign_in: &SignIn) -> Vec<Route> {
    ALL.map(|action| action.route(sign_in)).into()
}

impl Action {
    fn route(self, sign_in: &SignIn) -> Route {
        let (method, path, operation, summary) = match self {
            Self::ShowSignIn => (Method::GET, "/sign-in", "showSignIn", "Sign in"),
            Self::RequestLink => (Method::POST, "/sign-in", "requestLink", "Sign in"),
            Self::SignInAs => (Method::POST, "/sign-in-as", "signInAs", "Sign in"),
            Self::ShowLink => (Method::GET, "/sign-in/{ticket}", "showLink", "Sign in"),
            Self::UseLink => (Method::POST, "/sign-in/{ticket}", "useLink", "Sign in"),
            Self::ShowAccount => (Method::GET, "/account", "showAccount", "Account"),
            Self::SignOut => (Method::POST, "/sign-out", "signOut", "Sign out"),
            Self::SignOutEverywhere => {
                (Method::POST, "/sign-out/everywhere", "signOutEverywhere", "Sign out everywhere")
            }
        };
        let sign_in = sign_in.clone();
        let handler = Handler::of_every_service(move |_, request| {
            let sign_in = sign_in.clone();
            async move { sign_in.run(self, request).await }
        });
        let mut route = Route::with(method, path, operation, handler).about("", summary);
        route.is_page = true;
        let then = Field::text("then", 0..=500);
        match self {
            Self::ShowSignIn => route.query(Schema::object("SignInQuery", [then])).public(),
            Self::RequestLink => {
                let email = Field::text("email", 3..=254)
                    .required()
                    .about("You get a link by e-mail that signs you in.")
                    .check(address);
                route.body(Schema::object("RequestLink", [email, then])).public()
            }
            Self::SignInAs => {
                let person = Field::id("person").required();
                route.body(Schema::object("SignInAs", [person, then])).public()
            }
            Self::ShowLink | Self::UseLink => route.public(),
            Self::ShowAccount | Self::SignOut | Self::SignOutEverywhere => route,
        }
    }
}

impl SignIn {
    async fn run(&self, action: Action, request: Request) -> Result<Reply, Problem> {
        match action {
            Action::ShowSignIn => self.show_sign_in(&request),
            Action::RequestLink => self.request_link(&request).await,
            Action::SignInAs => self.sign_in_as(&request).await,
            Action::ShowLink => self.show_link(&request).await,
            Action::UseLink => {
                let link = request.path.get("ticket").map_or("", String::as_str);
                self.sign_in(&request, link, None).await
            }
            Action::ShowAccount => self.show_account(&request),
            Action::SignOut => self.sign_out(&request, false).await,
            Action::SignOutEverywhere => self.sign_out(&request, true).await,
        }
    }

    /// Shows the form for an e-mail address.
    fn show_sign_in(&self, request: &Request) -> Result<Reply, Problem> {
        if request.viewer.session.is_some() {
            return Ok(see_other(&format!("/{}/account", request.service.name)));
        }
        let then = request.query.get("then").and_then(|then| then.as_str());
        let then = local_path(request.service, then).into_owned();
        let offered = self.0.offered.get().into_iter().flatten();
        let people = offered.map(|person| {
            let name = person.email.as_ref().unwrap_or(&person.id);
            Form::of(request, &Action::SignInAs.route(self))
                .fixed("person", &person.id)
                .fixed("then", &then)
                .submit(format!("Sign in as {name}"))
        });
        let form = Form::of(request, &Action::RequestLink.route(self))
            .fixed("then", &then)
            .submit("Send the link");
        let page = SignInPage {
            title: request.service.title,
            has_mail: self.0.settings.mailer.is_some(),
            people: people.collect(),
            form,
        };
        Ok(Html::new(request, "Sign in", &page)?.into_reply())
    }

    /// Sends a link to an address. The page does not depend on whether the address is known.
    async fn request_link(&self, request: &Request) -> Result<Reply, Problem> {
        let email = text(request, "email").to_owned();
        self.send_link(request, &email, Some(text(request, "then"))).await?;
        let page = LinkSentPage { email, minutes: MAIL_LINK_LIFETIME.as_secs() / 60 };
        Ok(Html::new(request, "Check your e-mail", &page)?.into_reply())
    }

    /// Sends a link to an address that [`email_address`] has accepted. The result does not depend
    /// on whether the address is known.
    ///
    /// The e-mail does not go through the [outbox](crate::outbox). The person waits for it, so a
    /// failure must be shown at once; a link that was delivered by a later attempt could have
    /// expired; and no row keeps the text, which contains the link. The time that the mailer can
    /// take is bounded, and so is the number of links.
    ///
    /// # Errors
    /// Returns 429 after too many links, 400 if the address accepts no e-mail, 503 if the e-mail
    /// can't be sent.
    pub async fn send_link(
        &self,
        request: &Request,
        email: &str,
        then: Option<&str>,
    ) -> Result<(), Problem> {
        let inner = &*self.0;
        let Some(mailer) = &inner.settings.mailer else {
            let text = "This server sends no e-mail. Its operator can give you a link.";
            return Err(Problem::unavailable(text));
        };
        if let Some(client) = request.client {
            inner.store.count_link(&client.to_string(), LINKS_PER_CLIENT_MAX).await?;
        }
        inner.store.count_link(email, LINKS_PER_ADDRESS_MAX).await?;
        let ticket = Ticket::generate(&*inner.settings.randomness);
        let person = Person { subject: None, email: Some(email.to_owned()), roles: Vec::new() };
        let then = then.map(str::to_owned);
        inner.store.create_link(&ticket, person, then, MAIL_LINK_LIFETIME).await?;
        let letter = self.letter(request, email, &ticket);
        let sent = tokio::time::timeout(DELIVERY_MAX, mailer.deliver(&letter)).await;
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(MailError::Never(reason))) => Err(Problem::field("email", reason)),
            Ok(Err(MailError::Later(_))) | Err(_) => {
                let text = "The e-mail could not be sent. Try again in a minute.";
                Err(Problem::unavailable(text))
            }
        }
    }

    fn letter(&self, request: &Request, email: &str, ticket: &Ticket) -> Letter {
        let (title, name) = (request.service.title, request.service.name);
        let url = format!("{}/{name}/sign-in/{}", self.0.settings.origin, ticket.reveal());
        let minutes = MAIL_LINK_LIFETIME.as_secs() / 60;
        Letter {
            recipient: email.to_owned(),
            subject: format!("Sign in to {title}"),
            text: format!(
                "Open this link to sign in to {title}:\n\n{url}\n\n\
                 It works once, within {minutes} minutes. If you did not ask for it, ignore this e-mail.\n"
            ),
            deduplication_key: format!("sign-in-{}", ticket.id),
        }
    }

    /// Signs in as a demo user.
    async fn sign_in_as(&self, request: &Request) -> Result<Reply, Problem> {
        let mut offered = self.0.offered.get().into_iter().flatten();
        let person = offered.find(|person| person.id == text(request, "person"));
        let person =
            person.ok_or_else(|| Problem::not_found("NOT_FOUND", "There is no such demo user."))?;
        let link = Ticket::generate(&*self.0.settings.randomness);
        let store = &self.0.store;
        store.create_link(&link, Person::from(person), None, MAIL_LINK_LIFETIME).await?;
        self.sign_in(request, &link.reveal(), Some(text(request, "then"))).await
    }

    /// Shows the button that uses a link. Programs that open links in e-mails do not press it.
    async fn show_link(&self, request: &Request) -> Result<Reply, Problem> {
        let found = self.0.store.link(&ticket(request)?).await?.ok_or_else(unusable)?;
        let Person { subject, email, .. } = found.person;
        let page = UseLinkPage {
            person: email.or(subject).unwrap_or_default(),
            title: request.service.title,
            form: Form::of(request, &Action::UseLink.route(self)).submit("Sign in"),
        };
        Ok(Html::new(request, "Sign in", &page)?.into_reply())
    }

    /// Uses a link, and starts a session.
    async fn sign_in(
        &self,
        request: &Request,
        link: &str,
        then: Option<&str>,
    ) -> Result<Reply, Problem> {
        let session = self.open_session(request, link).await?.ok_or_else(unusable)?;
        let then = local_path(request.service, then.or(session.then.as_deref()));
        Ok(see_other(&then).cookies(session.cookies))
    }

    fn show_account(&self, request: &Request) -> Result<Reply, Problem> {
        let principal = request.principal()?;
        let form = |action: Action| Form::of(request, &action.route(self));
        let page = AccountPage {
            id: principal.id.clone(),
            email: principal.email.clone(),
            roles: principal.roles.join(", "),
            sign_out: form(Action::SignOut).submit("Sign out"),
            sign_out_everywhere: form(Action::SignOutEverywhere).submit("Sign out everywhere"),
        };
        Ok(Html::new(request, "Account", &page)?.into_reply())
    }

    async fn sign_out(&self, request: &Request, everywhere: bool) -> Result<Reply, Problem> {
        let subject = if everywhere { Some(request.principal()?.id.as_str()) } else { None };
        self.end(subject, request.viewer.session.as_ref()).await?;
        let cookies = self.cookies(request.service).clear();
        Ok(see_other(&format!("/{}/sign-in", request.service.name)).cookies(cookies))
    }
}

fn ticket(request: &Request) -> Result<Ticket, Problem> {
    let text = request.path.get("ticket").map_or("", String::as_str);
    Ticket::parse(text).ok_or_else(unusable)
}

/// Creates the same problem for links that were used, have expired or never existed.
fn unusable() -> Problem {
    let text = "This link was used already, or has expired. Ask for a new one.";
    Problem::not_found("LINK_NOT_USABLE", text)
}

fn text<'a>(request: &'a Request, name: &str) -> &'a str {
    request.body.get(name).and_then(|value| value.as_str()).unwrap_or_default()
}

/// Returns an e-mail address in the form in which it is stored.
///
/// # Errors
/// Returns the message for the field, if it is not an address.
pub fn email_address(text: &str) -> Result<String, String> {
    let text = text.trim().to_lowercase();
    let is_plain = text.chars().all(|one| !one.is_whitespace() && !one.is_control());
    let is_address = text.split_once('@').is_some_and(|(name, host)| {
        let is_host = host.contains('.') && !host.starts_with('.') && !host.ends_with('.');
        !name.is_empty() && is_host && !host.contains('@')
    });
    if !is_plain || !is_address || text.contains(['<', '>', ',', ';', '"']) {
        return Err("must be an e-mail address such as ann@example.org".to_owned());
    }
    Ok(text)
}

fn address(value: &mut serde_json::Value) -> Result<(), String> {
    *value = email_address(value.as_str().unwrap_or_default())?.into();
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn addresses_are_compared_in_lower_case() {
        let mut value = json!(" Ann@Example.ORG ");
        super::address(&mut value).unwrap();
        assert_eq!(value, "ann@example.org");
        for wrong in ["", "ann", "@example.org", "ann@", "a@b", "a b@c.d", "a@b.c,d@e.f", "a@.b"] {
            assert!(super::address(&mut json!(wrong)).is_err(), "{wrong}");
        }
    }
}
