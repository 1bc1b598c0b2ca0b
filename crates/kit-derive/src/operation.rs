//! `#[operation(…)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Expr, FnArg, Ident, ItemFn, LitStr, Path, ReturnType, Token, Type};

use crate::attributes::doc;
use crate::naming::camel;

/// The arguments in the parentheses.
pub(crate) struct Arguments {
    method: Ident,
    path: LitStr,
    /// The methods that are called on the route.
    settings: Vec<TokenStream>,
    queue: Option<Ident>,
    /// The limit and the subject of a call.
    limit: Option<(Expr, Expr)>,
    /// Whether a version conflict runs the function again.
    repeats: bool,
}

/// Words that are settings of the route.
const FLAGS: [(&str, &str); 8] = [
    ("once", "once"),
    ("once_required", "once_required"),
    ("if_match", "if_match"),
    ("if_none_match", "if_none_match"),
    ("public", "public"),
    ("programs_only", "not_from_browsers"),
    ("reads_only", "changes_nothing"),
    ("foreign_forms", "foreign_forms"),
];

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let method = input.parse()?;
        let path = input.parse()?;
        let settings = Vec::new();
        let mut arguments =
            Self { method, path, settings, queue: None, limit: None, repeats: true };
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            if input.is_empty() {
                break;
            }
            arguments.read(input)?;
        }
        Ok(arguments)
    }
}

impl Arguments {
    fn read(&mut self, input: ParseStream<'_>) -> syn::Result<()> {
        let word: Ident = input.parse()?;
        let name = word.to_string();
        if let Some((_, function)) = FLAGS.iter().find(|(flag, _)| *flag == name) {
            let function = Ident::new(function, word.span());
            self.settings.push(quote!(.#function()));
        } else if name == "queue" {
            input.parse::<Token![=]>()?;
            self.queue = Some(input.parse()?);
        } else if name == "limit" {
            let inside;
            syn::parenthesized!(inside in input);
            let limit = inside.parse()?;
            inside.parse::<Token![,]>()?;
            self.limit = Some((limit, inside.parse()?));
        } else if name == "no_repeat" {
            self.repeats = false;
        } else if name == "body_bytes_max" {
            input.parse::<Token![=]>()?;
            let bytes: Expr = input.parse()?;
            self.settings.push(quote!(.body_bytes_max(#bytes)));
        } else if name == "headers" {
            let inside;
            syn::parenthesized!(inside in input);
            let headers = Punctuated::<LitStr, Token![,]>::parse_terminated(&inside)?;
            self.settings.push(quote!(.headers(&[#headers])));
        } else if name == "refuses" {
            let inside;
            syn::parenthesized!(inside in input);
            for refusal in Punctuated::<Path, Token![,]>::parse_terminated(&inside)? {
                self.settings.push(match refusal.get_ident() {
                    Some(variant) => quote!(.refuses_with(&[Refusal::#variant])),
                    None => quote!(.refuses_with(#refusal)),
                });
            }
        } else {
            let message = "an operation has `once`, `once_required`, `if_match`, `if_none_match`, \
                           `public`, `programs_only`, `reads_only`, `foreign_forms`, `queue`, `limit`, `no_repeat`, `headers`, \
                           `body_bytes_max` and `refuses`";
            return Err(syn::Error::new(word.span(), message));
        }
        Ok(())
    }
}

/// Returns the function, which returns a boxed future, and the function `route`.
pub(crate) fn expand(arguments: Arguments, function: ItemFn) -> syn::Result<TokenStream> {
    let ItemFn { attrs, vis, sig, block, .. } = &function;
    let ident = &sig.ident;
    let inputs: Vec<&FnArg> = sig.inputs.iter().collect();
    let [FnArg::Typed(app), FnArg::Typed(call)] = inputs[..] else {
        let message = "an operation takes `app: &App` and `call: &Call<…>`";
        return Err(syn::Error::new(sig.inputs.span(), message));
    };
    let (Type::Reference(app_type), Type::Reference(call_type)) = (&*app.ty, &*call.ty) else {
        let message = "an operation takes `app: &App` and `call: &Call<…>`";
        return Err(syn::Error::new(sig.inputs.span(), message));
    };
    let ReturnType::Type(_, answer) = &sig.output else {
        return Err(syn::Error::new(sig.span(), "an operation returns `Answer<…>`"));
    };
    let summary = doc(attrs);
    if summary.is_empty() {
        let message = "describe the operation in its doc comment";
        return Err(syn::Error::new(ident.span(), message));
    }
    let (app_name, call_name) = (&app.pat, &call.pat);
    let (app_type, call_type) = (&app_type.elem, &call_type.elem);
    let Arguments { method, path, settings, queue, limit, repeats } = arguments;
    let name = camel(&ident.to_string());
    let queue = queue.map(|field| {
        quote!(.queued(|call: &#call_type| ::std::string::ToString::to_string(&call.path.#field)))
    });
    let limit = limit.map(|(limit, subject)| quote!(.limited(#limit, #subject)));
    let no_repeat = (!repeats).then(|| quote!(.no_repeat()));
    Ok(quote! {
        #(#attrs)*
        #vis fn #ident<'a>(
            #app_name: &'a #app_type,
            #call_name: &'a #call_type,
        ) -> ::monotable_kit::codegen::Answering<'a, #answer> {
            ::std::boxed::Box::pin(async move #block)
        }

        /// Returns the route of the operation.
        pub(crate) fn route() -> ::monotable_kit::Route {
            ::monotable_kit::codegen::Operation::new(
                ::monotable_kit::codegen::Method::#method, #path, #name, #summary, #ident,
            )
            #queue
            #limit
            #no_repeat
            .route()
            #(#settings)*
        }
    })
}
