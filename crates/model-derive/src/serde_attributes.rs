//! serde's attributes, as far as they decide what is written under which name.
//!
//! Attributes that decide nothing of that kind are skipped; serde itself checks their syntax.

use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, ExprPath, Ident, LitStr, Token};

use crate::diagnostics::Errors;

/// How serde changes the case of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RenameAll {
    /// As they are.
    #[default]
    None,
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl RenameAll {
    fn named(text: &str) -> Option<Self> {
        Some(match text {
            "lowercase" => Self::Lower,
            "UPPERCASE" => Self::Upper,
            "PascalCase" => Self::Pascal,
            "camelCase" => Self::Camel,
            "snake_case" => Self::Snake,
            "SCREAMING_SNAKE_CASE" => Self::ScreamingSnake,
            "kebab-case" => Self::Kebab,
            "SCREAMING-KEBAB-CASE" => Self::ScreamingKebab,
            _ => return None,
        })
    }

    /// Returns the name of a field, which is written in snake case.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Self::None | Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => first_lower(&pascal(name)),
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Returns the name of a variant, which is written in Pascal case.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Self::None | Self::Pascal => name.to_owned(),
            Self::Lower => name.to_ascii_lowercase(),
            Self::Upper => name.to_ascii_uppercase(),
            Self::Camel => first_lower(name),
            Self::Snake => snake(name),
            Self::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Self::Kebab => snake(name).replace('_', "-"),
            Self::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// Returns a Pascal-case name in snake case, by serde's own rule: every capital starts a word.
pub(crate) fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for (at, character) in name.char_indices() {
        if at > 0 && character.is_uppercase() {
            snake.push('_');
        }
        snake.push(character.to_ascii_lowercase());
    }
    snake
}

/// Returns a snake-case name in Pascal case.
pub(crate) fn pascal(name: &str) -> String {
    let mut pascal = String::with_capacity(name.len());
    let mut is_start = true;
    for character in name.chars() {
        match (character, is_start) {
            ('_', _) => is_start = true,
            (other, true) => {
                pascal.push(other.to_ascii_uppercase());
                is_start = false;
            }
            (other, false) => pascal.push(other),
        }
    }
    pascal
}

fn first_lower(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_ascii_lowercase().to_string() + characters.as_str()
    })
}

/// The serde attributes of a struct or an enum.
#[derive(Default)]
pub(crate) struct Container {
    /// The case of the names.
    pub(crate) rename_all: RenameAll,
    /// Whether missing fields take the value of the struct's default.
    pub(crate) has_default: bool,
    /// An attribute that makes serde write something else than the fields.
    pub(crate) foreign: Option<(&'static str, Span)>,
    /// Where rows with more than the fields are refused.
    pub(crate) strict: Option<Span>,
}

/// The serde attributes of a field or a variant.
#[derive(Default)]
pub(crate) struct Member {
    /// Another name.
    pub(crate) rename: Option<String>,
    /// Names that are read too.
    pub(crate) aliases: Vec<String>,
    /// Whether a row without it can be read.
    pub(crate) has_default: bool,
    /// Everything that keeps the value from being written and read as it is.
    pub(crate) hindrances: Vec<Hindrance>,
}

/// An attribute that makes what is stored differ from the value.
pub(crate) struct Hindrance {
    /// The attribute.
    pub(crate) attribute: &'static str,
    /// Its argument, if it is one text.
    pub(crate) argument: String,
    /// The location of the attribute.
    pub(crate) span: Span,
}

impl Hindrance {
    /// Returns the function that serde calls to write the value, if one is set.
    pub(crate) fn serializer(&self) -> Option<ExprPath> {
        let function = match self.attribute {
            "with" => format!("{}::serialize", self.argument),
            "serialize_with" => self.argument.clone(),
            _ => return None,
        };
        syn::parse_str(&function).ok()
    }
}

/// Reads the attributes of a struct or an enum.
pub(crate) fn container(attributes: &[Attribute]) -> syn::Result<Container> {
    let mut container = Container::default();
    each(attributes, |meta| {
        let name = meta.path.require_ident()?.to_string();
        match name.as_str() {
            "rename_all" => {
                let (written, read) = renaming(&meta)?;
                if written != read {
                    let message = "[D04] names are written in another case than they are read in; what \
                                   was written is never read; give `rename_all` one case for both";
                    return Err(meta.error(message));
                }
                match RenameAll::named(&written) {
                    Some(rename_all) => container.rename_all = rename_all,
                    None => return Err(meta.error(format!("serde knows no case `{written}`"))),
                }
            }
            "default" => {
                container.has_default = true;
                skip_argument(&meta)?;
            }
            "deny_unknown_fields" => container.strict = Some(meta.path.require_ident()?.span()),
            "into" => foreign(&mut container, "into", &meta)?,
            "from" => foreign(&mut container, "from", &meta)?,
            "try_from" => foreign(&mut container, "try_from", &meta)?,
            "transparent" => foreign(&mut container, "transparent", &meta)?,
            "tag" => foreign(&mut container, "tag", &meta)?,
            "untagged" => foreign(&mut container, "untagged", &meta)?,
            _ => skip_argument(&meta)?,
        }
        Ok(())
    })?;
    Ok(container)
}

fn foreign(
    container: &mut Container,
    name: &'static str,
    meta: &ParseNestedMeta<'_>,
) -> syn::Result<()> {
    container.foreign = Some((name, meta.path.require_ident()?.span()));
    skip_argument(meta)
}

/// Reads the attributes of a field or a variant.
pub(crate) fn member(attributes: &[Attribute]) -> syn::Result<Member> {
    let mut member = Member::default();
    each(attributes, |meta| {
        let ident = meta.path.require_ident()?.clone();
        let mut hinder = |attribute: &'static str| -> syn::Result<()> {
            let argument = argument(&meta)?;
            member.hindrances.push(Hindrance { attribute, argument, span: ident.span() });
            Ok(())
        };
        match ident.to_string().as_str() {
            "alias" => member.aliases.push(meta.value()?.parse::<LitStr>()?.value()),
            "rename" => {
                let (written, read) = renaming(&meta)?;
                if written != read {
                    let message = "[D04] this is written under another name than it is read by; what was \
                                   written is never read; give `rename` one name for both";
                    return Err(meta.error(message));
                }
                member.rename = Some(written);
            }
            "default" => {
                member.has_default = true;
                skip_argument(&meta)?;
            }
            "skip" => hinder("skip")?,
            "flatten" => hinder("flatten")?,
            "other" => hinder("other")?,
            "skip_serializing" => hinder("skip_serializing")?,
            "skip_deserializing" => hinder("skip_deserializing")?,
            "skip_serializing_if" => hinder("skip_serializing_if")?,
            "with" => hinder("with")?,
            "serialize_with" => hinder("serialize_with")?,
            "deserialize_with" => hinder("deserialize_with")?,
            _ => skip_argument(&meta)?,
        }
        Ok(())
    })?;
    Ok(member)
}

