//! The arguments of a pattern: parts of keys, filters, or a list of keys.

use monotable_design::rules;
use quote::quote;
use syn::ext::IdentExt as _;
use syn::{FnArg, Ident, Pat, PatType, Signature, Type, parse_quote};

use super::options::{Operation, Options};
use crate::diagnostics::Errors;
use crate::template::Slot;
use crate::types::{last_word, option_inner, without_reference};

/// One argument.
pub(crate) struct Argument {
    /// Its name.
    pub(crate) name: Ident,
    /// Its type as written.
    pub(crate) declared: Type,
    /// What it is for.
    pub(crate) role: Role,
}

/// What an argument is for.
pub(crate) enum Role {
    /// A part of the key: its position among those, and the type of the part.
    Key(u16, Box<Type>),
    /// A filter on the field of this name.
    Filter(Ident),
    /// The keys of a batch.
    Keys,
}

impl Argument {
    /// Returns what a template that names the argument needs to know.
    pub(crate) fn slot(&self) -> Option<Slot<'_>> {
        match &self.role {
            Role::Key(position, part_type) => {
                Some(Slot { position: quote!(#position), part_type, is_optional: false })
            }
            Role::Filter(_) | Role::Keys => None,
        }
    }
}

/// Reads the arguments after `&self`. Returns `None` if one of them is invalid; `errors` contains
/// the reason.
pub(crate) fn read(
    signature: &mut Signature,
    operation: Operation,
    options: &Options,
    errors: &mut Errors,
) -> Option<Vec<Argument>> {
    let function = signature.ident.clone();
    let mut arguments = Vec::new();
    let mut keys = 0;
    let mut is_whole = true;
    for input in signature.inputs.iter_mut().skip(1) {
        let FnArg::Typed(typed) = input else { continue };
        let result = name_and_filter(typed).and_then(|(name, filter)| {
            let declared = (*typed.ty).clone();
            let role = match filter {
                _ if operation == Operation::BatchGet => keys_role(&declared)?,
                Some(field) if operation == Operation::Get => {
                    let message = "a `get` reads one row, so there is nothing to filter; look at \
                                   the row, or make the read a `query`";
                    return Err(syn::Error::new(field.span(), message));
                }
                Some(field) => Role::Filter(field),
                None => key_role(&function, &name, &declared, options, keys)?,
            };
            Ok(Argument { name, declared, role })
        });
        match errors.take(result) {
            None => is_whole = false,
            Some(argument) => {
                keys += u16::from(matches!(argument.role, Role::Key(..)));
                arguments.push(argument);
            }
        }
    }
    if operation == Operation::BatchGet && is_whole && arguments.len() != 1 {
        errors.push(function.span(), BATCH_ARGUMENTS);
        is_whole = false;
    }
    is_whole.then_some(arguments)
}

const BATCH_ARGUMENTS: &str = "a `batch_get` has one argument, the keys: `keys: &[TeamKey]`";

/// Returns the argument's name, and the field that it filters by. The attribute `#[filter]` is taken off.
fn name_and_filter(typed: &mut PatType) -> syn::Result<(Ident, Option<Ident>)> {
    let Pat::Ident(pattern) = &*typed.pat else {
        return Err(syn::Error::new_spanned(&typed.pat, "an argument of a pattern needs a name"));
    };
    let name = pattern.ident.clone();
    let mut field = None;
    let (filters, others) =
        typed.attrs.drain(..).partition(|attribute| attribute.path().is_ident("filter"));
    typed.attrs = others;
    let filters: Vec<syn::Attribute> = filters;
    for filter in &filters {
        field = Some(match &filter.meta {
            syn::Meta::Path(_) => name.clone(),
            _ => filter.parse_args::<Ident>()?,
        });
    }
    Ok((name, field))
}

fn key_role(
    function: &Ident,
    name: &Ident,
    declared: &Type,
    options: &Options,
    position: u16,
) -> syn::Result<Role> {
    if !is_in_key(options, name) {
        let what = format!("argument `{name}` of pattern `{function}` is part of no key");
        return Err(syn::Error::new(name.span(), rules::P02.message(&what)));
    }
    if option_inner(without_reference(declared)).is_some() {
        let what = format!("argument `{name}` of pattern `{function}` may be absent");
        let message = rules::K11.message_with_fix(&what, "take the value itself, without `Option`");
        return Err(syn::Error::new_spanned(declared, message));
    }
    Ok(Role::Key(position, Box::new(part_type(declared))))
}

/// Returns the type whose text is used in the key: for `&str` that is `String`.
fn part_type(declared: &Type) -> Type {
    let inner = without_reference(declared);
    match last_word(inner).as_str() {
        "str" => parse_quote!(::std::string::String),
        _ => inner.clone(),
    }
}

fn keys_role(declared: &Type) -> syn::Result<Role> {
    match declared {
        Type::Reference(reference) if matches!(*reference.elem, Type::Slice(_)) => Ok(Role::Keys),
        other => Err(syn::Error::new_spanned(other, BATCH_ARGUMENTS)),
    }
}

/// Returns whether a template of the key names an argument. The arguments of a read by a unique value are its
/// fields.
fn is_in_key(options: &Options, argument: &Ident) -> bool {
    let name = argument.unraw().to_string();
    options.unique.is_some()
        || options.templates().any(|template| template.names().any(|used| used == name))
}

/// Returns the arguments that are filters, although they are in the key.
pub(crate) fn filtered_keys<'a>(
    arguments: &'a [Argument],
    options: &'a Options,
) -> impl Iterator<Item = &'a Ident> {
    arguments
        .iter()
        .filter(|argument| matches!(argument.role, Role::Filter(_)))
        .map(|argument| &argument.name)
        .filter(|name| is_in_key(options, name))
}
