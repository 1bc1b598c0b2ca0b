//! A narrator that costs tokens, and now and then says nothing or nonsense.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use monotable_btl_run::rules::narration::{
    Asked, Narrator, Offline, Prompt, Purpose, Reply, Silent,
};
use serde_json::json;

use crate::world::{EachProcess, TABLE, narrating_later};

/// What each answer costs.
pub(crate) const COST: u64 = 90;

/// The narrator.
#[derive(Default)]
pub(crate) struct Costly {
    asked: AtomicU64,
}

impl Narrator for Costly {
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> Asked<'a> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        let story = json!({ "narration": Offline::write(prompt), "tags": ["told"] });
        let answer = match (prompt.purpose, number % 5) {
            (_, 4) => Err(Silent { reason: "it is tired".to_owned(), tokens_used: COST }),
            (Purpose::Moderation, _) => Ok(json!({ "refused": [] }).to_string()),
            (_, 3) => Ok("no story".to_owned()),
            _ => Ok(story.to_string()),
        };
        Box::pin(async move {
            // Others have their turn meanwhile.
            tokio::task::yield_now().await;
            answer.map(|text| Reply { text, tokens_used: COST.min(prompt.purpose.tokens_max()) })
        })
    }
}

/// The service, each process of which has a narrator of its own that costs.
pub(crate) const COSTLY: EachProcess = EachProcess {
    table_name: TABLE,
    service: || narrating_later().narrator(Arc::new(Costly::default())),
};
