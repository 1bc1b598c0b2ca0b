//! `GET /stories/{id}`: shows an ended match, for a link that can be shared.

use askama::Template;
use monotable_kit::{Answer, Call, Html, KeptPage, operation};

use crate::api::MatchPath;
use crate::api::story::export::story;
use crate::api::story::verify::{VerificationView, verification};
use crate::app::App;
use crate::refusal::Refusal;
use crate::rules::narration::Summary;
use crate::rules::story::{Chapter, Story, chapters, places};
use crate::turn::seen;

/// The content of the page.
#[derive(Template)]
#[template(path = "story.html")]
struct StoryPage {
    story: Story,
    verification: VerificationView,
}

/// Shows the story of an ended match, its ranking, and whether it was played fairly.
#[operation(GET "/stories/{id}", public, refuses(MatchNotFound, NotEnded))]
pub(crate) async fn story_page(app: &App, call: &Call<MatchPath>) -> Answer<Html> {
    let match_id = &call.path.id;
    let page =
        KeptPage::new(format!("story {match_id}"), seen(app, match_id).await?.stamps.version);
    let render = async {
        let verification = verification(app, match_id).await?;
        let page = StoryPage { story: story(app, match_id).await?, verification };
        Html::new(call, page.story.title(), &page)
    };
    app.pages.show(call, page, app.db.now(), render).await
}

impl StoryPage {
    /// Returns the days with their turns.
    fn days(&self) -> impl Iterator<Item = (&Summary, Vec<Chapter>)> {
        self.story.summaries.iter().map(|day| (day, chapters(&self.story, day.day)))
    }
}
