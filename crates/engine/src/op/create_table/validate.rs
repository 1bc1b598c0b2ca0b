//! CreateTable's rules, in AWS's order. None of them depends on other tables.

use std::collections::BTreeSet;

use monotable_types::{Constraints, KeyType, TableName, limits};

use super::index_rules::{
    check_defined, check_global_keys, check_index_billing, check_new_capacity, check_plain_keys,
    check_projected_count, check_projection, check_throughput_bounds, constrain_definitions,
    constrain_index, constrain_key_schema, constrain_throughput,
};
use super::{CreateTable, IndexDefinition};
use crate::error::{Error, Result};
use crate::op::constraints::invalid;
use crate::op::resource_policy::check_document;
use crate::op::tags;
use crate::table::BillingMode;

/// A table's or local index's key has a partition attribute and at most a sort attribute.
const PLAIN_KEY_ATTRIBUTES_MAX: usize = 2;

impl CreateTable {
    /// Checks everything that AWS checks before it looks up the table.
    ///
    /// Running the request does the same. This is for callers that have a part of the request in
    /// another form, which can be invalid by itself.
    pub fn validate(&self) -> Result<()> {
        TableName::try_from(self.table_name.as_str())
            .map_err(|error| Error::validation(error.to_string()))?;
        self.check_constraints()?;
        self.check_billing()?;
        self.check_keys()?;
        let mut names = BTreeSet::new();
        self.check_local_indexes(&mut names)?;
        self.check_global_indexes(&mut names)?;
        check_projected_count(self.indexes().map(|index| &index.projection))?;
        self.check_definitions_used()?;
        tags::check_tags(&self.tags)?;
        self.resource_policy.as_deref().map_or(Ok(()), check_document)
    }

    fn global_indexes(&self) -> &[IndexDefinition] {
        self.global_secondary_indexes.as_deref().unwrap_or_default()
    }

    fn local_indexes(&self) -> &[IndexDefinition] {
        self.local_secondary_indexes.as_deref().unwrap_or_default()
    }

    fn indexes(&self) -> impl Iterator<Item = &IndexDefinition> {
        self.global_indexes().iter().chain(self.local_indexes())
    }

    fn check_constraints(&self) -> Result<()> {
        let mut constraints = Constraints::default();
        let throughput = self.provisioned_throughput;
        constrain_throughput(&mut constraints, throughput, "provisionedThroughput");
        let plain_max = PLAIN_KEY_ATTRIBUTES_MAX;
        constrain_key_schema(&mut constraints, &self.key_schema, "keySchema", plain_max);
        constrain_definitions(&mut constraints, &self.attribute_definitions);
        let global_max = 2 * limits::INDEX_KEY_ATTRIBUTES_MAX;
        for (at, index) in self.global_indexes().iter().enumerate() {
            let path = format!("globalSecondaryIndexes.{}.member", at + 1);
            constrain_index(&mut constraints, index, &path, global_max);
        }
        for (at, index) in self.local_indexes().iter().enumerate() {
            let path = format!("localSecondaryIndexes.{}.member", at + 1);
            constrain_index(&mut constraints, index, &path, plain_max);
        }
        Ok(constraints.finish()?)
    }

    fn check_billing(&self) -> Result<()> {
        let billing = self.billing_mode.unwrap_or_default();
        match (billing, self.provisioned_throughput) {
            (BillingMode::PayPerRequest, Some(_)) => {
                return Err(invalid(
                    "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when \
                     BillingMode is PAY_PER_REQUEST",
                ));
            }
            (BillingMode::Provisioned, None) => {
                return Err(invalid(
                    "ReadCapacityUnits and WriteCapacityUnits must both be specified when \
                     BillingMode is PROVISIONED",
                ));
            }
            (BillingMode::Provisioned, Some(throughput)) => {
                check_throughput_bounds(throughput, None)?;
            }
            (BillingMode::PayPerRequest, None) => {}
        }
        check_new_capacity(
            self.on_demand_throughput,
            self.warm_throughput,
            (billing, self.provisioned_throughput),
            None,
        )?;
        self.global_indexes().iter().try_for_each(|index| check_index_billing(index, billing))
    }

