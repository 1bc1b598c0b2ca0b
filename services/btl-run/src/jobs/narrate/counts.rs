//! What telling stories costs, for whoever watches the service.

use monotable_kit::{Counter, Metrics};

/// What was told, and what it cost.
#[derive(Clone, Debug, Default)]
pub struct NarrationCounts {
    /// Tokens that narrators used.
    pub tokens: Counter,
    /// Turns whose story was told.
    pub stories: Counter,
    /// Stories that the service told because its narrator could not.
    pub fallbacks: Counter,
    /// Questions that a narrator left without an answer.
    pub silences: Counter,
}

impl NarrationCounts {
    /// Tells them wherever metrics are told.
    pub fn measure(&self, metrics: &Metrics) {
        metrics.count("btl_run_llm_tokens_total", "Tokens that narrators used.", &self.tokens);
        metrics.count("btl_run_stories_total", "Turns whose story was told.", &self.stories);
        metrics.count(
            "btl_run_story_fallbacks_total",
            "Stories that the service told because its narrator could not.",
            &self.fallbacks,
        );
        metrics.count(
            "btl_run_narrator_silences_total",
            "Questions that a narrator left without an answer.",
            &self.silences,
        );
    }
}
