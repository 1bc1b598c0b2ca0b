//! Documentation comments of declarations, which become the words of the design document.

use syn::{Attribute, Expr, ExprLit, Lit, Meta};

/// Returns the documentation comment as text: one leading space off each line, none around the whole.
pub(crate) fn of(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes.iter().filter_map(line).collect();
    lines.join("\n").trim().to_owned()
}

/// Returns the text of one `#[doc = "…"]`.
fn line(attribute: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attribute.meta else { return None };
    match (&pair.value, pair.path.is_ident("doc")) {
        (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), true) => {
            let text = text.value();
            Some(text.strip_prefix(' ').unwrap_or(&text).trim_end().to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    #[test]
    fn lines_are_joined_without_the_space_in_front() {
        let item: syn::ItemStruct = parse_quote! {
            /// A club.
            ///
            ///  Indented.
            #[derive(Clone)]
            struct Team;
        };
        assert_eq!(super::of(&item.attrs), "A club.\n\n Indented.");
    }
}
