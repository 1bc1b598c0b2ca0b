//! Reads the statements of a table. A statement with an error is left out, so that the errors of the
//! others are seen, too.

use monotable_design::rules;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::quote;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::{Attribute, Ident, LitStr, Path, Token, Visibility, braced, parenthesized};

use super::Name;
use super::index::{Index, Kind};
use super::name::table_name;
use super::stamps::{self, Stamps};
use crate::allow::Allow;
use crate::codec::Codec;
use crate::crate_path::CratePath;
use crate::diagnostics::{Errors, did_you_mean};
use crate::patterns::rows::{Member, unique};

/// A table as declared.
pub(crate) struct Table {
    /// Where generated code finds the library.
    pub(crate) codegen: TokenStream,
    /// The documentation comment and other attributes.
    pub(crate) attributes: Vec<Attribute>,
    /// Who sees it.
    pub(crate) visibility: Visibility,
    /// The name of the type.
    pub(crate) name: Ident,
    /// What it consists of.
    pub(crate) parts: Parts,
}

/// The statements of a declaration.
#[derive(Default)]
pub(crate) struct Parts {
    /// The table's name, with variables.
    pub(crate) table_name: Option<LitStr>,
    /// The key attributes.
    pub(crate) key: Option<(Name, Option<Name>)>,
    /// How the type of a row is known.
    pub(crate) type_attribute: Option<TypeAttribute>,
    /// The attribute of expiry.
    pub(crate) ttl: Option<Name>,
    /// The codec of every entity.
    pub(crate) codec: Option<Codec>,
    /// The indexes.
    pub(crate) indexes: Vec<Index>,
    /// The stores that must support the table.
    pub(crate) targets: Vec<Target>,
    /// The stamps of rows.
    pub(crate) stamps: Vec<Stamps>,
    /// The entities.
    pub(crate) entities: Vec<Member>,
    /// The rule keys.
    pub(crate) rules: Vec<Path>,
    /// The traits of access patterns.
    pub(crate) patterns: Vec<Path>,
    /// Rules not followed.
    pub(crate) allows: Vec<Allow>,
}

/// How the type of a row is known.
pub(crate) enum TypeAttribute {
    /// By an attribute.
    Named(Name),
    /// By its key.
    ByKey,
}

/// A store that can contain a table.
pub(crate) struct Target(&'static str);

impl Target {
    const WORDS: [(&'static str, &'static str); 3] =
        [("embedded", "Embedded"), ("dynamodb", "DynamoDb"), ("alternator", "Alternator")];

    /// Returns the constant `Target`.
    pub(crate) fn expand(&self, codegen: &TokenStream) -> TokenStream {
        let variant = Ident::new(self.0, Span::call_site());
        quote!(#codegen::Target::#variant)
    }
}

impl Parse for Target {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let word: Ident = input.parse()?;
        match Self::WORDS.iter().find(|(known, _)| word == known) {
            Some((_, variant)) => Ok(Self(variant)),
            None => {
                let message = "a target is `embedded`, `dynamodb` or `alternator`";
                Err(syn::Error::new(word.span(), message))
            }
        }
    }
}

const STATEMENTS: [&str; 13] = [
    "name",
    "key",
    "type_attribute",
    "index",
    "local index",
    "ttl",
    "codec",
    "targets",
    "stamps",
    "entities",
    "rules",
    "patterns",
    "allow",
];

/// Reads a declaration. Returns `None` if the name of the type is missing or there are no entities,
/// so that no code can be generated.
pub(crate) fn read(input: TokenStream, errors: &mut Errors) -> Option<Table> {
    let frame = |input: ParseStream<'_>| -> syn::Result<(Table, TokenStream)> {
        let mut crate_path = CratePath::default();
        if input.peek(Token![crate]) {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            let name: Ident = input.parse()?;
            crate_path = CratePath::named(&LitStr::new(&name.to_string(), name.span()))?;
            input.parse::<Token![;]>()?;
        }
        let attributes = input.call(Attribute::parse_outer)?;
        let (visibility, name) = (input.parse()?, input.parse()?);
        let inside;
        braced!(inside in input);
        let codegen = crate_path.codegen();
        let table = Table { codegen, attributes, visibility, name, parts: Parts::default() };
        Ok((table, inside.parse()?))
    };
    let (mut table, body) = errors.take(frame.parse2(input))?;
    let mut statement = TokenStream::new();
    let mut seen = Vec::new();
    for token in body {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == ';' => {
                table.parts.statement(std::mem::take(&mut statement), &mut seen, errors);
            }
            token => statement.extend([token]),
        }
    }
    table.parts.statement(statement, &mut seen, errors);
    table.check(&seen, errors);
    (!table.parts.entities.is_empty()).then_some(table)
}

