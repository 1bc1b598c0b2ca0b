//! Pages as responses of operations.

use askama::Template;
use http::HeaderValue;
use http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, VARY};

use super::assets::{self, Asset};
use super::layout::{Frame, HTML, POLICY};
use crate::call::Request;
use crate::problem::Problem;
use crate::reply::Reply;
use crate::route::Answered;
use crate::view::Response;

/// 200 with a page. Its content is a template of the service; the frame around it is the same for all pages.
///
/// ```ignore
/// #[operation(GET "/live/{token}", public, refuses(ShareNotFound))]
/// async fn live_page(app: &App, call: &Call<SharePath>) -> Answer<Html> {
///     let game = follow::shared_game(app, call).await?;
///     let page = Html::new(call, "Red Sox – Blue Jays", &LivePage::of(&game))?;
///     Ok(page.live(format!("/share/{}/events", call.path.token)).into())
/// }
/// ```
pub struct Html {
    page: FramedPage,
    policy: HeaderValue,
}

/// A page of a service in its frame.
#[derive(Template)]
#[template(path = "page.html")]
struct FramedPage {
    frame: Frame,
    title: String,
    content: String,
    /// The path of the events that refresh the page.
    live: Option<String>,
    /// The user whose queued requests the page sends.
    queue_of: Option<String>,
}

impl Html {
    /// Renders the content of a page and gives it a title.
    ///
    /// # Errors
    /// Returns 500 if the template can't be rendered.
    pub fn new(
        request: &Request,
        title: impl Into<String>,
        content: &impl Template,
    ) -> Result<Self, Problem> {
        let content = content.render().map_err(|error| Problem::internal(error.to_string()))?;
        let mut frame = Frame::of(request).script(Asset::FormScript);
        frame.scripts.extend(assets::needed_by(&content));
        Ok(Self {
            page: FramedPage { frame, title: title.into(), content, live: None, queue_of: None },
            policy: HeaderValue::from_static(POLICY),
        })
    }

    /// Refreshes the page while it is open: for each event from this path of the service, the parts
    /// of the page that have an `id` and the attribute `data-part` are replaced.
    #[must_use]
    pub fn live(mut self, events: impl AsRef<str>) -> Self {
        let frame = &mut self.page.frame;
        self.page.live = Some(format!("/{}{}", frame.service.name, events.as_ref()));
        frame.scripts.push(Asset::LiveScript);
        self
    }

    /// Sets the name of the signed-in user, and the path of the user's page.
    #[must_use]
    pub fn viewer(mut self, name: impl Into<String>, path: &'static str) -> Self {
        let frame = &mut self.page.frame;
        frame.viewer = frame.viewer.take().map(|_| name.into());
        frame.account = path;
        self
    }

    /// Lets forms of the page be sent to another origin as well, such as that of a payment gateway. A text that is not
    /// an origin allows nothing.
    #[must_use]
    pub fn sends_forms_to(mut self, origin: Option<&str>) -> Self {
        let is_origin = |origin: &&str| {
            origin.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';' && byte != b',')
        };
        if let Some(origin) = origin.filter(is_origin) {
            let allowed = format!("form-action 'self' {origin}");
            let policy = POLICY.replace("form-action 'self'", &allowed);
            self.policy = HeaderValue::from_str(&policy).unwrap_or(self.policy);
        }
        self
    }

    /// Stores the requests of its [queued forms](super::Form::queued) in the browser until the
    /// server has accepted them: people can continue without a network, also after reloading the
    /// page.
    #[must_use]
    pub fn queued(mut self, request: &Request) -> Self {
        self.page.queue_of = request.principal.as_ref().map(|principal| principal.id.clone());
        self.page.frame.scripts.push(Asset::OutboxScript);
        self
    }
}

impl Response for Html {
    const MEDIA_TYPES: &'static [&'static str] = &["text/html"];
    const IS_PAGE: bool = true;

    fn describe() -> Answered {
        Answered { status: 200, meaning: "The page.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        // Rendering the whole page can't fail: its content is a text already.
        match self.page.render() {
            Ok(text) => reply_with(200, text, self.policy),
            Err(error) => unreachable!("a text is put into a frame: {error}"),
        }
    }
}

/// Returns a page as a reply, with its security headers.
pub(crate) fn reply(status: u16, text: String) -> Reply {
    reply_with(status, text, HeaderValue::from_static(POLICY))
}

fn reply_with(status: u16, text: String, policy: HeaderValue) -> Reply {
    let mut reply = Reply::text(HTML, text)
        .header(CONTENT_SECURITY_POLICY, policy)
        .header(VARY, HeaderValue::from_static("Cookie"))
        // With `no-referrer`, browsers would not name the origin of forms either.
        .header(REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    reply.status = status;
    reply
}
