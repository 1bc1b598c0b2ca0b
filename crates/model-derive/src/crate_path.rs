//! Where generated code finds the library: `::monotable`, unless a declaration names another crate.

use proc_macro2::TokenStream;
use quote::quote;
use syn::LitStr;

/// The path of the library's crate.
pub(crate) struct CratePath(TokenStream);

impl Default for CratePath {
    fn default() -> Self {
        Self(quote!(::monotable))
    }
}

impl CratePath {
    /// Returns the crate that `crate = "name"` names.
    pub(crate) fn named(name: &LitStr) -> syn::Result<Self> {
        let path: syn::Path = name.parse()?;
        Ok(Self(quote!(#path)))
    }

    /// Returns the module that generated code talks to, and nothing else.
    pub(crate) fn codegen(&self) -> TokenStream {
        let path = &self.0;
        quote!(#path::codegen)
    }
}
