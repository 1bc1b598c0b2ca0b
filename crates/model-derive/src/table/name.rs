//! Names of tables, attributes and indexes: a word, or a string for names that are not Rust
//! identifiers.

use monotable_design::template;
use proc_macro2::Span;
use quote::ToTokens;
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr};

/// A name as declared.
pub(crate) struct Name {
    /// The name itself.
    pub(crate) text: String,
    /// The location of the name.
    pub(crate) span: Span,
}

impl Parse for Name {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitStr) {
            let literal: LitStr = input.parse()?;
            if literal.value().is_empty() {
                return Err(syn::Error::new(literal.span(), "a name can't be empty"));
            }
            return Ok(Self { text: literal.value(), span: literal.span() });
        }
        let word = input.call(Ident::parse_any)?;
        Ok(Self { text: word.unraw().to_string(), span: word.span() })
    }
}

impl ToTokens for Name {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        LitStr::new(&self.text, self.span).to_tokens(tokens);
    }
}

/// How many characters the name of a table or an index has (AWS: "Naming rules" of DynamoDB).
const NAME_CHARACTERS: std::ops::RangeInclusive<usize> = 3..=255;

impl Name {
    /// Checks that DynamoDB takes it as the name of an index.
    pub(crate) fn check_index(&self) -> syn::Result<()> {
        let refusal = letters("an index", &self.text)
            .or_else(|| length("an index", self.text.chars().count(), &self.text));
        refusal.map_or(Ok(()), |message| Err(syn::Error::new(self.span, message)))
    }
}

/// Checks that a text can be the name of a table in some environment.
pub(crate) fn table_name(literal: LitStr) -> syn::Result<LitStr> {
    let text = literal.value();
    let refuse = |message: String| Err(syn::Error::new(literal.span(), message));
    let pieces = match template::parse(&text) {
        Ok(pieces) => pieces,
        Err(error) => return refuse(error.message),
    };
    let (mut characters, mut is_variable) = (0, false);
    for piece in &pieces {
        match piece {
            template::Piece::Literal(text) => {
                if let Some(message) = letters("a table", text) {
                    return refuse(message);
                }
                characters += text.chars().count();
            }
            template::Piece::Field { pad: 0, .. } | template::Piece::Shard => is_variable = true,
            template::Piece::Field { name, .. } => {
                return refuse(format!(
                    "`{name}` is a text and takes no padding; write `{{{name}}}`"
                ));
            }
        }
    }
    // What a variable adds is known when the table is opened.
    let shortest = if is_variable { characters.max(*NAME_CHARACTERS.start()) } else { characters };
    match length("a table", shortest, &text) {
        Some(message) => refuse(message),
        None => Ok(literal),
    }
}

/// Returns the error of a character that is not valid in the name of a table or an index.
fn letters(of: &str, text: &str) -> Option<String> {
    let is_allowed = |letter: &char| letter.is_ascii_alphanumeric() || "_.-".contains(*letter);
    let letter = text.chars().find(|letter| !is_allowed(letter))?;
    Some(format!(
        "`{letter}` is not valid in the name of {of}: DynamoDB accepts letters, digits, `_`, `.` and `-`"
    ))
}

fn length(of: &str, characters: usize, text: &str) -> Option<String> {
    (!NAME_CHARACTERS.contains(&characters))
        .then(|| format!("`{text}` can't be the name of {of}: DynamoDB takes 3 to 255 characters"))
}
