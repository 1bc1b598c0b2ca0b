//! The options of `#[get(…)]`, `#[query(…)]`, `#[batch_get(…)]` and `#[scan(…)]`.

use proc_macro2::{Span, TokenTree};
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Attribute, Ident, LitInt, Meta, Token};

use super::presence::{self, PresenceTest};
use super::sort::{self, SortTest};
use crate::allow::Allow;
use crate::diagnostics::{Errors, did_you_mean};
use crate::table::Name;
use crate::template::KeyTemplate;

/// The operation of a pattern on the table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    /// One row by its key.
    Get,
    /// Rows of one partition.
    Query,
    /// Many rows by their keys.
    BatchGet,
    /// Everything.
    Scan,
}

impl Operation {
    /// Returns the operation that an attribute names.
    pub(crate) fn of(attribute: &Attribute) -> Option<Self> {
        match attribute.path().get_ident()?.to_string().as_str() {
            "get" => Some(Self::Get),
            "query" => Some(Self::Query),
            "batch_get" => Some(Self::BatchGet),
            "scan" => Some(Self::Scan),
            _ => None,
        }
    }

    /// Returns the name of the attribute.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::Query => "query",
            Self::BatchGet => "batch_get",
            Self::Scan => "scan",
        }
    }

    /// Returns the options that it takes.
    fn options(self) -> &'static [&'static str] {
        match self {
            Self::Get => &["pk", "sk", "unique", "consistent", "rps", "rows", "allow"],
            Self::Query => &[
                "index",
                "pk",
                "sk",
                "filter",
                "descending",
                "consistent",
                "limit",
                "items_max",
                "shards",
                "rps",
                "rows",
                "allow",
            ],
            Self::BatchGet => &["consistent", "rps", "allow"],
            Self::Scan => &[
                "admin",
                "index",
                "filter",
                "consistent",
                "limit",
                "items_max",
                "rps",
                "rows",
                "allow",
            ],
        }
    }
}

/// The options as declared.
#[derive(Default)]
pub(crate) struct Options {
    /// The index that it reads.
    pub(crate) index: Option<Name>,
    /// Templates of the partition key.
    pub(crate) partition: Vec<KeyTemplate>,
    /// Conditions on the sort key.
    pub(crate) sort: Vec<SortTest>,
    /// The unique constraint by whose value a row is got.
    pub(crate) unique: Option<Ident>,
    /// Fields that rows must have or lack.
    pub(crate) presence: Vec<PresenceTest>,
    /// The flags that are set, with their locations.
    pub(crate) flags: Vec<(&'static str, Span)>,
    /// Rows evaluated at most in one request.
    pub(crate) limit: Option<u32>,
    /// Rows that the collection has at most.
    pub(crate) items_max: Option<u32>,
    /// Expected requests a second.
    pub(crate) requests_per_second: Option<u32>,
    /// How many partitions are read as one.
    pub(crate) shards: Option<(u16, Span)>,
    /// The name of the enum for several entities.
    pub(crate) rows: Option<Ident>,
    /// Rules not followed.
    pub(crate) allows: Vec<Allow>,
}

impl Options {
    /// Reads the options of an attribute; those with errors are left out.
    pub(crate) fn read(operation: Operation, attribute: &Attribute, errors: &mut Errors) -> Self {
        let tokens = match &attribute.meta {
            Meta::Path(_) => return Self::default(),
            Meta::List(list) => list.tokens.clone(),
            Meta::NameValue(pair) => {
                let message =
                    format!("write the options in parentheses: `#[{}(…)]`", operation.word());
                errors.add(syn::Error::new_spanned(pair, message));
                return Self::default();
            }
        };
        let mut options = Self::default();
        let read = |input: ParseStream<'_>| {
            let mut seen = Vec::new();
            while !input.is_empty() {
                let result = options.read_one(operation, input, &mut seen);
                if errors.take(result).is_some() && !input.is_empty() && !input.peek(Token![,]) {
                    errors.add(input.error("expected a comma"));
                }
                skip_to_comma(input)?;
            }
            Ok(())
        };
        if let Err(error) = read.parse2(tokens) {
            errors.add(error);
        }
        options
    }

    /// Returns whether a flag is set.
    pub(crate) fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|(set, _)| *set == flag)
    }

    /// Returns every template of the key.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &KeyTemplate> {
        self.partition.iter().chain(self.sort.iter().flat_map(SortTest::templates))
    }

    fn read_one(
        &mut self,
        operation: Operation,
        input: ParseStream<'_>,
        seen: &mut Vec<String>,
    ) -> syn::Result<()> {
        let word: Ident = input.parse()?;
        let option = word.to_string();
        check_known(operation, &word)?;
        if option != "allow" && seen.contains(&option) {
            return Err(syn::Error::new(word.span(), format!("`{option}` is given twice")));
        }
        match option.as_str() {
            "allow" => self.allows.push(input.parse()?),
            "filter" => self.presence = presence::list(input)?,
            "descending" => self.flags.push(("descending", word.span())),
            "consistent" => self.flags.push(("consistent", word.span())),
            "admin" => self.flags.push(("admin", word.span())),
            _ => {
                input.parse::<Token![=]>()?;
                self.read_value(&word, input)?;
            }
        }
        seen.push(option);
        Ok(())
    }

    fn read_value(&mut self, word: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        match word.to_string().as_str() {
            "index" => self.index = Some(Name::parse(input)?),
            "pk" => self.partition = KeyTemplate::list(input)?,
            "sk" => self.sort = sort::list(input)?,
            "unique" => self.unique = Some(input.parse()?),
            "limit" => self.limit = Some(number(input)?),
            "items_max" => self.items_max = Some(number(input)?),
            "rps" => self.requests_per_second = Some(number(input)?),
            "shards" => {
                let literal: LitInt = input.parse()?;
                self.shards = Some((at_least_one(&literal)?, literal.span()));
            }
            _ => self.rows = Some(input.parse()?),
        }
        Ok(())
    }
}

fn check_known(operation: Operation, word: &Ident) -> syn::Result<()> {
    let option = word.to_string();
    let known = operation.options();
    if known.contains(&option.as_str()) {
        return Ok(());
    }
    let guess = did_you_mean(&option, known.iter().copied());
    let message = format!(
        "`{}` has no option `{option}` (it takes {}){guess}",
        operation.word(),
        known.join(", ")
    );
    Err(syn::Error::new(word.span(), message))
}

fn number(input: ParseStream<'_>) -> syn::Result<u32> {
    at_least_one(&input.parse()?)
}

fn at_least_one<N: std::str::FromStr<Err: std::fmt::Display> + PartialEq + From<u8>>(
    literal: &LitInt,
) -> syn::Result<N> {
    let number = literal.base10_parse::<N>()?;
    if number == N::from(0) {
        return Err(syn::Error::new(literal.span(), "expected at least 1"));
    }
    Ok(number)
}

/// Skips to the next comma. The skipped tokens belong to an option that already has an error.
fn skip_to_comma(input: ParseStream<'_>) -> syn::Result<()> {
    while !input.is_empty() && !input.peek(Token![,]) {
        input.parse::<TokenTree>()?;
    }
    input.parse::<Option<Token![,]>>()?;
    Ok(())
}
