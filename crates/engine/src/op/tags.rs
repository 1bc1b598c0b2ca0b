//! TagResource, UntagResource and ListTagsOfResource: labels of a table.

use std::collections::BTreeMap;
use std::sync::Arc;

use monotable_types::limits;

use super::constraints::invalid;
use crate::commit::{Shared, Stage};
use crate::error::{Error, Result};
use crate::options::Options;
use crate::table::{Catalog, Table};

/// Tags that only AWS may set.
const RESERVED_PREFIX: &str = "aws:";

/// Adds or replaces tags of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TagResource {
    /// The table's ARN.
    pub resource_arn: String,
    /// The tags to set.
    pub tags: BTreeMap<String, String>,
}

impl TagResource {
    pub(crate) fn validate(&self) -> Result<()> {
        check_arn(&self.resource_arn)?;
        if self.tags.is_empty() {
            return Err(Error::validation("Atleast one Tag needs to be provided as Input."));
        }
        check_tags(&self.tags)
    }

    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<()> {
        let (catalog, options) = (stage.catalog(), &stage.shared.options);
        let found = find_table(catalog, options, &self.resource_arn, "TagResource")?;
        let mut table = Table::clone(found);
        table.tags.extend(self.tags);
        check_count(&table.tags)?;
        stage.save_table(table);
        Ok(())
    }
}

/// Removes tags of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UntagResource {
    /// The table's ARN.
    pub resource_arn: String,
    /// The tags to remove.
    pub tag_keys: Vec<String>,
}

impl UntagResource {
    pub(crate) fn validate(&self) -> Result<()> {
        check_arn(&self.resource_arn)?;
        if self.tag_keys.is_empty() {
            Err(Error::validation("Atleast one Tag Key needs to be provided as Input."))
        } else {
            Ok(())
        }
    }

    pub(crate) fn run(self, stage: &mut Stage<'_>) -> Result<()> {
        let (catalog, options) = (stage.catalog(), &stage.shared.options);
        let found = find_table(catalog, options, &self.resource_arn, "UntagResource")?;
        let mut table = Table::clone(found);
        for key in &self.tag_keys {
            table.tags.remove(key);
        }
        stage.save_table(table);
        Ok(())
    }
}

/// Lists the tags of a table, all at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListTagsOfResource {
    /// The table's ARN.
    pub resource_arn: String,
}

impl ListTagsOfResource {
    pub(crate) fn run(self, shared: &Shared) -> Result<ListTagsOfResourceOutput> {
        check_arn(&self.resource_arn)?;
        let newest = shared.newest();
        let (catalog, options) = (&newest.catalog, &shared.options);
        let table = find_table(catalog, options, &self.resource_arn, "ListTagsOfResource")?;
        Ok(ListTagsOfResourceOutput { tags: table.tags.clone() })
    }
}

/// The answer to a [`ListTagsOfResource`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListTagsOfResourceOutput {
    /// The tags, at most 50.
    pub tags: BTreeMap<String, String>,
}

/// Checks tags, also those of a new table.
pub(crate) fn check_tags(tags: &BTreeMap<String, String>) -> Result<()> {
    for (key, value) in tags {
        let key_length = key.chars().count();
        let problem = if !(1..=limits::TAG_KEY_LENGTH_MAX).contains(&key_length)
            || !key.chars().all(is_tag_character)
        {
            format!("The Tag Key provided is invalid, Key: {key}")
        } else if value.chars().count() > limits::TAG_VALUE_LENGTH_MAX
            || !value.chars().all(is_tag_character)
        {
            format!("The Tag Value provided is invalid, Value: {value}")
        } else if key.starts_with(RESERVED_PREFIX) {
            format!("Tag Key cannot be prefixed with aws:, Key: {key}")
        } else {
            continue;
        };
        return Err(Error::validation(problem));
    }
    check_count(tags)
}

/// Returns whether a character is allowed in tags: letters and digits of every script, white space,
/// and a few marks.
fn is_tag_character(character: char) -> bool {
    character.is_alphanumeric() || character.is_whitespace() || "+-=._:/@".contains(character)
}

fn check_count(tags: &BTreeMap<String, String>) -> Result<()> {
    if tags.len() > limits::TAGS_MAX {
        Err(Error::validation(
            "Number of Tags exceed the current limit for the provided ResourceArn",
        ))
    } else {
        Ok(())
    }
}

/// The parts of `arn:aws:dynamodb:<region>:<account>:<resource>`.
struct ResourceArn<'a> {
    region: &'a str,
    account: &'a str,
    /// `table/<name>`, followed by more for an index or a stream.
    resource: &'a str,
}

impl<'a> ResourceArn<'a> {
    fn parse(arn: &'a str) -> Option<Self> {
        let mut parts = arn.splitn(6, ':');
        let (_arn, _partition, service) = (parts.next()?, parts.next()?, parts.next()?);
        let (region, account, resource) = (parts.next()?, parts.next()?, parts.next()?);
        let known = service == "dynamodb" && resource.starts_with("table/");
        known.then_some(Self { region, account, resource })
    }
}

