//! The words that are names only in quotes: the keywords of SQL-92 and PartiQL.

/// In alphabetical order, for binary search. The parts of a date are left out: AWS's own examples
/// have an attribute `year` without quotes.
#[rustfmt::skip]
const KEYWORDS: &[&str] = &[
    "absolute", "action", "add", "all", "allocate", "alter", "and", "any", "are", "as", "asc",
    "assertion", "at", "authorization", "avg", "bag", "begin", "between", "bit", "bit_length",
    "blob", "bool", "boolean", "both", "by", "cascade", "cascaded", "case", "cast", "catalog",
    "char", "char_length", "character", "character_length", "check", "clob", "close", "coalesce",
    "collate", "collation", "column", "commit", "connect", "connection", "constraint",
    "constraints", "continue", "convert", "corresponding", "count", "create", "cross", "current",
    "current_date", "current_time", "current_timestamp", "current_user", "cursor", "date",
    "deallocate", "dec", "decimal", "declare", "default", "deferrable", "deferred", "delete",
    "desc", "describe", "descriptor", "diagnostics", "disconnect", "distinct", "domain", "double",
    "drop", "else", "end", "escape", "except", "exception", "exec", "execute", "exists", "external",
    "extract", "false", "fetch", "first", "float", "for", "foreign", "found", "from", "full", "get",
    "global", "go", "goto", "grant", "group", "having", "identity", "immediate", "in", "index",
    "indicator", "initially", "inner", "input", "insensitive", "insert", "int", "int2", "int4",
    "int8", "integer", "integer2", "integer4", "integer8", "intersect", "interval", "into", "is",
    "isolation", "join", "key", "language", "last", "leading", "left", "level", "like", "limit",
    "list", "local", "lower", "match", "max", "min", "missing", "module", "names", "national",
    "natural", "nchar", "next", "no", "not", "null", "nullif", "numeric", "octet_length", "of",
    "on", "only", "open", "option", "or", "order", "outer", "output", "overlaps", "pad", "partial",
    "pivot", "position", "precision", "prepare", "preserve", "primary", "prior", "privileges",
    "procedure", "public", "read", "real", "references", "relative", "remove", "restrict",
    "returning", "revoke", "right", "rollback", "rows", "schema", "scroll", "section", "select",
    "session", "session_user", "set", "sexp", "size", "smallint", "some", "space", "sql", "sqlcode",
    "sqlerror", "sqlstate", "string", "struct", "substring", "sum", "symbol", "system_user",
    "table", "temporary", "then", "time", "timestamp", "to", "trailing", "transaction", "translate",
    "translation", "trim", "true", "tuple", "union", "unique", "unknown", "unpivot", "update",
    "upper", "usage", "user", "using", "value", "values", "varchar", "varying", "view", "when",
    "whenever", "where", "with", "work", "write", "zone",
];

/// Keywords that name a function when a parenthesis follows.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "avg", "bag", "bit_length", "char_length", "character_length", "coalesce", "count", "exists",
    "list", "lower", "max", "min", "nullif", "octet_length", "sexp", "size", "substring", "sum",
    "upper",
];

/// Keywords that are used between two operands.
const OPERATORS: &[&str] =
    &["and", "between", "except", "in", "intersect", "is", "like", "or", "union"];

/// Returns the keyword that a word is, in upper or lower case.
pub(super) fn find(word: &str) -> Option<&'static str> {
    let lower = word.to_ascii_lowercase();
    KEYWORDS.binary_search(&lower.as_str()).ok().map(|at| KEYWORDS[at])
}

/// Returns whether the keyword can start a call.
pub(super) fn is_function(keyword: &str) -> bool {
    FUNCTIONS.contains(&keyword)
}

/// Returns whether the keyword is an operator.
pub(super) fn is_operator(keyword: &str) -> bool {
    OPERATORS.contains(&keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_binary_search() {
        assert!(KEYWORDS.is_sorted());
        for word in FUNCTIONS.iter().chain(OPERATORS) {
            assert_eq!(find(&word.to_uppercase()), Some(*word));
        }
        assert_eq!(find("year"), None);
    }
}
