//! The texts that an entity and its key give to templates.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Ident;

use super::at;
use crate::entity::field::Field;
use crate::entity::model::Entity;

/// `Parts` of the entity and of its key. Positions are the same in both.
pub(super) fn expand(entity: &Entity) -> TokenStream {
    let own = parts(entity, &entity.ident, &entity.part_fields());
    let key = parts(entity, &super::key::ident(entity), &entity.key_fields());
    quote!(#own #key)
}

fn parts(entity: &Entity, of: &Ident, fields: &[(u16, &Field)]) -> TokenStream {
    let codegen = &entity.codegen;
    let arms = fields.iter().map(|(position, field)| {
        let ident = &field.ident;
        let function = if field.is_optional { quote!(optional_part) } else { quote!(part) };
        if let (Some(_), Some(stamps)) = (field.stamp, &entity.stamps) {
            let (place, stamps) = (entity.position_of(field), &stamps.ident);
            let value = quote!(&#codegen::StampSet::values(&self.#stamps).#ident);
            return quote!(_ if position == #place => #codegen::#function(#value, pad, text),);
        }
        // If a type is not valid in a key, the error is at the type.
        let value = quote_spanned!(at(&field.declared)=> &self.#ident);
        quote!(#position => #codegen::#function(#value, pad, text),)
    });
    quote! {
        #[automatically_derived]
        impl #codegen::Parts for #of {
            fn write_part(
                &self,
                position: u16,
                pad: u8,
                text: &mut ::std::string::String,
            ) -> ::core::result::Result<bool, #codegen::KeyError> {
                let _ = (pad, &text);
                match position {
                    #(#arms)*
                    _ => ::core::result::Result::Ok(false),
                }
            }
        }
    }
}
