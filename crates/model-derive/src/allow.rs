//! `allow(RULE, because = "…")`: a rule that may be broken, with the reason.

use monotable_design::rules;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, parenthesized};

/// One exception.
pub(crate) struct Allow {
    /// The rule's code.
    pub(crate) rule: Ident,
    /// Why the rule does not apply.
    pub(crate) because: LitStr,
}

impl Allow {
    /// Returns whether it is about a rule.
    pub(crate) fn is(&self, rule: &str) -> bool {
        self.rule == rule
    }

    /// Returns the constant `Allow`.
    pub(crate) fn expand(&self, codegen: &TokenStream) -> TokenStream {
        let (rule, because) = (self.rule.to_string(), &self.because);
        quote!(#codegen::Allow { rule: #rule, because: #because })
    }
}

impl Parse for Allow {
    /// Reads the parentheses after the word `allow`.
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let inside;
        parenthesized!(inside in input);
        let rule: Ident = inside.parse()?;
        let code = rule.to_string();
        if rules::rule(&code).is_none() {
            let message = format!(
                "there is no rule `{code}`; write the code of the message that this is about, \
                 such as `allow(K05, because = \"…\")`"
            );
            return Err(syn::Error::new(rule.span(), message));
        }
        let missing = || {
            let message = format!(
                "an exception needs its reason, which is printed in the design document: \
                 write `allow({code}, because = \"…\")`"
            );
            syn::Error::new(rule.span(), message)
        };
        if inside.is_empty() {
            return Err(missing());
        }
        inside.parse::<Token![,]>()?;
        let word: Ident = inside.parse().map_err(|_| missing())?;
        if word != "because" {
            return Err(missing());
        }
        inside.parse::<Token![=]>()?;
        let because: LitStr = inside.parse()?;
        inside.parse::<Option<Token![,]>>()?;
        if !inside.is_empty() {
            return Err(inside.error("expected the end of `allow(…)`: one rule at a time"));
        }
        if because.value().trim().is_empty() {
            return Err(missing());
        }
        Ok(Self { rule, because })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::Allow;

    fn check(tokens: &str, expected: Expect) {
        let text = match syn::parse_str::<Allow>(tokens) {
            Ok(allow) => format!("{}: {}", allow.rule, allow.because.value()),
            Err(error) => error.to_string(),
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn an_exception_has_a_rule_and_a_reason() {
        check("(W01, because = \"imports overwrite\")", expect!["W01: imports overwrite"]);
    }

    #[test]
    fn an_exception_without_a_reason_is_refused() {
        let expected = "an exception needs its reason, which is printed in the design document: write `allow(W01, because = \"…\")`";
        for tokens in ["(W01)", "(W01,)", "(W01, reason = \"x\")", "(W01, because = \" \")"] {
            assert_eq!(syn::parse_str::<Allow>(tokens).err().unwrap().to_string(), expected);
        }
    }

    #[test]
    fn an_unknown_rule_is_refused() {
        check(
            "(W10, because = \"x\")",
            expect![[
                r#"there is no rule `W10`; write the code of the message that this is about, such as `allow(K05, because = "…")`"#
            ]],
        );
    }
}
