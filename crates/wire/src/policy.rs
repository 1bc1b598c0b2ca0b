//! The resource-based policy of what a request touches, and its verdict.

use monotable_engine::Database;

use crate::access::{InvalidPolicy, PolicyDocument, Principal, Verdict};
use crate::error::{Failure, Result};
use crate::table::invalid;
use crate::touch::Touch;

/// Returns the verdict of the policy of the touched table, index or stream. A stored document that
/// cannot be parsed denies everything: the endpoint stores none, but other programs share the
/// database.
pub(crate) fn verdict(database: &Database, principal: Principal<'_>, touch: &Touch<'_>) -> Verdict {
    let Some(found) = touch
        .policy_names()
        .and_then(|mut names| names.find_map(|name| database.find_resource_policy(name)))
    else {
        return Verdict::Silent;
    };
    let (table_or_stream, policy) = found;
    let resource_arn = match touch.index {
        Some(index) => format!("{table_or_stream}/index/{index}"),
        None => table_or_stream,
    };
    match PolicyDocument::parse(&policy.document) {
        Ok(document) => document.verdict(principal, touch.action, &resource_arn),
        Err(_) => Verdict::Denied,
    }
}

/// Checks a policy document before it is stored.
pub(crate) fn check_document(document: &str) -> Result<()> {
    PolicyDocument::parse(document).map(drop).map_err(refused)
}

fn refused(reason: InvalidPolicy) -> Failure {
    invalid(format!("Policy is not a valid resource-based policy: {reason}"))
}
