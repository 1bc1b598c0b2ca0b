//! UpdateTable's rules that need no table, in AWS's order.

use std::collections::BTreeSet;

use monotable_types::{Constraints, limits};

use super::{IndexUpdate, UpdateTable};
use crate::error::{Error, Result};
use crate::op::constraints::{invalid, table_name};
use crate::op::create_table::IndexDefinition;
use crate::op::create_table::index_rules::{
    check_defined, check_global_keys, check_projection, check_throughput_bounds,
    constrain_definitions, constrain_index, constrain_index_name, constrain_throughput,
};
use crate::table::BillingMode;

impl UpdateTable {
    /// Checks everything that AWS checks before it looks up the table.
    pub(crate) fn validate(&self) -> Result<()> {
        table_name(&self.table_name)?;
        self.check_constraints()?;
        if self.changes() == Changes::default() {
            return Err(Error::validation(
                "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, \
                 GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, \
                 MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, \
                 DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is \
                 required",
            ));
        }
        self.check_combination()?;
        self.check_billing()?;
        self.check_index_updates()
    }

    fn check_constraints(&self) -> Result<()> {
        let mut constraints = Constraints::default();
        let throughput = self.provisioned_throughput;
        constrain_throughput(&mut constraints, throughput, "provisionedThroughput");
        constrain_definitions(&mut constraints, &self.attribute_definitions);
        for (at, update) in self.index_updates.iter().enumerate() {
            let path = format!("globalSecondaryIndexUpdates.{}.member", at + 1);
            match update {
                IndexUpdate::Create(index) => {
                    let key_attributes_max = 2 * limits::INDEX_KEY_ATTRIBUTES_MAX;
                    let path = format!("{path}.create");
                    constrain_index(&mut constraints, index, &path, key_attributes_max);
                }
                IndexUpdate::Update { index_name, provisioned_throughput, .. } => {
                    let path = format!("{path}.update");
                    constrain_index_name(&mut constraints, index_name, &path);
                    let path = format!("{path}.provisionedThroughput");
                    constrain_throughput(&mut constraints, *provisioned_throughput, &path);
                }
                IndexUpdate::Delete { index_name } => {
                    let path = format!("{path}.delete");
                    constrain_index_name(&mut constraints, index_name, &path);
                }
            }
        }
        Ok(constraints.finish()?)
    }

    fn changes(&self) -> Changes {
        Changes {
            table_class: self.table_class.is_some(),
            protection: self.deletion_protection.is_some(),
            throughput: self.provisioned_throughput.is_some(),
            billing: self.billing_mode.is_some(),
            stream: self.stream.is_some(),
            indexes: !self.index_updates.is_empty(),
            on_demand: self.on_demand_throughput.is_some(),
            warm: self.warm_throughput.is_some(),
            encryption: self.encryption.is_some(),
        }
    }

    /// Checks that the request changes one thing, with AWS's exceptions.
    fn check_combination(&self) -> Result<()> {
        let changes = self.changes();
        let alone = |one: Changes| one == changes;
        if changes.table_class && !alone(Changes { table_class: true, ..Changes::default() }) {
            return Err(invalid(
                "TableClass modification must be the only operation in the request",
            ));
        }
        if changes.protection && !alone(Changes { protection: true, ..Changes::default() }) {
            return Err(invalid(
                "DeletionProtection modification must be the only operation in the request",
            ));
        }
        let moves_indexes =
            self.index_updates.iter().any(|update| !matches!(update, IndexUpdate::Update { .. }));
        let problem = if changes.stream && changes.throughput {
            "You cannot modify stream status while updating table IOPS"
        } else if moves_indexes && changes.throughput {
            "You cannot create or delete index while updating table IOPS"
        } else if moves_indexes && changes.stream {
            "You cannot create or delete index while changing stream status"
        } else {
            return Ok(());
        };
        Err(invalid(problem))
    }

    fn check_billing(&self) -> Result<()> {
        match (self.billing_mode, self.provisioned_throughput) {
            (Some(BillingMode::Provisioned), None) => Err(invalid(
                "ProvisionedThroughput must be specified when BillingMode is PROVISIONED",
            )),
            (Some(BillingMode::PayPerRequest), Some(_)) => Err(no_throughput_on_demand()),
            (_, Some(throughput)) => check_throughput_bounds(throughput, None),
            (_, None) => Ok(()),
        }
    }

    fn check_index_updates(&self) -> Result<()> {
        let mut names = BTreeSet::new();
        for update in &self.index_updates {
            let name = update.index_name();
            if !names.insert(name) {
                return Err(invalid(format!(
                    "Only one global secondary index update per index is allowed simultaneously. \
                     Index: {name}"
                )));
            }
        }
        self.index_updates.iter().try_for_each(|update| match update {
            IndexUpdate::Create(index) => self.check_new_index(index),
            IndexUpdate::Update { .. } | IndexUpdate::Delete { .. } => Ok(()),
        })
    }

