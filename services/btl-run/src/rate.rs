//! How often somebody may do something. The count and the limit are one conditional update.

use std::time::Duration;

use monotable::model::Error;
use monotable::model::rows::{Admitted, Rate, RateWindow, RateWindowKey as _};
use monotable_kit::{Problem, ProblemKind, Reply};

use crate::app::App;
use crate::table::{Calls, RateRoute};

/// Routes whose calls are counted. Their names stand in keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limited {
    /// Questions to a narrator: ten a minute for a match.
    AskAi,
    /// Messages among allies: twenty a minute for a player.
    AllianceMessage,
}

impl Limited {
    const fn name(self) -> &'static str {
        match self {
            Self::AskAi => "askai",
            Self::AllianceMessage => "alliance_message",
        }
    }

    const fn window(self) -> RateWindow {
        let limit = match self {
            Self::AskAi => 10,
            Self::AllianceMessage => 20,
        };
        RateWindow { length: Duration::from_secs(60), limit }
    }

    fn calls(self, subject: &str) -> Rate<Calls> {
        let route = RateRoute::of(self.name());
        Calls { subject: subject.to_owned(), route }.rate(self.window())
    }
}

/// A call that was counted.
#[derive(Debug)]
pub struct Counted {
    limited: Limited,
    subject: String,
    admitted: Admitted,
}

impl Counted {
    /// Uncounts a call that had no effect: one that was refused, or answered before.
    ///
    /// # Errors
    /// What the call failed with.
    pub(crate) async fn settle(
        self,
        app: &App,
        result: Result<Reply, Problem>,
    ) -> Result<Reply, Problem> {
        let has_effect = result.as_ref().is_ok_and(|reply| !reply.is_replay());
        if !has_effect {
            // If that fails, the call counts until the window ends; its own result is what matters.
            let _ = app.db.run(self.limited.calls(&self.subject).undo(self.admitted)).await;
        }
        result
    }
}

/// Counts a call of a subject, which is a user, `{match}:{tribute}`, or `ip:` with an address.
///
/// # Errors
/// 429 `RATE_LIMIT` with the end of the window, if there were too many in it.
pub(crate) async fn count(app: &App, limited: Limited, subject: &str) -> Result<Counted, Problem> {
    let window = limited.window();
    match app.db.run(limited.calls(subject).hit()).await {
        Ok(admitted) => Ok(Counted { limited, subject: subject.to_owned(), admitted }),
        Err(Error::LimitReached { retry_after_seconds, .. }) => {
            let wait = retry_after_seconds.unwrap_or(window.length.as_secs());
            let text = format!(
                "This can be done {} times in {}; try again in {}.",
                window.limit,
                duration(window.length.as_secs()),
                duration(wait),
            );
            let mut problem = Problem::new(ProblemKind::RateLimited, "RATE_LIMIT", text);
            problem.retry_after_seconds = Some(wait);
            Err(problem.with("retryAfterSeconds", wait))
        }
        Err(error) => Err(error.into()),
    }
}

/// A time for people: minutes where there are more than one, rounded up.
fn duration(seconds: u64) -> String {
    match seconds {
        0..=1 => "1 second".to_owned(),
        2..=60 => format!("{seconds} seconds"),
        _ => format!("{} minutes", seconds.div_ceil(60)),
    }
}