/// D04: a value that is written into keys must be the same text to serde. `of` is its type.
pub(crate) fn refuse_other_text(of: &Ident, attribute: &str, span: Span, errors: &mut Errors) {
    let message = format!(
        "[D04] `#[serde({attribute})]` makes attributes of `{of}` differ from their text in keys; one \
         value would have two forms, and rows would be found by the one and not be read by the other; \
         remove `{attribute}`, and convert where the value is made"
    );
    errors.push(span, message);
}

fn each(
    attributes: &[Attribute],
    mut read: impl FnMut(ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    attributes
        .iter()
        .filter(|attribute| attribute.path().is_ident("serde"))
        .try_for_each(|attribute| attribute.parse_nested_meta(&mut read))
}

/// `= "name"` or `(serialize = "name", deserialize = "name")`: the name for writing and for reading.
fn renaming(meta: &ParseNestedMeta<'_>) -> syn::Result<(String, String)> {
    if meta.input.peek(Token![=]) {
        let name = meta.value()?.parse::<LitStr>()?.value();
        return Ok((name.clone(), name));
    }
    let (mut written, mut read) = (String::new(), String::new());
    meta.parse_nested_meta(|inner| {
        let name = inner.value()?.parse::<LitStr>()?.value();
        if inner.path.is_ident("serialize") {
            written = name;
        } else {
            read = name;
        }
        Ok(())
    })?;
    Ok((written, read))
}

fn argument(meta: &ParseNestedMeta<'_>) -> syn::Result<String> {
    if meta.input.peek(Token![=]) {
        return Ok(meta.value()?.parse::<LitStr>()?.value());
    }
    Ok(String::new())
}

fn skip_argument(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let inside;
        syn::parenthesized!(inside in meta.input);
        inside.parse::<proc_macro2::TokenStream>()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::RenameAll;

    #[test]
    fn names_change_their_case_as_in_serde() {
        for (case, field, variant) in [
            ("lowercase", "first_name", "inprogress"),
            ("UPPERCASE", "FIRST_NAME", "INPROGRESS"),
            ("PascalCase", "FirstName", "InProgress"),
            ("camelCase", "firstName", "inProgress"),
            ("snake_case", "first_name", "in_progress"),
            ("SCREAMING_SNAKE_CASE", "FIRST_NAME", "IN_PROGRESS"),
            ("kebab-case", "first-name", "in-progress"),
            ("SCREAMING-KEBAB-CASE", "FIRST-NAME", "IN-PROGRESS"),
        ] {
            let case = RenameAll::named(case).unwrap();
            assert_eq!(case.field("first_name"), field);
            assert_eq!(case.variant("InProgress"), variant);
        }
    }
}
