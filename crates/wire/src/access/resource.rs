//! The resource that a request names, read so strictly that no other reader can understand it
//! differently.

use super::pattern::is_name_character;

/// The resource that a request names: a table by its name or ARN. An index or a stream is a part of
/// its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource<'a> {
    Table(&'a str),
    /// Starts as an ARN and is not the ARN of a table. Only keys with access to all tables may use
    /// it, so it does not matter which table another reader would find in it.
    Unclear(&'a str),
}

impl<'a> Resource<'a> {
    pub(crate) fn of(name_or_arn: &'a str) -> Self {
        if !name_or_arn.starts_with("arn:") {
            return Self::Table(name_or_arn);
        }
        let mut parts = name_or_arn.splitn(6, ':');
        let [_, partition, service, region, account, path] =
            std::array::from_fn(|_| parts.next().unwrap_or_default());
        let table = path.strip_prefix("table/").unwrap_or_default();
        let table = table.split_once('/').map_or(table, |(table, _)| table);
        let plain = service == "dynamodb"
            && [partition, region, account].iter().all(|part| !part.contains('/'))
            && !table.is_empty()
            && table.bytes().all(is_name_character);
        if plain { Self::Table(table) } else { Self::Unclear(name_or_arn) }
    }
}
