//! Reads a trait of access patterns into a model. A function with an error is left out, so that the
//! others can be used and their errors be seen.

use monotable_design::rules;
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, FnArg, Ident, ItemTrait, LitStr, Path, Receiver, ReceiverKind, Token, TraitItem,
    TraitItemFn, Type,
};

use super::arguments::{self, Argument};
use super::options::{Operation, Options};
use super::returns::Returns;
use crate::crate_path::CratePath;
use crate::diagnostics::Errors;

/// A trait of access patterns.
pub(crate) struct PatternSet {
    /// Where generated code finds the library.
    pub(crate) codegen: TokenStream,
    /// The table that they read.
    pub(crate) table: Path,
    /// The trait as written, without its functions.
    pub(crate) declared: ItemTrait,
    /// The functions.
    pub(crate) patterns: Vec<Pattern>,
    /// Functions with errors, with their signatures, so that calls of them cause no further errors.
    pub(crate) broken: Vec<TraitItemFn>,
}

/// One access pattern.
pub(crate) struct Pattern {
    /// The function as written, without the attributes that are ours.
    pub(crate) function: TraitItemFn,
    /// The operation on the table.
    pub(crate) operation: Operation,
    /// The options of the operation.
    pub(crate) options: Options,
    /// The arguments after `&self`.
    pub(crate) arguments: Vec<Argument>,
    /// What it returns.
    pub(crate) returns: Returns,
}

impl Pattern {
    /// Returns the function's name.
    pub(crate) fn name(&self) -> &Ident {
        &self.function.sig.ident
    }
}

/// The arguments of `#[access_patterns(…)]`: the table, and for tests inside the library its crate.
struct Target {
    table: Path,
    crate_path: CratePath,
}

impl Parse for Target {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.is_empty() {
            let message = "name the table: `#[access_patterns(League)]`";
            return Err(syn::Error::new(Span::call_site(), message));
        }
        let table = input.parse()?;
        let mut crate_path = CratePath::default();
        if input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            input.parse::<Token![crate]>()?;
            input.parse::<Token![=]>()?;
            crate_path = CratePath::named(&input.parse::<LitStr>()?)?;
        }
        Ok(Self { table, crate_path })
    }
}

/// Reads the attribute and its trait. `None` if not even the trait can be written.
pub(crate) fn read(
    arguments: TokenStream,
    item: TokenStream,
    errors: &mut Errors,
) -> Option<PatternSet> {
    let target = errors.take(syn::parse2::<Target>(arguments));
    let mut declared = errors.take(syn::parse2::<ItemTrait>(item))?;
    let Target { table, crate_path } = target?;
    if !declared.generics.params.is_empty() {
        let message = "a trait of access patterns has no type parameters";
        errors.add(syn::Error::new_spanned(&declared.generics, message));
        return None;
    }
    let (mut patterns, mut broken) = (Vec::new(), Vec::new());
    for item in std::mem::take(&mut declared.items) {
        match item {
            TraitItem::Fn(function) => match read_pattern(function.clone(), errors) {
                Some(pattern) => patterns.push(pattern),
                None => broken.extend(callable(function)),
            },
            other => {
                let message = "a trait of access patterns has functions only";
                errors.add(syn::Error::new_spanned(other, message));
            }
        }
    }
    Some(PatternSet { codegen: crate_path.codegen(), table, declared, patterns, broken })
}

fn read_pattern(mut function: TraitItemFn, errors: &mut Errors) -> Option<Pattern> {
    let is_sound = check_signature(&function, errors);
    let attributes = std::mem::take(&mut function.attrs);
    let (ours, others): (Vec<Attribute>, Vec<Attribute>) =
        attributes.into_iter().partition(|attribute| Operation::of(attribute).is_some());
    function.attrs = others;
    let name = function.sig.ident.clone();
    let [attribute] = &ours[..] else {
        let message = format!(
            "pattern `{name}` must say once what it reads: `#[get(…)]`, `#[query(…)]`, \
             `#[batch_get]` or `#[scan(admin)]`"
        );
        errors.push(name.span(), message);
        return None;
    };
    let operation = Operation::of(attribute)?;
    let mut found = Errors::default();
    let options = Options::read(operation, attribute, &mut found);
    // Options that can't be read would make their arguments look unused.
    let are_options_read = found.is_empty();
    errors.append(found);
    if !are_options_read {
        return None;
    }
    check_key(&name, operation, &options, errors);
    check_shards(operation, &options, errors);
    let rows = options.rows.as_ref();
    let returns = Returns::read(&name, operation, &function.sig.output, rows, errors);
    let found = unknown_names(&function, &options);
    // A misspelt name makes the argument that was meant look unused.
    let are_names_known = found.is_empty();
    errors.append(found);
    if !are_names_known {
        return None;
    }
    let arguments = arguments::read(&mut function.sig, operation, &options, errors);
    let (returns, arguments) = (returns?, arguments?);
    if options.unique.is_some() && returns.is_several() {
        let message = format!(
            "pattern `{name}` finds the owner of a unique value, which is one entity: return \
             `One<…>` of it alone"
        );
        errors.push(name.span(), message);
        return None;
    }
    for argument in arguments::filtered_keys(&arguments, &options) {
        let message = format!(
            "argument `{argument}` of pattern `{name}` is part of the key, so there is nothing left \
             to filter; remove `#[filter]`"
        );
        errors.push(argument.span(), message);
    }
    is_sound.then_some(Pattern { function, operation, options, arguments, returns })
}

