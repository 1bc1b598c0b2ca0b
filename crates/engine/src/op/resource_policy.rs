//! PutResourcePolicy, GetResourcePolicy and DeleteResourcePolicy: the policy of a table or stream.
//!
//! The engine stores documents and their revisions. The layer that authenticates callers evaluates
//! them.

use std::sync::Arc;

use monotable_types::limits;

use super::constraints::invalid;
use crate::commit::{Shared, Stage};
use crate::error::{Error, Result};
use crate::table::{Catalog, ResourcePolicy, Table};

/// The expected revision of a resource without a policy.
const NO_POLICY: &str = "NO_POLICY";

/// Sets the policy of a table or stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PutResourcePolicy {
    /// The ARN of the table or stream.
    pub resource_arn: String,
    /// The document.
    pub policy: String,
    /// The required current revision; `NO_POLICY` if there must be no policy.
    pub expected_revision_id: Option<String>,
}

impl PutResourcePolicy {
    pub(crate) fn validate(&self) -> Result<()> {
        check_arn(&self.resource_arn)?;
        check_document(&self.policy)
    }

    /// Sets the policy. An unchanged document keeps its revision.
    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<PutResourcePolicyOutput> {
        let (found, resource) = find(stage.catalog(), &self.resource_arn)?;
        let mut table = Table::clone(found);
        let known = resource.policy(&table);
        check_revision(known, self.expected_revision_id.as_deref(), &self.resource_arn)?;
        if let Some(known) = known.filter(|known| known.document == self.policy) {
            return Ok(PutResourcePolicyOutput { revision_id: known.revision_id.clone() });
        }
        let revision_id = table.next_policy_revision(stage.now_ms);
        let policy = ResourcePolicy { document: self.policy, revision_id: revision_id.clone() };
        *resource.policy_mut(&mut table) = Some(policy);
        stage.save_table(table);
        Ok(PutResourcePolicyOutput { revision_id })
    }
}

/// The response to a [`PutResourcePolicy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PutResourcePolicyOutput {
    /// The revision of the policy.
    pub revision_id: String,
}

/// Returns the policy of a table or stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GetResourcePolicy {
    /// The ARN of the table or stream.
    pub resource_arn: String,
}

impl GetResourcePolicy {
    pub(crate) fn run(self, shared: &Shared) -> Result<GetResourcePolicyOutput> {
        check_arn(&self.resource_arn)?;
        let newest = shared.newest();
        let (table, resource) = find(&newest.catalog, &self.resource_arn)?;
        match resource.policy(table) {
            Some(policy) => Ok(GetResourcePolicyOutput { policy: policy.clone() }),
            None => Err(not_found(&self.resource_arn)),
        }
    }
}

/// The response to a [`GetResourcePolicy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GetResourcePolicyOutput {
    /// The policy.
    pub policy: ResourcePolicy,
}

/// Removes the policy of a table or stream, if there is one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeleteResourcePolicy {
    /// The ARN of the table or stream.
    pub resource_arn: String,
    /// The required current revision.
    pub expected_revision_id: Option<String>,
}

impl DeleteResourcePolicy {
    pub(crate) fn validate(&self) -> Result<()> {
        check_arn(&self.resource_arn)
    }

    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<DeleteResourcePolicyOutput> {
        let (found, resource) = find(stage.catalog(), &self.resource_arn)?;
        let known = resource.policy(found);
        check_revision(known, self.expected_revision_id.as_deref(), &self.resource_arn)?;
        let Some(policy) = known.cloned() else {
            return Ok(DeleteResourcePolicyOutput { revision_id: None });
        };
        let mut table = Table::clone(found);
        *resource.policy_mut(&mut table) = None;
        stage.save_table(table);
        Ok(DeleteResourcePolicyOutput { revision_id: Some(policy.revision_id) })
    }
}

/// The response to a [`DeleteResourcePolicy`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeleteResourcePolicyOutput {
    /// The revision that was removed.
    pub revision_id: Option<String>,
}

/// Checks the size of a document.
pub(crate) fn check_document(document: &str) -> Result<()> {
    if document.len() > limits::RESOURCE_POLICY_BYTES_MAX {
        Err(invalid("Policy is larger than the limit of 20 KB"))
    } else {
        Ok(())
    }
}

fn check_arn(arn: &str) -> Result<()> {
    if arn.starts_with("arn:") {
        Ok(())
    } else {
        Err(invalid(format!("ARNs must start with 'arn:': {arn}")))
    }
}

fn check_revision(known: Option<&ResourcePolicy>, expected: Option<&str>, arn: &str) -> Result<()> {
    let matches = match (expected, known) {
        (None, _) | (Some(NO_POLICY), None) => true,
        (Some(expected), Some(known)) => expected == known.revision_id,
        (Some(_), None) => false,
    };
    match (matches, expected) {
        (false, Some(expected)) => Err(Error::PolicyNotFound(format!(
            "Resource-based policy with revision id {expected} not found for the provided \
             ResourceArn: {arn}"
        ))),
        _ => Ok(()),
    }
}

fn not_found(arn: &str) -> Error {
    Error::PolicyNotFound(format!(
        "Resource-based policy not found for the provided ResourceArn: {arn}"
    ))
}

/// A resource with a policy.
#[derive(Clone, Copy)]
enum Resource {
    Table,
    /// A stream, by its position in the table's list.
    Stream(usize),
}

impl Resource {
    fn policy(self, table: &Table) -> Option<&ResourcePolicy> {
        match self {
            Self::Table => table.policy.as_ref(),
            Self::Stream(position) => table.streams[position].policy.as_ref(),
        }
    }

    fn policy_mut(self, table: &mut Table) -> &mut Option<ResourcePolicy> {
        match self {
            Self::Table => &mut table.policy,
            Self::Stream(position) => &mut table.streams[position].policy,
        }
    }
}

/// Returns the policy of a resource, with its ARN.
pub(crate) fn find_resource_policy(
    catalog: &Catalog,
    name_or_arn: &str,
) -> Option<(String, ResourcePolicy)> {
    let (table, resource) = find(catalog, name_or_arn).ok()?;
    let arn = match resource {
        Resource::Table => table.arn(),
        Resource::Stream(position) => table.stream_arn(&table.streams[position]),
    };
    Some((arn, resource.policy(table)?.clone()))
}

/// Returns the table or stream with this ARN.
fn find<'a>(catalog: &'a Catalog, arn: &str) -> Result<(&'a Arc<Table>, Resource)> {
    let found = match arn.split_once("/stream/") {
        None => catalog.find(arn).map(|table| (table, Resource::Table)),
        Some((table_arn, _)) => catalog.find(table_arn).and_then(|table| {
            let position = table.streams.iter().position(|each| table.stream_arn(each) == arn)?;
            Some((table, Resource::Stream(position)))
        }),
    };
    found.ok_or_else(|| {
        Error::ResourceNotFound(format!(
            "Requested resource not found: ResourceArn: {arn} not found"
        ))
    })
}
