//! Resource-based policies, of which there are none.

use monotable_engine::{Database, DescribeStream, DescribeTable, Error};
use monotable_types::Constraints;

use crate::error::Result;
use crate::parameters::finish;
use crate::table::invalid;

/// The ARN of a table or stream, which must exist.
pub(crate) fn existing_resource(database: &Database, arn: Option<String>) -> Result<String> {
    let mut constraints = Constraints::default();
    if arn.is_none() {
        constraints.null("resourceArn");
    }
    finish(constraints)?;
    let arn = arn.unwrap_or_default();
    if !arn.starts_with("arn:") {
        return Err(invalid(format!("ARNs must start with 'arn:': {arn}")));
    }
    let exists = match arn.contains("/stream/") {
        true => database.describe_stream(DescribeStream::new(arn.as_str())).is_ok(),
        false => database.describe_table(DescribeTable::new(arn.as_str())).is_ok(),
    };
    match exists {
        true => Ok(arn),
        false => Err(Error::ResourceNotFound(format!(
            "Requested resource not found: ResourceArn: {arn} not found"
        ))
        .into()),
    }
}