/// Returns a function with errors as it would be called, if its signature shows that.
fn callable(mut function: TraitItemFn) -> Option<TraitItemFn> {
    let is_method = function.sig.receiver().is_some()
        && function.sig.generics.params.is_empty()
        && !function.sig.inputs.iter().any(is_open);
    function.attrs.clear();
    function.default = None;
    function.sig.asyncness = None;
    for input in &mut function.sig.inputs {
        if let FnArg::Typed(typed) = input {
            typed.attrs.clear();
        }
    }
    is_method.then_some(function)
}

/// Returns whether an argument is of any type that can do something: `impl AsRef<str>`.
fn is_open(input: &FnArg) -> bool {
    match input {
        FnArg::Typed(typed) => matches!(*typed.ty, Type::ImplTrait(_)),
        FnArg::Receiver(_) => false,
    }
}

/// What every store can do. A function of its own comes before one of a trait.
pub(super) const STORE_FUNCTIONS: [&str; 23] = [
    "backfill",
    "batch",
    "create",
    "create_table",
    "delete",
    "delete_by_key",
    "delete_expired",
    "delete_expired_for",
    "edit",
    "enable_expiry",
    "is_shared",
    "now",
    "of_rule",
    "once",
    "put",
    "rekey",
    "repair",
    "restore",
    "run",
    "transact",
    "update",
    "verify",
    "verify_table",
];

/// Returns whether a function can be an access pattern by its signature.
fn check_signature(function: &TraitItemFn, errors: &mut Errors) -> bool {
    let signature = &function.sig;
    let name = &signature.ident;
    let mut refusals = Vec::new();
    if let Some(word) = &signature.asyncness {
        let message =
            format!("write `fn {name}` without `async`: the request that it returns is awaited");
        refusals.push(syn::Error::new_spanned(word, message));
    }
    let no_parameters = "an access pattern has no type parameters; lifetimes are elided";
    if !signature.generics.params.is_empty() {
        refusals.push(syn::Error::new_spanned(&signature.generics, no_parameters));
    }
    for input in signature.inputs.iter().filter(|input| is_open(input)) {
        refusals.push(syn::Error::new_spanned(input, no_parameters));
    }
    if STORE_FUNCTIONS.iter().any(|known| name == known) {
        let message = format!(
            "`{name}` is a function of the store itself, which `db.{name}(…)` would call instead; give \
             the pattern another name"
        );
        refusals.push(syn::Error::new(name.span(), message));
    }
    let is_conditional = |attribute: &&Attribute| {
        ["cfg", "cfg_attr"].iter().any(|word| attribute.path().is_ident(word))
    };
    if let Some(attribute) = function.attrs.iter().find(is_conditional) {
        let message =
            "an access pattern is part of the design in every build; remove the condition";
        refusals.push(syn::Error::new_spanned(attribute, message));
    }
    if let Some(body) = &function.default {
        let message = format!("pattern `{name}` needs no body: it is made of its attribute");
        refusals.push(syn::Error::new_spanned(body, message));
    }
    let is_by_reference = matches!(
        signature.inputs.first(),
        Some(FnArg::Receiver(Receiver { kind: ReceiverKind::Reference(_, None, None), .. }))
    );
    if !is_by_reference {
        let message = format!("pattern `{name}` needs `&self` as its first argument");
        refusals.push(syn::Error::new(name.span(), message));
    }
    let is_sound = refusals.is_empty();
    refusals.into_iter().for_each(|error| errors.add(error));
    is_sound
}

fn check_key(name: &Ident, operation: Operation, options: &Options, errors: &mut Errors) {
    match operation {
        Operation::Get if options.unique.is_some() && options.templates().next().is_some() => {
            let message = "`unique` finds the row by its value; remove `pk` and `sk`";
            errors.push(name.span(), message);
        }
        Operation::Get | Operation::Query
            if options.partition.is_empty() && options.unique.is_none() =>
        {
            let what = format!("pattern `{name}` has no partition key");
            let fix = "give it one with `pk = \"…\"`, or write `#[scan(admin)]` if only \
                       administrators run it";
            errors.push(name.span(), rules::P01.message_with_fix(&what, fix));
        }
        Operation::Scan if !options.has("admin") => {
            let what = format!("pattern `{name}` is a scan");
            let fix = "query a partition instead, or write `#[scan(admin)]` if only \
                       administrators run it";
            errors.push(name.span(), rules::P01.message_with_fix(&what, fix));
        }
        _ => {}
    }
}

/// Reports names in templates that are not arguments.
fn unknown_names(function: &TraitItemFn, options: &Options) -> Errors {
    let mut errors = Errors::default();
    let known: Vec<String> = function
        .sig
        .inputs
        .iter()
        .filter_map(|input| match input {
            FnArg::Typed(typed) => match &*typed.pat {
                syn::Pat::Ident(pattern) => Some(pattern.ident.unraw().to_string()),
                _ => None,
            },
            FnArg::Receiver(_) => None,
        })
        .collect();
    let owner = format!("the key of pattern `{}`", function.sig.ident);
    for template in options.templates() {
        template.check_names(&owner, "the function has no such argument", &known, &mut errors);
    }
    errors
}

fn check_shards(operation: Operation, options: &Options, errors: &mut Errors) {
    let sharded = options.templates().find(|template| template.is_sharded());
    match (sharded, options.shards) {
        (Some(template), None) if operation == Operation::Query => {
            let message = "`{shard}` needs to know how many there are: add `shards = 8`, the same \
                           number as on the entity";
            errors.push(template.span(), message);
        }
        (Some(template), None) => {
            let message = "`{shard}` is for queries only, which read all shards as one";
            errors.push(template.span(), message);
        }
        (None, Some((_, span))) => {
            errors.push(span, "`shards` needs a `{shard}` in the template of the partition key");
        }
        _ => {}
    }
}
