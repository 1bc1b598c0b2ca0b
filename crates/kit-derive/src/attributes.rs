//! Doc comments and the helper attributes of the derives.

use syn::meta::ParseNestedMeta;
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Lit, LitStr, Meta, Token};

/// Returns the first paragraph of a doc comment as one line.
pub(crate) fn doc(attributes: &[Attribute]) -> String {
    let lines = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(meta) if meta.path.is_ident("doc") => match &meta.value {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Str(text) => Some(text.value().trim().to_owned()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Reads every part of the attributes of a name.
pub(crate) fn each(
    attributes: &[Attribute],
    name: &str,
    mut read: impl FnMut(ParseNestedMeta<'_>) -> syn::Result<()>,
) -> syn::Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident(name)) {
        attribute.parse_nested_meta(&mut read)?;
    }
    Ok(())
}

/// Reads `= "text"`.
pub(crate) fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<String> {
    Ok(meta.value()?.parse::<LitStr>()?.value())
}

/// Reads `("one", "other")`.
pub(crate) fn texts(meta: &ParseNestedMeta<'_>) -> syn::Result<Vec<String>> {
    let inside;
    syn::parenthesized!(inside in meta.input);
    let texts = inside.parse_terminated(|input| input.parse::<LitStr>(), Token![,])?;
    Ok(texts.iter().map(LitStr::value).collect())
}

/// Returns the named fields of a struct.
pub(crate) fn named_fields(input: &DeriveInput) -> syn::Result<Vec<&Field>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => Ok(fields.named.iter().collect()),
            Fields::Unit => Ok(Vec::new()),
            Fields::Unnamed(fields) => {
                Err(syn::Error::new_spanned(fields, "give the fields names"))
            }
        },
        _ => Err(syn::Error::new_spanned(&input.ident, "declare a struct with named fields")),
    }
}
