//! What a request names, read so strictly that nobody reads it otherwise.

use super::pattern::is_name_character;

/// What a request names: a table by its name or ARN, where an index or a stream is a part of its
/// table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Resource<'a> {
    Table(&'a str),
    /// Starts as an ARN and is not one of a table. Whoever may use some tables only is denied it,
    /// so that it does not matter which table somebody else could read out of it.
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
