//! The catalogue of the rules: every code once, with the words of its message.
//!
//! Checks in this crate and the macros take the reason and the fix from here, so that a rule reads the
//! same wherever it is broken. Nothing here knows how a rule is checked.

use std::fmt::Write as _;

/// One rule of a good design.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its code, such as `K04`.
    pub code: &'static str,
    /// How bad it is to break it.
    pub severity: Severity,
    /// What breaks it, as a sentence.
    pub what: &'static str,
    /// Why that is a problem, as a clause without a full stop.
    pub why: &'static str,
    /// What to do, as a clause in the imperative.
    pub fix: &'static str,
}

/// How bad it is to break a rule. All of them stop the compiler until they are allowed with a reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// Data is lost, refused or never found.
    Error,
    /// It works, and costs or surprises later.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    /// Returns the word for documents.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl Rule {
    /// Returns the message for a declaration that breaks the rule: `[K04] what; why; fix`.
    pub fn message(&self, what: &str) -> String {
        self.message_with_fix(what, self.fix)
    }

    /// Returns [`message`](Self::message) with a more specific fix than the general one.
    pub fn message_with_fix(&self, what: &str, fix: &str) -> String {
        let mut message = String::new();
        // Writing to a `String` does not fail.
        let _ = write!(message, "[{}] {what}; {}; {fix}", self.code, self.why);
        message
    }
}

/// Returns the rule with a code.
pub fn rule(code: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.code == code)
}

/// Declares the rules as constants and lists them in [`RULES`].
macro_rules! rules {
    ($($code:ident $severity:ident $what:literal, $why:literal, $fix:literal;)*) => {
        $(
            #[doc = $what]
            pub const $code: Rule = Rule {
                code: stringify!($code),
                severity: Severity::$severity,
                what: $what,
                why: $why,
                fix: $fix,
            };
        )*

        /// Every rule, in the order of the documents.
        pub const RULES: &[&Rule] = &[$(&$code),*];
    };
}

