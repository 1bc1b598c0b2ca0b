//! What makes a row right that follows from others.

use monotable::model::Store;
use monotable_kit::Problem;
use monotable_kit::backfill::LostRace as _;

use crate::money::Tx;
use crate::table::CodeKurukshetra;

type Repairing = std::pin::Pin<Box<dyn Future<Output = monotable::model::Result<()>> + Send>>;

/// What makes a row right: a small transaction, on condition that the rows that it follows from are as they were read.
pub(super) struct Fix(Box<dyn FnOnce(Store<CodeKurukshetra>) -> Repairing + Send>);

impl Fix {
    /// Repairs a row by a function.
    pub(super) fn new<R>(repair: impl FnOnce(Store<CodeKurukshetra>) -> R + Send + 'static) -> Self
    where
        R: Future<Output = monotable::model::Result<()>> + Send + 'static,
    {
        Self(Box::new(move |db| Box::pin(repair(db))))
    }

    /// Repairs a row by the operations that a function adds to a transaction.
    pub(super) fn write(add: impl FnOnce(&mut Tx) + Send + 'static) -> Self {
        Self::new(move |db| {
            let mut tx = db.transact();
            add(&mut tx);
            async move { tx.commit().await.map(drop) }
        })
    }

    /// Repairs the row. Returns false if somebody has changed it meanwhile, or something else has its key.
    pub(super) async fn apply(self, db: &Store<CodeKurukshetra>) -> Result<bool, Problem> {
        match (self.0)(db.clone()).await {
            Ok(()) => Ok(true),
            Err(error) if error.is_lost_race() => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}