/// Checks the form of an ARN as AWS does.
fn check_arn(arn: &str) -> Result<()> {
    if arn.is_empty() {
        return Err(Error::validation("Invalid TableArn"));
    }
    if !arn.starts_with("arn:") {
        return Err(invalid(format!("ARNs must start with 'arn:': {arn}")));
    }
    match ResourceArn::parse(arn) {
        None => Err(invalid(format!("Provided Arn is not a DynamoDB resource arn: {arn}"))),
        Some(parsed) if parsed.resource.contains("/index/") => Err(invalid(format!(
            "Invalid resource arn provided, only table or stream is accepted. Provided resource \
             arn: {arn}"
        ))),
        Some(_) => Ok(()),
    }
}

/// Returns the table with this ARN; region and account must be those of the database.
fn find_table<'a>(
    catalog: &'a Catalog,
    options: &Options,
    arn: &str,
    operation: &str,
) -> Result<&'a Arc<Table>> {
    let Some(parsed) = ResourceArn::parse(arn) else {
        return Err(Error::validation("Invalid TableArn"));
    };
    if parsed.region != options.region {
        return Err(Error::validation(format!(
            "Invalid TableArn: Invalid ResourceArn provided as input {arn}"
        )));
    }
    if parsed.account != options.account {
        return Err(Error::AccessDenied(format!(
            "User: arn:aws:iam::{}:root is not authorized to perform: dynamodb:{operation} on \
             resource: {arn}",
            options.account
        )));
    }
    let name = parsed.resource.strip_prefix("table/").unwrap_or_default();
    catalog.find(name).ok_or_else(|| {
        Error::ResourceNotFound(format!(
            "Requested resource not found: ResourceArn: {arn} not found"
        ))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    const TEAMS: &str = "arn:aws:dynamodb:us-east-1:123456789012:table/teams";

    fn check<T: std::fmt::Debug>(outcome: Result<T>, message: Expect) {
        message.assert_eq(&outcome.unwrap_err().to_string());
    }

    fn tag(key: &str, value: &str) -> Result<()> {
        let tags = BTreeMap::from([(key.to_owned(), value.to_owned())]);
        TagResource { resource_arn: TEAMS.to_owned(), tags }.validate()
    }

    #[test]
    fn a_resource_is_named_by_the_arn_of_a_table() {
        assert_eq!(check_arn(TEAMS), Ok(()));
        check(check_arn(""), expect![["Invalid TableArn"]]);
        check(
            check_arn("teams"),
            expect![[
                "One or more parameter values were invalid: ARNs must start with 'arn:': teams"
            ]],
        );
        check(
            check_arn("arn:aws:s3:::bucket"),
            expect![[
                "One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket"
            ]],
        );
        check(
            check_arn("arn:aws:dynamodb:us-east-1:123456789012:table/teams/index/by-a"),
            expect![[
                "One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: arn:aws:dynamodb:us-east-1:123456789012:table/teams/index/by-a"
            ]],
        );
    }

    #[test]
    fn the_table_is_of_this_region_and_account_and_exists() {
        let find = |arn: &str| {
            let (catalog, options) = (Catalog::default(), Options::default());
            find_table(&catalog, &options, arn, "TagResource").map(|table| table.name.clone())
        };
        check(
            find("arn:aws:dynamodb:eu-west-1:123456789012:table/teams"),
            expect![[
                "Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:eu-west-1:123456789012:table/teams"
            ]],
        );
        check(
            find("arn:aws:dynamodb:us-east-1:000000000000:table/teams"),
            expect![[
                "User: arn:aws:iam::123456789012:root is not authorized to perform: dynamodb:TagResource on resource: arn:aws:dynamodb:us-east-1:000000000000:table/teams"
            ]],
        );
        check(
            find(TEAMS),
            expect![[
                "Requested resource not found: ResourceArn: arn:aws:dynamodb:us-east-1:123456789012:table/teams not found"
            ]],
        );
    }

    #[test]
    fn a_request_names_a_tag() {
        let resource_arn = TEAMS.to_owned();
        let request = TagResource { resource_arn: resource_arn.clone(), tags: BTreeMap::new() };
        check(request.validate(), expect![["Atleast one Tag needs to be provided as Input."]]);
        let request = UntagResource { resource_arn, tag_keys: Vec::new() };
        check(request.validate(), expect![["Atleast one Tag Key needs to be provided as Input."]]);
    }

    #[test]
    fn keys_and_values_of_tags_are_bounded() {
        assert_eq!(tag(&"k".repeat(128), &"v".repeat(256)), Ok(()));
        assert_eq!(tag("k", ""), Ok(()));
        check(tag("", "v"), expect![["The Tag Key provided is invalid, Key: "]]);
        assert!(tag(&"k".repeat(129), "v").is_err());
        assert!(tag("k", &"v".repeat(257)).is_err());
        assert_eq!(tag("Straße 9 +-=._:/@", "東京 +-=._:/@"), Ok(()));
        check(tag("a#b", "v"), expect![["The Tag Key provided is invalid, Key: a#b"]]);
        check(tag("k", "<b>"), expect![["The Tag Value provided is invalid, Value: <b>"]]);
        check(tag("aws:k", "v"), expect![["Tag Key cannot be prefixed with aws:, Key: aws:k"]]);
    }

    #[test]
    fn a_table_has_fifty_tags_at_most() {
        let tags = |count: usize| -> BTreeMap<String, String> {
            (0..count).map(|number| (number.to_string(), String::new())).collect()
        };
        assert_eq!(check_tags(&tags(50)), Ok(()));
        check(
            check_tags(&tags(51)),
            expect![["Number of Tags exceed the current limit for the provided ResourceArn"]],
        );
    }
}
