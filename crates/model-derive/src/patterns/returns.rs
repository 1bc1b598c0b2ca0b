//! What a pattern returns: `One`, `Rows`, `All`, `Fold` or `Many` of an entity, of several, or of an
//! aggregate.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{GenericArgument, Ident, Path, PathArguments, ReturnType, Type};

use super::options::Operation;
use super::rows::{Member, unique};
use crate::diagnostics::Errors;
use crate::serde_attributes::pascal;

/// How much of the result a pattern returns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The row, or the first one.
    One,
    /// Page by page.
    Rows,
    /// All rows at once.
    All,
    /// One value folded from all rows.
    Fold,
    /// One result per key.
    Many,
}

impl Shape {
    const ALL: [(&'static str, Self); 5] = [
        ("One", Self::One),
        ("Rows", Self::Rows),
        ("All", Self::All),
        ("Fold", Self::Fold),
        ("Many", Self::Many),
    ];

    /// Returns the shapes that an operation can return.
    fn of(operation: Operation) -> &'static [Self] {
        match operation {
            Operation::Get => &[Self::One],
            Operation::Query => &[Self::One, Self::Rows, Self::All, Self::Fold],
            Operation::BatchGet => &[Self::Many],
            Operation::Scan => &[Self::Rows, Self::All, Self::Fold],
        }
    }

    /// Returns the function of `codegen` that makes the request.
    pub(crate) fn function(self) -> Ident {
        format_ident!("{}", self.word().to_lowercase())
    }

    /// Returns the constant `Shape`. A batch is all of its rows.
    pub(crate) fn expand(self, codegen: &TokenStream) -> TokenStream {
        let variant = match self {
            Self::Many => format_ident!("All"),
            other => format_ident!("{}", other.word()),
        };
        quote!(#codegen::Shape::#variant)
    }

    fn word(self) -> &'static str {
        match self {
            Self::One => "One",
            Self::Rows => "Rows",
            Self::All => "All",
            Self::Fold => "Fold",
            Self::Many => "Many",
        }
    }
}

/// The return type.
pub(crate) struct Returns {
    /// How much of the result.
    pub(crate) shape: Shape,
    /// The type without its argument, as written.
    wrapper: Path,
    /// What it is made of.
    pub(crate) element: Element,
}

/// What a result is made of.
pub(crate) enum Element {
    /// An entity, an aggregate, or an enum of entities.
    Type(Type),
    /// Several entities, for which there will be an enum.
    Several(Ident, Vec<Member>),
}

impl Returns {
    /// Reads the return type; `rows` is the name that the enum of several entities shall have.
    pub(crate) fn read(
        function: &Ident,
        operation: Operation,
        declared: &ReturnType,
        rows: Option<&Ident>,
        errors: &mut Errors,
    ) -> Option<Self> {
        let (shape, wrapper, element) = errors.take(split(function, operation, declared))?;
        let element = match element {
            Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let members: Vec<Option<Member>> =
                    tuple.elems.iter().map(|entity| errors.take(Member::of(entity))).collect();
                let members: Vec<Member> = members.into_iter().collect::<Option<_>>()?;
                let members = unique(members, &format!("the result of `{function}`"), errors);
                let name = match rows {
                    Some(name) => name.clone(),
                    None => Ident::new(&pascal(&function.unraw().to_string()), function.span()),
                };
                if members.iter().any(|member| member.variant == name) {
                    let message = format!(
                        "the enum of the rows of `{function}` would be called `{name}`, like an \
                         entity in it; name it with `rows = {name}Item`"
                    );
                    errors.push(name.span(), message);
                    return None;
                }
                Element::Several(name, members)
            }
            other => {
                if let Some(rows) = rows {
                    let message =
                        "`rows` names the enum of several entities; this pattern returns one type";
                    errors.push(rows.span(), message);
                }
                Element::Type(other)
            }
        };
        if shape == Shape::Fold && matches!(element, Element::Several(..)) {
            let message = "`Fold` takes a struct with `#[derive(Aggregate)]`; for the rows themselves \
                           return `Rows` or `All`";
            errors.push(declared.span(), message);
            return None;
        }
        if let Element::Several(name, _) = &element
            && Shape::ALL.iter().any(|(word, _)| name == word)
        {
            let message = format!(
                "the enum of the rows of `{function}` would be called `{name}`, like what patterns \
                 return; name it with `rows = {name}Item`"
            );
            errors.push(name.span(), message);
            return None;
        }
        Some(Self { shape, wrapper, element })
    }

    /// Returns whether it names several entities.
    pub(crate) fn is_several(&self) -> bool {
        matches!(self.element, Element::Several(..))
    }

    /// Returns the type that stands for the rows.
    pub(crate) fn element(&self) -> TokenStream {
        match &self.element {
            Element::Type(declared) => quote!(#declared),
            Element::Several(name, _) => quote!(#name),
        }
    }

    /// Returns the return type to write.
    pub(crate) fn expand(&self) -> TokenStream {
        let (wrapper, element) = (&self.wrapper, self.element());
        quote!(#wrapper<#element>)
    }

    /// Returns the entities as a constant expression.
    pub(crate) fn entities(&self, codegen: &TokenStream) -> TokenStream {
        let element = self.element();
        match self.shape {
            Shape::Fold => quote! {
                <<#element as #codegen::Aggregate>::Row as #codegen::RowSet>::ENTITIES
            },
            _ => quote!(<#element as #codegen::RowSet>::ENTITIES),
        }
    }
}

/// Takes `Rows<T>` apart.
fn split(
    function: &Ident,
    operation: Operation,
    declared: &ReturnType,
) -> syn::Result<(Shape, Path, Type)> {
    let shapes = Shape::of(operation);
    let refuse = |place: &dyn quote::ToTokens| {
        let words: Vec<String> =
            shapes.iter().map(|shape| format!("`{}<…>`", shape.word())).collect();
        let list = match words.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} or {last}", others.join(", "))
            }
            _ => words.concat(),
        };
        let message = format!(
            "pattern `{function}` must return {list}: `#[{}]` supports no other result",
            operation.word()
        );
        syn::Error::new_spanned(place, message)
    };
    let ReturnType::Type(_, declared) = declared else { return Err(refuse(function)) };
    let Type::Path(path) = &**declared else { return Err(refuse(declared)) };
    let mut wrapper = path.path.clone();
    let Some(last) = wrapper.segments.last_mut() else { return Err(refuse(declared)) };
    let shape = Shape::ALL.into_iter().find(|(word, _)| last.ident == word);
    let arguments = std::mem::replace(&mut last.arguments, PathArguments::None);
    match (shape, arguments) {
        (Some((_, shape)), PathArguments::AngleBracketed(arguments)) if shapes.contains(&shape) => {
            match (arguments.args.len(), arguments.args.into_iter().next()) {
                (1, Some(GenericArgument::Type(element))) => Ok((shape, wrapper, element)),
                _ => Err(refuse(declared)),
            }
        }
        _ => Err(refuse(declared)),
    }
}