rules! {
    K01 Error "Two entities or rule keys can produce the same primary key.",
        "one row would silently replace the other",
        "give one of them a literal of its own in the partition key or the sort key";
    K02 Error "The sort key literal of an entity or rule key begins with that of another in a partition they share.",
        "`begins_with` on the shorter literal finds both",
        "end the shorter literal with a delimiter that the longer one lacks there, or return both entities";
    K03 Warning "A template has no literal before its first field where several entities or rule keys share a partition.",
        "nothing in the key keeps the entities apart",
        "begin the template with a literal, such as the entity's name and `#`";
    K04 Error "A number is in a sort key in a form that does not sort.",
        "keys sort as text, where 10 comes before 9 and -1 before -2",
        "pad a number without sign to the digits of its type, as in `{number:010}`";
    K05 Warning "A number is padded to fewer digits than its type has.",
        "a greater number can't be written into the key",
        "pad to all digits of the type, or take a smaller type";
    K06 Error "A field that is not the last of its template may contain what follows it.",
        "two different rows can get the same key, and the key can't be read back",
        "use a typed id, a word, a date or a padded number there, or move the field to the end";
    K07 Error "A field of the primary key can change.",
        "a key is never updated in place: the row would have to be deleted and written again",
        "mark the field `#[immutable]`, or build the key from ids";
    K08 Error "A time in a key has an offset or a varying number of digits.",
        "such texts do not sort by time, and one instant has several of them",
        "use `Timestamp`, `EpochSeconds` or `Date`, which are in UTC with a fixed width";
    K11 Error "A key can be empty or absent.",
        "DynamoDB refuses a row whose key is empty or missing",
        "put a literal into the template";
    I01 Error "A pattern reads an index that an entity never writes, or that the table does not have.",
        "a row that does not write the keys of an index is never found there",
        "declare the keys with `#[index(..)]` on the entity, or read the table instead";
    I02 Error "An entity writes only some of the keys of an index, or one that may be absent.",
        "a row without all key attributes is silently left out of the index",
        "write every key of the index, and mark it `sparse` if rows may stay out of it";
    I03 Warning "An index is used by no pattern.",
        "every write pays for it and nothing reads it",
        "remove the index, or declare the pattern that needs it";
    I07 Error "A pattern needs an attribute that the index does not carry.",
        "a row read from the index can't be decoded as the entity, or silently lacks the value",
        "include the attribute in the projection, or project all";
    I08 Error "A pattern reads a global index consistently.",
        "global indexes lag behind the table, and DynamoDB refuses the request",
        "remove `consistent`, or read the table";
    I11 Error "A pattern does not set the keys of an index in the way that DynamoDB requires.",
        "a query needs an equality for every partition attribute, then sort attributes from the left without a gap, and at most one range as the last of them",
        "give the key attributes in that order";
    I12 Error "The indexes go beyond a limit of DynamoDB.",
        "DynamoDB refuses to create the table",
        "remove the excess";
    P01 Error "A pattern has no partition key.",
        "it would read the whole table, and cost more with every row in it",
        "give it a partition key, or declare it `#[scan(admin)]` if only administrators run it";
    P02 Error "An argument is not part of a key.",
        "a filter drops rows after they were read and paid for, and does not narrow the read",
        "put it into a key template, or mark it `#[filter]` to accept the cost";
    P03 Error "A pattern reads rows of entities that it does not return.",
        "they are paid for, but are not of the types that the pattern returns",
        "narrow the sort key, or add the entity to the return type";
    P04 Error "A pattern can't find an entity that it returns, or not all of its rows.",
        "the keys of the pattern and of the entity have nothing in common",
        "correct the key of the pattern, or take the entity out of the return type";
    P05 Warning "A pattern returns all rows of a collection that nothing bounds.",
        "a collection grows until reading it takes many pages and too long",
        "return `Rows` and page through them, or set their maximum number with `items_max`";
    P06 Error "The upper end of a range stops before the last bucket.",
        "keys that continue after the upper bound, as in `GAME#2026-12-31#g7`, are lost",
        "write the range with `..=`, which includes everything that begins with its end";
    P10 Warning "A pattern has a limit and a filter.",
        "the limit counts rows before the filter, so that pages come back short or empty",
        "remove the limit and ask for `take(n)`, which continues until the page is full";
    U01 Error "A condition on a non-key attribute is used to make a value unique.",
        "a condition sees only the row that is being written, never another one",
        "declare `#[unique(..)]`, which keeps a row of its own for the value";
    U02 Error "A value is looked up in an index to keep it unique.",
        "between the read and the write another writer can take the value",
        "declare `#[unique(..)]`, which takes the value in the same transaction";
    U03 Error "A unique value is not released when its field changes.",
        "the old value stays taken forever, although no row has it any more",
        "release it on change, or mark the field `#[immutable]`";
    W01 Warning "A row is put without a condition where a new one is meant.",
        "an existing row with this key is silently replaced",
        "use `create`, which fails if the row exists";
    W02 Warning "A row is updated without the condition that it exists.",
        "an update of a missing row creates a row that has only the changed attributes",
        "keep the condition that the row exists";
    W03 Warning "A row is read, changed and written back without a version or a condition.",
        "what another writer changed in between is lost",
        "give the entity stamps with a version, or write with a condition";
    W06 Error "A copy, mirror or rule's row has no source in the table, or a mirror has what its source does not.",
        "nothing keeps it consistent with its source",
        "add the source to the entities of the table, or remove the copy";
    L01 Error "An expiry is not in the table's `ttl` attribute, or is not a time in epoch seconds.",
        "DynamoDB never deletes such a row, and reports nothing",
        "write the expiry to the table's `ttl` attribute";
    L03 Error "An entity that expires has unique constraints, mirrors or counters.",
        "expiry deletes the row alone: its derived rows remain, and counters restart",
        "delete such rows by a job instead, or let nothing depend on them";
    D01 Error "One attribute has two meanings.",
        "DynamoDB refuses a key of another type, and readers can't know its meaning",
        "rename the attribute of one of them, or give both the same type";
    D02 Error "The type of a row can't be determined.",
        "rows of several entities are returned together, and their types would be guesses",
        "give every row a type attribute of its own and project it";
    D04 Error "serde writes a field in another way than the model reads it.",
        "the attribute is never written, or under a name that no key and no pattern knows",
        "let serde and the model agree on the name, and drop `skip_serializing` from the field";
    R01 Error "The table needs a feature that one of its targets lacks.",
        "ScyllaDB Alternator has neither transactions nor index keys of several attributes",
        "remove the target, or do without the feature";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_clauses_have_no_full_stop() {
        for (position, one) in RULES.iter().enumerate() {
            assert_eq!(rule(one.code), Some(*one));
            assert!(RULES[position + 1..].iter().all(|other| other.code != one.code));
            assert!(one.what.ends_with('.'), "{}", one.code);
            assert!(!one.why.ends_with('.') && !one.fix.ends_with('.'), "{}", one.code);
        }
        assert_eq!(rule("X99"), None);
    }

    #[test]
    fn the_documentation_lists_every_rule() {
        let mut document = include_str!("rules_head.md").to_owned();
        for rule in RULES {
            let _ = write!(
                document,
                "\n## {}: {}\n\n{}: {}. **Fix:** {}.\n",
                rule.code,
                rule.what.trim_end_matches('.'),
                capital(rule.severity.word()),
                rule.why,
                rule.fix
            );
        }
        expect_test::expect_file!["../../../docs/rules.md"].assert_eq(&document);
    }

    fn capital(word: &str) -> String {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    }

    #[test]
    fn a_message_has_code_place_reason_and_fix() {
        expect_test::expect![[
            r"[P02] argument `name` is not part of any key of pattern player_named; a filter drops rows after they were read and paid for, and does not narrow the read; put it into a key template, or mark it `#[filter]` to accept the cost"
        ]]
        .assert_eq(&P02.message("argument `name` is not part of any key of pattern player_named"));
    }
}
