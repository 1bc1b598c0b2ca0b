//! A table's ARN, which requests may give in place of its name.

use monotable_types::TableName;

/// Returns the table's name in `arn:<partition>:dynamodb:<region>:<account>:table/<name>`; `None`
/// for anything else, also for the ARN of an index or a stream.
///
/// ```
/// use monotable_engine::table_name_of_arn;
///
/// let arn = "arn:aws:dynamodb:us-east-1:123456789012:table/league";
/// assert_eq!(table_name_of_arn(arn), Some("league"));
/// assert_eq!(table_name_of_arn("league"), None);
/// assert_eq!(table_name_of_arn("arn::table/league"), None);
/// ```
pub fn table_name_of_arn(text: &str) -> Option<&str> {
    let (partition, rest) = text.strip_prefix("arn:")?.split_once(':')?;
    let (region, rest) = rest.strip_prefix("dynamodb:")?.split_once(':')?;
    let (account, resource) = rest.split_once(':')?;
    let name = resource.strip_prefix("table/")?;
    let is_whole = [partition, region, account].iter().all(|part| !part.is_empty());
    (is_whole && TableName::check_reference(name).is_ok()).then_some(name)
}