impl Parts {
    /// Reads one statement. Where its `;` is missing, the next one follows.
    fn statement(&mut self, tokens: TokenStream, seen: &mut Vec<String>, errors: &mut Errors) {
        if tokens.is_empty() {
            return;
        }
        let mut rest = TokenStream::new();
        let read = |input: ParseStream<'_>| {
            let word = input.call(Ident::parse_any)?;
            let text = word.to_string();
            if !matches!(text.as_str(), "index" | "local" | "stamps" | "allow") {
                if seen.contains(&text) {
                    let message = format!("`{text}` is given twice; remove one of them");
                    return Err(syn::Error::new(word.span(), message));
                }
                seen.push(text);
            }
            self.read(&word, input, errors)?;
            if !input.is_empty() {
                errors.add(input.error("expected `;`"));
                rest = input.parse()?;
            }
            Ok(())
        };
        if let Err(error) = read.parse2(tokens) {
            errors.add(error);
        }
        if let Some(TokenTree::Ident(word)) = rest.clone().into_iter().next()
            && is_statement(&word)
        {
            self.statement(rest, seen, errors);
        }
    }

    fn read(
        &mut self,
        word: &Ident,
        input: ParseStream<'_>,
        errors: &mut Errors,
    ) -> syn::Result<()> {
        match word.to_string().as_str() {
            "name" => self.table_name = Some(table_name(value(input)?)?),
            "key" => self.key = Some(key(word.span(), input)?),
            "type_attribute" => {
                let name: Name = value(input)?;
                self.type_attribute = Some(match name.text.as_str() {
                    "none" => TypeAttribute::ByKey,
                    _ => TypeAttribute::Named(name),
                });
            }
            "index" => self.indexes.push(Index::read(Kind::Global, input)?),
            "local" => {
                if input.parse::<Ident>().ok().is_none_or(|next| next != "index") {
                    return Err(syn::Error::new(word.span(), "write `local index LSI1(LSI1SK)`"));
                }
                self.indexes.push(Index::read(Kind::Local, input)?);
            }
            "ttl" => self.ttl = Some(value(input)?),
            "codec" => self.codec = Some(value(input)?),
            "targets" => self.targets = list(input)?,
            "stamps" => self.stamps.push(Stamps::read(input, errors)?),
            "entities" => {
                let paths = list::<Path>(input)?;
                if paths.is_empty() {
                    let message = "name the entities: `entities(Team, Player);`";
                    return Err(syn::Error::new(word.span(), message));
                }
                let members = paths.into_iter().map(Member::named);
                self.entities = members.filter_map(|member| errors.take(member)).collect();
            }
            "rules" => self.rules = list(input)?,
            "patterns" => self.patterns = list(input)?,
            "allow" => self.allows.push(input.parse()?),
            other => {
                let guess = did_you_mean(other, STATEMENTS.into_iter());
                let list = STATEMENTS.join(", ");
                let message = format!("a table has no `{other}` (it has {list}){guess}");
                return Err(syn::Error::new(word.span(), message));
            }
        }
        Ok(())
    }
}

/// Returns whether a statement begins with a word.
pub(super) fn is_statement(word: &Ident) -> bool {
    word == "local" || STATEMENTS.iter().any(|known| word == known)
}

