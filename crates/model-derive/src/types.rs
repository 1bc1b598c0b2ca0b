//! Types as far as their tokens show them.

use proc_macro2::{Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, PathArguments, Type};

/// Returns the `T` of an `Option<T>`.
pub(crate) fn option_inner(declared: &Type) -> Option<&Type> {
    inner(declared, "Option")
}

/// Returns the `T` of a `Vec<T>`.
pub(crate) fn vector_inner(declared: &Type) -> Option<&Type> {
    inner(declared, "Vec")
}

/// Returns the argument of a generic type of this name.
fn inner<'a>(declared: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = declared else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match (last.ident == name, arguments.args.first()) {
        (true, Some(GenericArgument::Type(inner))) => Some(inner),
        _ => None,
    }
}

/// Returns the `T` of a `&T`, or the type itself.
pub(crate) fn without_reference(declared: &Type) -> &Type {
    match declared {
        Type::Reference(reference) => without_reference(&reference.elem),
        other => other,
    }
}

/// Returns the name of a type by its last word, such as `String`; empty for anything but a path.
pub(crate) fn last_word(declared: &Type) -> String {
    match declared {
        Type::Path(path) => {
            path.path.segments.last().map(|last| last.ident.to_string()).unwrap_or_default()
        }
        _ => String::new(),
    }
}

/// Returns a type as it is usually written: `Option<Vec<u8>>`.
pub(crate) fn text(declared: &Type) -> String {
    let mut text = String::new();
    write(declared.to_token_stream(), &mut text);
    text
}

fn write(tokens: TokenStream, text: &mut String) {
    let mut is_joined = false;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(punct) => {
                let is_separate = matches!(punct.as_char(), '=' | '+' | '-') && !is_joined;
                if is_separate {
                    text.push(' ');
                }
                text.push(punct.as_char());
                is_joined = punct.spacing() == Spacing::Joint;
                let is_behind_arrow = punct.as_char() == '>' && text.ends_with("->");
                if matches!(punct.as_char(), ',' | ';')
                    || (is_separate && !is_joined)
                    || is_behind_arrow
                {
                    text.push(' ');
                }
                continue;
            }
            other => {
                if text.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    text.push(' ');
                }
                text.push_str(&other.to_string());
            }
        }
        is_joined = false;
    }
}

#[cfg(test)]
mod tests {
    use super::{option_inner, text};

    #[test]
    fn types_are_written_as_by_hand() {
        for written in [
            "u8",
            "Option<UserId>",
            "std::collections::BTreeMap<String, Vec<u8>>",
            "[u8; 16]",
            "(u8, String)",
            "&'static str",
            "Box<dyn Fn(u8) -> u8 + Send>",
        ] {
            assert_eq!(text(&syn::parse_str(written).unwrap()), written);
        }
    }

    #[test]
    fn an_option_is_recognised_by_any_path() {
        let inner = |written: &str| {
            let declared = syn::parse_str(written).unwrap();
            option_inner(&declared).map(text)
        };
        assert_eq!(inner("std::option::Option<Vec<u8>>"), Some("Vec<u8>".to_owned()));
        assert_eq!(inner("Vec<u8>"), None);
    }
}