    /// Checks that the request defines the key attributes of a new index, also those that the table
    /// already defines.
    fn check_new_index(&self, index: &IndexDefinition) -> Result<()> {
        if self.attribute_definitions.is_empty() {
            return Err(invalid(format!(
                "AttributeDefinitions is not specified for index: {}",
                index.index_name
            )));
        }
        check_defined(&index.key_schema, &self.attribute_definitions)?;
        check_global_keys(&index.key_schema)?;
        check_projection(&index.projection)
    }
}

/// The changes of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Changes {
    table_class: bool,
    protection: bool,
    throughput: bool,
    billing: bool,
    stream: bool,
    indexes: bool,
    on_demand: bool,
    warm: bool,
    encryption: bool,
}

/// Returns the error for capacity of a table on demand.
pub(super) fn no_throughput_on_demand() -> Error {
    invalid(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is \
         PAY_PER_REQUEST",
    )
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::op::update_table::StreamUpdate;
    use crate::table::{ProvisionedThroughput, TableClass};

    fn check(request: UpdateTable, message: Expect) {
        message.assert_eq(&request.validate().unwrap_err().to_string());
    }

    fn request() -> UpdateTable {
        UpdateTable::new("teams")
    }

    fn units(units: u64) -> ProvisionedThroughput {
        ProvisionedThroughput { read_capacity_units: units, write_capacity_units: units }
    }

    fn create() -> IndexUpdate {
        IndexUpdate::Create(IndexDefinition::new("by-a", &["a"], &[]))
    }

    fn delete() -> IndexUpdate {
        IndexUpdate::Delete { index_name: "by-a".to_owned() }
    }

    #[test]
    fn a_request_changes_something() {
        let message = expect![[
            "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or TableClass is required"
        ]];
        check(request().attribute("a", "S").unwrap(), message);
    }

    #[test]
    fn constraints_name_the_member_of_the_update() {
        check(
            request().index_update(IndexUpdate::provision("x", units(0))),
            expect![[
                "3 validation errors detected: Value 'x' at 'globalSecondaryIndexUpdates.1.member.update.indexName' failed to satisfy constraint: Member must have length greater than or equal to 3; Value '0' at 'globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1; Value '0' at 'globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have value greater than or equal to 1"
            ]],
        );
    }

    #[test]
    fn class_and_protection_change_alone() {
        check(
            request().table_class(TableClass::Standard).deletion_protection(true),
            expect![[
                "One or more parameter values were invalid: TableClass modification must be the only operation in the request"
            ]],
        );
        check(
            request().deletion_protection(true).billing_mode(BillingMode::PayPerRequest),
            expect![[
                "One or more parameter values were invalid: DeletionProtection modification must be the only operation in the request"
            ]],
        );
    }

    #[test]
    fn stream_throughput_and_indexes_change_one_by_one() {
        check(
            request().stream(StreamUpdate::Disable).provisioned_throughput(units(5)),
            expect![[
                "One or more parameter values were invalid: You cannot modify stream status while updating table IOPS"
            ]],
        );
        check(
            request().index_update(delete()).provisioned_throughput(units(5)),
            expect![[
                "One or more parameter values were invalid: You cannot create or delete index while updating table IOPS"
            ]],
        );
        check(
            request().index_update(delete()).stream(StreamUpdate::Disable),
            expect![[
                "One or more parameter values were invalid: You cannot create or delete index while changing stream status"
            ]],
        );
        let on_demand = request().billing_mode(BillingMode::PayPerRequest);
        assert_eq!(on_demand.stream(StreamUpdate::Disable).validate(), Ok(()));
    }

    #[test]
    fn billing_and_throughput_agree() {
        check(
            request().billing_mode(BillingMode::Provisioned),
            expect![[
                "One or more parameter values were invalid: ProvisionedThroughput must be specified when BillingMode is PROVISIONED"
            ]],
        );
        check(
            request().billing_mode(BillingMode::PayPerRequest).provisioned_throughput(units(5)),
            expect![[
                "One or more parameter values were invalid: Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST"
            ]],
        );
    }

    #[test]
    fn an_index_changes_once() {
        check(
            request().index_update(delete()).index_update(create()),
            expect![[
                "One or more parameter values were invalid: Only one global secondary index update per index is allowed simultaneously. Index: by-a"
            ]],
        );
    }

    #[test]
    fn a_new_index_names_its_attributes() {
        check(
            request().index_update(create()),
            expect![[
                "One or more parameter values were invalid: AttributeDefinitions is not specified for index: by-a"
            ]],
        );
        check(
            request().index_update(create()).attribute("b", "S").unwrap(),
            expect![[
                "One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]"
            ]],
        );
    }
}