impl Table {
    /// Reports missing and repeated statements.
    fn check(&mut self, seen: &[String], errors: &mut Errors) {
        let name = &self.name;
        let type_unknown = rules::D02.message_with_fix(
            &format!("table `{name}` does not declare how the type of a row is determined"),
            "write `type_attribute = ItemType;` with the attribute that holds it, or \
             `type_attribute = none;` if the keys tell",
        );
        let example = name.to_string().to_lowercase();
        let needed = [
            (
                "name",
                format!(
                    "table `{name}` has no name; write `name = \"{example}-{{environment}}\";`"
                ),
            ),
            ("key", format!("table `{name}` has no primary key; write `key(PK, SK);`")),
            ("type_attribute", type_unknown),
            (
                "entities",
                format!("table `{name}` has no entities; write `entities(Team, Player);`"),
            ),
        ];
        for (statement, message) in needed {
            if !seen.iter().any(|seen| seen == statement) {
                errors.push(name.span(), message);
            }
        }
        let entities = std::mem::take(&mut self.parts.entities);
        self.parts.entities = unique(entities, &format!("table `{name}`"), errors);
        check_indexes(&self.parts, errors);
        stamps::check(&mut self.parts.stamps, errors);
        check_roles(name, &self.parts, errors);
    }
}

/// D01: the table itself writes an attribute for one purpose.
fn check_roles(table: &Ident, parts: &Parts, errors: &mut Errors) {
    let (partition, sort) = match &parts.key {
        Some((partition, sort)) => (Some(partition), sort.as_ref()),
        None => (None, None),
    };
    let type_attribute = match &parts.type_attribute {
        Some(TypeAttribute::Named(name)) => Some(name),
        Some(TypeAttribute::ByKey) | None => None,
    };
    let roles = [
        ("partition key", partition),
        ("sort key", sort),
        ("type attribute", type_attribute),
        ("expiry", parts.ttl.as_ref()),
    ];
    let roles: Vec<(&str, &Name)> =
        roles.into_iter().filter_map(|(role, name)| Some((role, name?))).collect();
    for (position, (role, name)) in roles.iter().enumerate().skip(1) {
        let taken = roles[..position].iter().find(|(_, earlier)| earlier.text == name.text);
        // Two keys of one name are reported where the keys are read.
        if let Some((earlier, _)) = taken.filter(|_| *role != "sort key") {
            let message = format!(
                "[D01] `{}` is the {earlier} and the {role} of `{table}`; one of the two values would \
                 replace the other; name another attribute",
                name.text
            );
            errors.push(name.span, message);
        }
    }
}

fn check_indexes(parts: &Parts, errors: &mut Errors) {
    let Parts { indexes, key, .. } = parts;
    for (position, index) in indexes.iter().enumerate() {
        let text = &index.name.text;
        if indexes[..position].iter().any(|earlier| earlier.name.text == *text) {
            let message = format!("there are two indexes `{text}`; rename one of them");
            errors.push(index.name.span, message);
        }
        errors.take(index.name.check_index());
        let mut attributes: Vec<&Name> = index.partition.iter().chain(&index.sort).collect();
        if let (Kind::Local, Some((partition, sort))) = (index.kind, key) {
            attributes.insert(0, partition);
            if sort.is_none() {
                let message = format!(
                    "a local index sorts the partitions of its table in another order, and this table \
                     has no sort key; write `index {text}(…)`, or give the table a sort key"
                );
                errors.push(index.name.span, message);
            }
        }
        errors.take(check_attributes(&format!("index `{text}`"), &attributes));
    }
}

/// Checks that the keys are different attributes.
fn check_attributes(of: &str, attributes: &[&Name]) -> syn::Result<()> {
    for (position, name) in attributes.iter().enumerate() {
        if attributes[..position].iter().any(|earlier| earlier.text == name.text) {
            let message = format!(
                "`{}` is two keys of {of}: DynamoDB takes an attribute once; name another one",
                name.text
            );
            return Err(syn::Error::new(name.span, message));
        }
    }
    Ok(())
}

/// Reads the value after `=`.
fn value<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Reads a list in parentheses, separated by commas.
fn list<T: Parse>(input: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let inside;
    parenthesized!(inside in input);
    Ok(inside.parse_terminated(T::parse, Token![,])?.into_iter().collect())
}

fn key(span: Span, input: ParseStream<'_>) -> syn::Result<(Name, Option<Name>)> {
    let mut names: Vec<Name> = list(input)?;
    let sort = if names.len() == 2 { names.pop() } else { None };
    match (names.pop(), names.is_empty()) {
        (Some(partition), true) => {
            if let Some(sort) = &sort {
                check_attributes("the table", &[&partition, sort])?;
            }
            Ok((partition, sort))
        }
        _ => {
            let message = "a primary key has one or two attributes: `key(PK, SK)` or `key(pk)`";
            Err(syn::Error::new(span, message))
        }
    }
}
