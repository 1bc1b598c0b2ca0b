//! `GET /stories/{id}`: shows a match that is over, for a link that can be sent around.

use askama::Template;
use monotable_kit::{Answer, Call, Html, operation};

use crate::api::MatchPath;
use crate::api::story::export::story;
use crate::api::story::verify::{VerificationView, verification};
use crate::app::App;
use crate::refusal::Refusal;
use crate::rules::narration::Summary;
use crate::rules::story::{Chapter, Story, chapters, places};

/// The content of the page.
#[derive(Template)]
#[template(path = "story.html")]
struct StoryPage {
    story: Story,
    verification: VerificationView,
}

/// Shows the story of a match that is over, its ranking, and whether it was played fairly.
#[operation(GET "/stories/{id}", public, refuses(MatchNotFound, NotEnded))]
pub(crate) async fn story_page(app: &App, call: &Call<MatchPath>) -> Answer<Html> {
    let story = story(app, &call.path.id).await?;
    let verification = verification(app, &call.path.id).await?;
    let page = StoryPage { story, verification };
    Ok(Html::new(call, page.story.title(), &page)?.into())
}

impl StoryPage {
    /// Returns the days with their turns.
    fn days(&self) -> impl Iterator<Item = (&Summary, Vec<Chapter>)> {
        self.story.summaries.iter().map(|day| (day, chapters(&self.story, day.day)))
    }
}
