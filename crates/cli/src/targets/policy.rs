//! IAM policies of servers.

use monotable_host::TableMeta;
use serde_json::{Value, json};

/// The actions of a running server on its tables.
const USING: &[&str] = &[
    "dynamodb:BatchGetItem",
    "dynamodb:BatchWriteItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:DeleteItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:Scan",
    "dynamodb:UpdateItem",
];
/// The actions that compare tables with their declarations at the start.
const VERIFYING: &[&str] = &["dynamodb:DescribeTable", "dynamodb:DescribeTimeToLive"];
/// The actions that create missing tables.
const CREATING: &[&str] = &[
    "dynamodb:CreateTable",
    "dynamodb:DescribeContinuousBackups",
    "dynamodb:UpdateContinuousBackups",
    "dynamodb:UpdateTimeToLive",
];

/// The actions of a running server, and of one that creates tables, too.
pub(super) const SERVING: &[&[&str]] = &[USING, VERIFYING];
pub(super) const SETTING_UP: &[&[&str]] = &[USING, VERIFYING, CREATING];

/// Writes a policy for tables, by their ARNs. Indexes are only queried. A service works on all rows
/// of its table, so no condition on leading keys applies.
pub(super) fn write(tables: &[(String, &TableMeta)], table_actions: &[&[&str]]) -> String {
    let arns: Vec<&String> = tables.iter().map(|(arn, _)| arn).collect();
    let indexes: Vec<String> = tables
        .iter()
        .flat_map(|(arn, table)| {
            table.indexes.iter().map(move |index| format!("{arn}/index/{}", index.name))
        })
        .collect();
    let statement = |id: &str, actions: Vec<&str>, resources: Value| json!({ "Sid": id, "Effect": "Allow", "Action": actions, "Resource": resources });
    let mut statements = vec![statement("Tables", table_actions.concat(), json!(arns))];
    if !indexes.is_empty() {
        statements.push(statement("Indexes", vec!["dynamodb:Query"], json!(indexes)));
    }
    format!("{:#}\n", json!({ "Version": "2012-10-17", "Statement": statements }))
}

#[cfg(test)]
mod tests {
    use monotable_hacktracker::HackTrackerService;
    use monotable_host::Service as _;

    use super::*;

    #[test]
    fn a_policy_names_tables_and_indexes_one_by_one() {
        let table = HackTrackerService::default().table();
        let arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/hacktracker-dev".to_owned();
        let text = write(&[(arn.clone(), table)], SERVING);
        let policy: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(policy["Statement"][0]["Resource"], json!([arn]));
        let indexes = policy["Statement"][1]["Resource"].as_array().unwrap();
        assert_eq!(indexes.len(), table.indexes.len());
        assert_eq!(indexes[0], format!("{arn}/index/{}", table.indexes[0].name));
        assert!(!text.contains("CreateTable") && !text.contains("DeleteTable"));
        assert!(write(&[(arn, table)], SETTING_UP).contains("dynamodb:CreateTable"));
    }
}
