//! The common parts of exports, imports and bulk operations: limits, client tokens, and
//! descriptions by ARN.

use crate::error::{Refusal, Result};
use crate::id::{Kind, parse_arn};
use crate::lifecycle::Shared;
use crate::record::{self, Record};
use crate::token::Token;

/// A job that moves items between a table and a bucket.
pub(crate) trait Transfer: Record {
    /// The kind of resource in its ARN.
    const KIND: Kind;
    /// The limit of unfinished jobs.
    const MAX: usize;
    /// The subject of the error when the limit is reached.
    const TOO_MANY: &'static str;
    /// The error of a token that was used for another request.
    const CONFLICT: Refusal;

    fn table_arn(&self) -> &str;

    fn token(&self) -> Option<&Token>;

    fn start_ms(&self) -> u64;
}

impl Shared {
    /// Returns the job that the same request started before. Fails if the limit is reached.
    pub(crate) fn admit<T: Transfer>(
        &self,
        token: Option<&Token>,
        now_ms: u64,
    ) -> Result<Option<T>> {
        if let Some(token) = token {
            let mut jobs = record::all::<T>(&self.database)?.into_iter();
            let is_same = |job: &T| token.is_repeated_by(job.token(), job.start_ms(), now_ms);
            if let Some(job) = jobs.find(is_same) {
                return if job.token() == Some(token) {
                    Ok(Some(job))
                } else {
                    Err(T::CONFLICT.with(
                        "The request uses the same client token as a previous, but non-identical request.",
                    ))
                };
            }
        }
        if self.jobs.count(T::PREFIX) >= T::MAX {
            let (what, max) = (T::TOO_MANY, T::MAX);
            let text = format!("Too many {what}: at most {max} at the same time");
            return Err(Refusal::LimitExceeded.with(text));
        }
        Ok(None)
    }

    /// Finds a job by its ARN.
    pub(crate) fn find_transfer<T: Transfer>(&self, arn: &str) -> Result<Option<T>> {
        let Some((table_arn, id)) = parse_arn(arn, T::KIND) else { return Ok(None) };
        let found = record::find::<T>(&self.database, id)?;
        Ok(found.filter(|job| job.table_arn() == table_arn))
    }
}
