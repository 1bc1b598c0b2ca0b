//! The limits of DynamoDB, each with AWS's rule.
//!
//! Source: "Service, account, and table quotas" and "Constraints" in the developer guide, and the
//! API reference of the operation. This file only contains the numbers; the code that enforces a
//! limit contains the error message.

/// An item, names and values together, is at most 400 KB.
pub const ITEM_BYTES_MAX: usize = 400 * 1024;
/// Values nest at most 32 levels deep, a scalar inside being a level of its own: see
/// [`AttributeValue::depth`](crate::AttributeValue::depth).
pub const NESTING_DEPTH_MAX: usize = 32;
/// How deep an expression value of a transaction nests, counted as in [`NESTING_DEPTH_MAX`].
pub const TRANSACT_VALUE_DEPTH_MAX: usize = 33;
/// A number has at most 38 significant digits.
pub const NUMBER_DIGITS_MAX: u32 = 38;

/// A partition key value is 1 to 2048 bytes.
pub const PARTITION_KEY_BYTES_MAX: usize = 2048;
/// A sort key value is 1 to 1024 bytes.
pub const SORT_KEY_BYTES_MAX: usize = 1024;
/// An attribute name is 1 to 65,535 bytes.
pub const ATTRIBUTE_NAME_BYTES_MAX: usize = 65_535;
/// The name of a key attribute, and of an attribute that an index projects by name, is 1 to 255
/// bytes.
pub const KEY_ATTRIBUTE_NAME_BYTES_MAX: usize = 255;
/// A table or index name has at least 3 characters.
pub const NAME_LENGTH_MIN: usize = 3;
/// A table or index name has at most 255 characters.
pub const NAME_LENGTH_MAX: usize = 255;

/// A table has at most 20 global secondary indexes (the default quota).
pub const GSI_MAX: usize = 20;
/// A table has at most 5 local secondary indexes.
pub const LSI_MAX: usize = 5;
/// The key of a global secondary index has at most 4 partition and at most 4 sort attributes.
pub const INDEX_KEY_ATTRIBUTES_MAX: usize = 4;
/// The `INCLUDE` projections of all indexes of a table name at most 100 attributes together.
pub const PROJECTED_ATTRIBUTES_MAX: usize = 100;
/// One `INCLUDE` projection names at most 20 attributes.
pub const PROJECTION_NON_KEY_ATTRIBUTES_MAX: usize = 20;
/// The items of one partition key value in a table with local indexes are at most 10 GB.
pub const ITEM_COLLECTION_BYTES_MAX: u64 = 10 * 1024 * 1024 * 1024;
/// `ListTables` returns at most 100 names per page.
pub const LIST_TABLES_PAGE_MAX: usize = 100;
/// A resource has at most 50 tags.
pub const TAGS_MAX: usize = 50;
/// A resource-based policy is at most 20 KB large.
pub const RESOURCE_POLICY_BYTES_MAX: usize = 20 << 10;
/// A tag key has at most 128 characters.
pub const TAG_KEY_LENGTH_MAX: usize = 128;
/// A tag value has at most 256 characters.
pub const TAG_VALUE_LENGTH_MAX: usize = 256;

/// A page of `Query` or `Scan` reads at most 1 MB.
pub const PAGE_BYTES_MAX: usize = 1 << 20;
/// A parallel `Scan` has at most 1,000,000 segments.
pub const SCAN_SEGMENTS_MAX: u32 = 1_000_000;
/// `BatchWriteItem` has at most 25 requests.
pub const BATCH_WRITE_MAX: usize = 25;
/// `BatchWriteItem` carries at most 16 MB.
pub const BATCH_WRITE_BYTES_MAX: usize = 16 << 20;
/// `BatchGetItem` has at most 100 keys.
pub const BATCH_GET_MAX: usize = 100;
/// `BatchGetItem` returns at most 16 MB; the remaining keys are returned as unprocessed.
pub const BATCH_GET_BYTES_MAX: usize = 16 << 20;
/// A transaction has at most 100 actions.
pub const TRANSACT_MAX: usize = 100;
/// The items of a transaction are at most 4 MB together.
pub const TRANSACT_BYTES_MAX: usize = 4 << 20;
/// A `ClientRequestToken` is 1 to 36 characters.
pub const CLIENT_REQUEST_TOKEN_LENGTH_MAX: usize = 36;
/// A `ClientRequestToken` makes a transaction idempotent for 10 minutes.
pub const CLIENT_REQUEST_TOKEN_SECONDS: u64 = 10 * 60;

/// An expression is at most 4 KB of text.
pub const EXPRESSION_BYTES_MAX: usize = 4096;
/// An expression has at most 300 operators and functions.
pub const EXPRESSION_OPERATORS_MAX: usize = 300;
/// `IN` takes at most 100 operands to choose from.
pub const IN_OPERANDS_MAX: usize = 100;
/// A `#name` or `:value` placeholder is at most 255 characters.
pub const PLACEHOLDER_LENGTH_MAX: usize = 255;
/// The names or values substituted into the expressions of a request are at most 2 MB.
pub const SUBSTITUTIONS_BYTES_MAX: usize = 2 << 20;

/// A change record can be read for 24 hours.
pub const STREAM_RETENTION_SECONDS: u64 = 24 * 60 * 60;
/// `GetRecords` returns at most 1000 records.
pub const STREAM_RECORDS_MAX: usize = 1000;
/// An item whose TTL is more than 5 years ago does not expire.
pub const TTL_PAST_SECONDS_MAX: u64 = 5 * 365 * 24 * 60 * 60;

/// A read capacity unit is a strongly consistent read of up to 4 KB.
pub const READ_UNIT_BYTES: usize = 4 * 1024;
/// A write capacity unit is a write of up to 1 KB.
pub const WRITE_UNIT_BYTES: usize = 1024;
