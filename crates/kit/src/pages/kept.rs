//! A cache of rendered pages that are the same for everyone.

use std::future::Future;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::header::CACHE_CONTROL;
use http::{HeaderName, HeaderValue};
use monotable::model::time::Timestamp;

use crate::call::Request;
use crate::http::respond;
use crate::problem::Problem;
use crate::reply::{Reply, ReplyBody};
use crate::version_cache::VersionCache;
use crate::view::{Answer, Response, Typed};

/// The maximum number of cached pages.
const PAGES_MAX: usize = 512;
/// How long a page is cached: changes by other processes that the version does not cover, such as
/// the name of a player, appear after this time.
const AGE_MAX: Duration = Duration::from_secs(5);

/// The cached pages of a service, by the version of what they show. A page is rendered once for
/// each version, and browsers that have it get 304.
///
/// ```ignore
/// #[operation(GET "/games/{gameId}", public, refuses(NotFound))]
/// async fn game_page(app: &App, call: &Call<GamePath>) -> Answer<Html> {
///     let game = visible_game(app, &call.path.game_id).await?;
///     let page = KeptPage::new(format!("game {}", game.game_id), game.stamps.version);
///     app.pages.show(call, page, app.db.now(), render(app, call, game)).await
/// }
/// ```
///
/// Authorize before using it. A page with a form must not be cached: its hidden fields belong to
/// one viewer.
pub struct KeptPages(VersionCache<String, Kept>);

/// The key of a cached page.
pub struct KeptPage {
    subject: String,
    version: u64,
    with: u64,
}

/// A rendered page.
struct Kept {
    /// The hash of everything else that the page depends on.
    with: u64,
    content_type: &'static str,
    bytes: Bytes,
    hash: Arc<str>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl KeptPage {
    /// Names a page of the service and the version of the row that it shows. A row without a
    /// version, 0, is from an older program; its page is rendered each time.
    pub fn new(subject: impl Into<String>, version: u64) -> Self {
        Self { subject: subject.into(), version, with: 0 }
    }

    /// Adds a dependency of the page: versions of other rows, or the minute of a clock.
    #[must_use]
    pub fn with(self, what: impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        what.hash(&mut hasher);
        Self { with: hasher.finish(), ..self }
    }
}

impl Default for KeptPages {
    fn default() -> Self {
        Self(VersionCache::new(PAGES_MAX, AGE_MAX))
    }
}

impl KeptPages {
    /// Returns the cached page, or renders and caches it. Viewers with a session get a page of
    /// their own, because its frame contains their name.
    ///
    /// # Errors
    /// Returns the errors of `render`.
    pub async fn show<R: Response>(
        &self,
        request: &Request,
        page: KeptPage,
        now: Timestamp,
        render: impl Future<Output = Result<R, Problem>>,
    ) -> Answer<R> {
        if request.viewer.session.is_some() {
            return Ok(render.await?.into());
        }
        let KeptPage { subject, version, with } = page;
        let found = self.0.find(&subject, version, now).filter(|kept| kept.with == with);
        if let Some(kept) = found {
            return Ok(Typed::of(kept.reply()));
        }
        let reply = render.await?.into_reply();
        let ReplyBody::Text { content_type, text } = reply.body else {
            return Ok(Typed::of(reply));
        };
        let mut headers = reply.headers;
        headers.push((CACHE_CONTROL, HeaderValue::from_static("no-cache")));
        let hash = respond::hash(text.as_bytes()).into();
        let kept = Arc::new(Kept { with, content_type, bytes: text.into(), hash, headers });
        self.0.keep(subject, version, Arc::clone(&kept), now);
        Ok(Typed::of(kept.reply()))
    }

    /// Removes all pages, after a change that their versions do not cover.
    pub fn clear(&self) {
        self.0.clear();
    }
}

impl Kept {
    fn reply(&self) -> Reply {
        let (content_type, bytes) = (self.content_type, self.bytes.clone());
        let mut reply = Reply::new(200, ReplyBody::Bytes { content_type, bytes });
        reply.headers.clone_from(&self.headers);
        reply.hash = Some(Arc::clone(&self.hash));
        reply
    }
}