    /// Checks the table's own key.
    fn check_keys(&self) -> Result<()> {
        let definitions = &self.attribute_definitions;
        let mut names = BTreeSet::new();
        if let Some(twice) = definitions.iter().find(|known| !names.insert(&known.name)) {
            let text = format!("Attribute Name is duplicated: {}", twice.name);
            return Err(Error::validation(text));
        }
        if self.key_schema.len() > definitions.len() {
            return Err(Error::validation(
                "Invalid KeySchema: Some index key attribute have no definition",
            ));
        }
        check_defined(&self.key_schema, definitions)?;
        check_plain_keys(&self.key_schema)?;
        let has_indexes =
            self.local_secondary_indexes.is_some() || self.global_secondary_indexes.is_some();
        if !has_indexes && self.key_schema.len() != definitions.len() {
            Err(invalid(
                "Number of attributes in KeySchema does not exactly match number of attributes \
                 defined in AttributeDefinitions",
            ))
        } else {
            Ok(())
        }
    }

    fn check_local_indexes<'a>(&'a self, names: &mut BTreeSet<&'a str>) -> Result<()> {
        let Some(indexes) = &self.local_secondary_indexes else {
            return Ok(());
        };
        if indexes.is_empty() {
            return Err(invalid("List of LocalSecondaryIndexes is empty"));
        }
        if !self.key_schema.iter().any(|element| element.key_type == KeyType::Range) {
            return Err(invalid(
                "Table KeySchema does not have a range key, which is required when specifying a \
                 LocalSecondaryIndex",
            ));
        }
        for index in indexes {
            check_defined(&index.key_schema, &self.attribute_definitions)?;
            check_plain_keys(&index.key_schema)?;
            self.check_local_keys(index)?;
            check_projection(&index.projection)?;
            check_name(index, names)?;
        }
        if indexes.len() > limits::LSI_MAX {
            Err(invalid("Number of LocalSecondaryIndexes exceeds per-table limit of 5"))
        } else {
            Ok(())
        }
    }

    /// Checks that a local index has the table's partition key and its own sort key.
    fn check_local_keys(&self, index: &IndexDefinition) -> Result<()> {
        let name = &index.index_name;
        if index.key_schema.len() != PLAIN_KEY_ATTRIBUTES_MAX {
            return Err(invalid(format!(
                "Index KeySchema does not have a range key for index: {name}"
            )));
        }
        let of_index = index.key_schema.first().map(|element| &element.attribute_name);
        let of_table = self.key_schema.first().map(|element| &element.attribute_name);
        match (of_index, of_table) {
            (Some(of_index), Some(of_table)) if of_index != of_table => Err(invalid(format!(
                "Index KeySchema does not have the same leading hash key as table KeySchema for \
                 index: {name}. index hash key: {of_index}, table hash key: {of_table}"
            ))),
            _ => Ok(()),
        }
    }

    fn check_global_indexes<'a>(&'a self, names: &mut BTreeSet<&'a str>) -> Result<()> {
        let Some(indexes) = &self.global_secondary_indexes else {
            return Ok(());
        };
        if indexes.is_empty() {
            return Err(invalid("List of GlobalSecondaryIndexes is empty"));
        }
        for index in indexes {
            check_defined(&index.key_schema, &self.attribute_definitions)?;
            check_global_keys(&index.key_schema)?;
            check_projection(&index.projection)?;
            check_name(index, names)?;
        }
        if indexes.len() > limits::GSI_MAX {
            Err(invalid("GlobalSecondaryIndex count exceeds the per-table limit of 20"))
        } else {
            Ok(())
        }
    }

    fn check_definitions_used(&self) -> Result<()> {
        let schemas = self.indexes().map(|index| &index.key_schema);
        let mut used: Vec<&str> = Vec::new();
        for element in std::iter::once(&self.key_schema).chain(schemas).flatten() {
            if !used.contains(&element.attribute_name.as_str()) {
                used.push(&element.attribute_name);
            }
        }
        let defined: Vec<&str> =
            self.attribute_definitions.iter().map(|known| known.name.as_str()).collect();
        if defined.iter().all(|name| used.contains(name)) {
            Ok(())
        } else {
            Err(invalid(format!(
                "Some AttributeDefinitions are not used. AttributeDefinitions: [{}], keys used: \
                 [{}]",
                defined.join(", "),
                used.join(", ")
            )))
        }
    }
}

/// Checks the name of an index, which is unique among global and local ones.
fn check_name<'a>(index: &'a IndexDefinition, names: &mut BTreeSet<&'a str>) -> Result<()> {
    if names.insert(&index.index_name) {
        Ok(())
    } else {
        Err(invalid(format!("Duplicate index name: {}", index.index_name)))
    }
}

#[cfg(test)]
mod tests;
