//! Background work: what operations promise, and what is looked for regularly.

pub(crate) mod forget_scores;
pub(crate) mod growth;
pub(crate) mod merge_college;
mod nightly;
mod reminders;
mod retention;
pub(crate) mod webhooks;

use monotable_kit::Problem;
use monotable_kit::jobs::{Jobs, Regular};

use crate::api::admin::counts;
use crate::app::App;
use crate::money::{Cashier, promote, refund};
use crate::table::{CodeKurukshetra, CodeKurukshetraReads as _};

/// Seconds between two rounds of a kind of work.
const EXPIRE_SECONDS: u32 = 60;
const RECONCILE_SECONDS: u32 = 10 * 60;
const REMIND_SECONDS: u32 = 60;
const GROWTH_SECONDS: u32 = 10;

/// When each kind of regular work is due. A process begins with all of it.
#[derive(Debug, Default)]
pub(crate) struct Schedule {
    expire: Regular,
    reconcile: Regular,
    remind: Regular,
    growth: Regular,
}

/// Returns the worker for everything that operations promise.
pub(crate) fn jobs(cashier: Cashier) -> Jobs<CodeKurukshetra> {
    let db = cashier.db.clone();
    let (merging, reminding, forgetting) = (cashier.clone(), cashier.clone(), cashier.clone());
    Jobs::new(db)
        .kind(refund::KIND, move |_, job, from| refund::step(cashier.clone(), job, from))
        .kind(merge_college::KIND, move |_, job, from| {
            merge_college::step(merging.clone(), job, from)
        })
        .kind(forget_scores::KIND, move |_, job, from| {
            forget_scores::step(forgetting.clone(), job, from)
        })
        .kind(reminders::KIND, move |_, job, from| reminders::step(reminding.clone(), job, from))
}

/// Does the background work that is due. What fails does not stop the rest; the first problem is reported.
pub(crate) async fn work(app: &App) -> Result<(), Problem> {
    let now = app.db.now();
    // Before there are settings, there is nothing to be done.
    let Some(config) = app.db.config().await? else {
        return app.background.work().await.map(drop);
    };
    let mut result = Ok(());
    if app.schedule.reconcile.is_due(now, RECONCILE_SECONDS) {
        result = result.and(app.cashier.reconcile().await.map(drop));
    }
    if app.schedule.expire.is_due(now, EXPIRE_SECONDS) {
        result = result.and(app.cashier.expire_holds().await.map(drop));
    }
    result = result.and(promote::promote(app).await.map(drop));
    if app.schedule.remind.is_due(now, REMIND_SECONDS) {
        result = result.and(reminders::promise_due(app, &config).await);
    }
    result = result.and(app.background.work().await.map(drop));
    result = result.and(webhooks::deliver(app).await);
    // Other processes change the figures, too.
    if app.schedule.growth.is_due(now, GROWTH_SECONDS) {
        result = result.and(app.growth.look(&app.db).await);
    }
    counts::announce(app).await;
    result
}

/// Does what is done every day: forgets personal data whose time is over, looks paid orders up, and checks whether rows agree
/// with each other.
/// Returns whether the event has settings.
///
/// # Errors
/// Returns the errors of the table.
pub(crate) async fn nightly(app: &App) -> Result<bool, Problem> {
    let config = app.db.config().await?;
    if let Some(config) = &config {
        retention::forget(app, config).await?;
        app.cashier.reconcile_paid().await?;
    }
    nightly::check(app).await?;
    Ok(config.is_some())
}
