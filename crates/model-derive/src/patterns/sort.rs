//! Conditions on the sort key: `"METADATA"`, `begins_with("GAME#")`, `"GAME#{from}"..="GAME#{to}"`.

use monotable_design::rules;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, bracketed, parenthesized};

use crate::template::KeyTemplate;

/// A condition on one attribute of the sort key.
pub(crate) enum SortTest {
    /// Exactly this.
    Equals(KeyTemplate),
    /// Everything that starts so.
    BeginsWith(KeyTemplate),
    /// From the first to the second, included with all that starts so.
    Between(KeyTemplate, KeyTemplate),
    /// From here on.
    From(KeyTemplate),
    /// Up to here, included with all that starts so.
    UpTo(KeyTemplate),
    /// Everything after it.
    After(KeyTemplate),
    /// Everything before it.
    Before(KeyTemplate),
}

impl Parse for SortTest {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Token![..=]) {
            input.parse::<Token![..=]>()?;
            return Ok(Self::UpTo(input.parse()?));
        }
        if input.peek(Token![..]) {
            input.parse::<Token![..]>()?;
            return Err(half_open(&input.parse()?));
        }
        if input.peek(LitStr) {
            return range(input);
        }
        function(input)
    }
}

/// Returns one condition, or several in brackets for a key of several attributes.
pub(crate) fn list(input: ParseStream<'_>) -> syn::Result<Vec<SortTest>> {
    if !input.peek(syn::token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    let inside;
    bracketed!(inside in input);
    let tests = inside.parse_terminated(SortTest::parse, Token![,])?;
    Ok(tests.into_iter().collect())
}

/// Returns what begins with a template: the template alone, or a range from it.
fn range(input: ParseStream<'_>) -> syn::Result<SortTest> {
    let start = input.parse()?;
    if input.peek(Token![..=]) {
        input.parse::<Token![..=]>()?;
        return Ok(SortTest::Between(start, input.parse()?));
    }
    if !input.peek(Token![..]) {
        return Ok(SortTest::Equals(start));
    }
    input.parse::<Token![..]>()?;
    if input.peek(LitStr) {
        return Err(half_open(&input.parse()?));
    }
    Ok(SortTest::From(start))
}

fn function(input: ParseStream<'_>) -> syn::Result<SortTest> {
    let expected = "a condition on the sort key is a template, `begins_with(\"…\")`, \
                    `\"…\"..=\"…\"`, `\"…\"..`, `..=\"…\"`, `after(\"…\")` or `before(\"…\")`";
    let word: Ident = input.parse().map_err(|error| syn::Error::new(error.span(), expected))?;
    let test = match word.to_string().as_str() {
        "begins_with" => SortTest::BeginsWith,
        "after" => SortTest::After,
        "before" => SortTest::Before,
        _ => return Err(syn::Error::new(word.span(), expected)),
    };
    let inside;
    parenthesized!(inside in input);
    let template = inside.parse()?;
    if !inside.is_empty() {
        return Err(inside.error("expected one template and no more"));
    }
    Ok(test(template))
}

/// Returns why a range without its end is refused.
fn half_open(end: &LitStr) -> syn::Error {
    let what = format!("the range of the sort key ends before `{}`", end.value());
    syn::Error::new(end.span(), rules::P06.message(&what))
}

impl SortTest {
    /// Returns its templates.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &KeyTemplate> {
        let (first, second) = match self {
            Self::Between(first, second) => (first, Some(second)),
            Self::Equals(only)
            | Self::BeginsWith(only)
            | Self::From(only)
            | Self::UpTo(only)
            | Self::After(only)
            | Self::Before(only) => (only, None),
        };
        std::iter::once(first).chain(second)
    }

    /// Returns the constant `SortTest`; `expand` writes a template.
    pub(crate) fn expand(
        &self,
        codegen: &TokenStream,
        expand: impl Fn(&KeyTemplate) -> TokenStream,
    ) -> TokenStream {
        let variant = match self {
            Self::Equals(_) => quote!(Equals),
            Self::BeginsWith(_) => quote!(BeginsWith),
            Self::Between(..) => quote!(Between),
            Self::From(_) => quote!(From),
            Self::UpTo(_) => quote!(UpTo),
            Self::After(_) => quote!(After),
            Self::Before(_) => quote!(Before),
        };
        let templates = self.templates().map(expand);
        quote!(#codegen::SortTest::#variant(#(#templates),*))
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use quote::quote;

    use super::SortTest;

    fn check(tokens: &str, expected: &Expect) {
        let text = match syn::parse_str::<SortTest>(tokens) {
            Ok(test) => test
                .expand(&quote!(c), |template| {
                    let literal = &template.literal;
                    quote!(#literal)
                })
                .to_string(),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn every_condition_is_read() {
        check("\"METADATA\"", &expect![[r#"c :: SortTest :: Equals ("METADATA")"#]]);
        check("begins_with(\"P#\")", &expect![[r#"c :: SortTest :: BeginsWith ("P#")"#]]);
        check("\"a\"..=\"b\"", &expect![[r#"c :: SortTest :: Between ("a" , "b")"#]]);
        check("\"a\"..", &expect![[r#"c :: SortTest :: From ("a")"#]]);
        check("..=\"b\"", &expect![[r#"c :: SortTest :: UpTo ("b")"#]]);
        check("after(\"a\")", &expect![[r#"c :: SortTest :: After ("a")"#]]);
        check("before(\"a\")", &expect![[r#"c :: SortTest :: Before ("a")"#]]);
    }

    #[test]
    fn a_range_without_its_end_is_refused() {
        let expected = expect![
            "[P06] the range of the sort key ends before `b`; keys that continue after the upper bound, as in `GAME#2026-12-31#g7`, are lost; write the range with `..=`, which includes everything that begins with its end"
        ];
        check("\"a\"..\"b\"", &expected);
        check("..\"b\"", &expected);
    }

    #[test]
    fn other_conditions_are_refused_with_a_list() {
        let expected = expect![[
            r#"a condition on the sort key is a template, `begins_with("…")`, `"…"..="…"`, `"…"..`, `..="…"`, `after("…")` or `before("…")`"#
        ]];
        check("contains(\"a\")", &expected);
        check("7", &expected);
    }
}
