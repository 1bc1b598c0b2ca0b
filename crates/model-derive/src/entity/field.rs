//! One field of an entity: its name on the wire by serde, and its own attributes.

use monotable_design::stamp::Stamp;
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::{Attribute, ExprPath, Ident, Token, Type};

use crate::diagnostics::Errors;
use crate::doc;
use crate::serde_attributes::{Container, Hindrance, Member, member};
use crate::types;

/// A field that is written to the table.
pub(super) struct Field {
    pub(super) ident: Ident,
    /// The name in Rust.
    pub(super) name: String,
    /// The name of the attribute.
    pub(super) attribute: String,
    /// Names that it had before.
    pub(super) aliases: Vec<String>,
    pub(super) doc: String,
    pub(super) declared: Type,
    /// The type without its `Option`.
    pub(super) part_type: Type,
    pub(super) is_optional: bool,
    pub(super) is_required: bool,
    pub(super) marks: Marks,
    /// What serde does to it besides naming it.
    pub(super) hindrances: Vec<Hindrance>,
    /// Whether serde never writes it.
    pub(super) is_unwritten: bool,
    /// The function that writes it instead of its type's own.
    pub(super) serializer: Option<ExprPath>,
    /// The stamp that it is. Such a field is not one of the struct, but a part of the one with `#[stamps]`.
    pub(super) stamp: Option<Stamp>,
}

/// The reason why a member is not a field with an attribute.
pub(super) enum NoField {
    /// serde does not write it as an attribute.
    Absent(Absent),
    /// The layer keeps it.
    Stamps(Box<Stamps>),
    /// It can't be read.
    Unreadable,
}

/// The field with `#[stamps]`.
pub(super) struct Stamps {
    pub(super) ident: Ident,
    pub(super) declared: Type,
    /// Where it is marked.
    pub(super) span: Span,
    /// Whether serde skips it.
    pub(super) is_skipped: bool,
    /// Another mark, which it can't have.
    pub(super) mark: Option<(&'static str, Span)>,
}

/// A field that serde does not write as an attribute.
pub(super) struct Absent {
    pub(super) ident: Ident,
    /// The serde attribute: `skip` or `flatten`.
    pub(super) attribute: &'static str,
    /// The location of the attribute.
    pub(super) span: Span,
    /// A mark of the field, which needs an attribute.
    pub(super) mark: Option<&'static str>,
}

/// The attributes of a field, with their locations.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) version: Option<Span>,
    pub(super) ttl: Option<Span>,
    pub(super) created: Option<Span>,
    pub(super) updated: Option<Span>,
    pub(super) counter: Option<Span>,
    pub(super) immutable: Option<Span>,
    pub(super) key_only: Option<Span>,
    pub(super) top: Option<Span>,
    pub(super) value: Option<Span>,
    pub(super) stamps: Option<Span>,
    pub(super) copy: Option<Copy>,
}

/// `#[copy(League.name)]`
pub(super) struct Copy {
    pub(super) entity: String,
    pub(super) field: String,
}

impl Field {
    /// Reads a field. The error is one without an attribute.
    pub(super) fn read(
        field: &syn::Field,
        container: &Container,
        errors: &mut Errors,
    ) -> Result<Self, NoField> {
        let ident = field.ident.clone().ok_or(NoField::Unreadable)?;
        let marks = errors.take(marks(&field.attrs)).unwrap_or_default();
        // A field with an error in its serde attributes still counts as a field, so that templates
        // that name it cause no further error.
        let Member { rename, aliases, has_default, hindrances } =
            errors.take(member(&field.attrs)).unwrap_or_default();
        if let Some(span) = marks.stamps {
            let is_skipped = hindrances.iter().any(|one| one.attribute == "skip");
            let (declared, mark) = (field.ty.clone(), marks.all().next());
            let stamps = Stamps { ident, declared, span, is_skipped, mark };
            return Err(NoField::Stamps(Box::new(stamps)));
        }
        let absent = |hindrance: &&Hindrance| matches!(hindrance.attribute, "skip" | "flatten");
        if let Some(hindrance) = hindrances.iter().find(absent) {
            let mark = marks.all().next().map(|(word, _)| word);
            let Hindrance { attribute, span, .. } = *hindrance;
            return Err(NoField::Absent(Absent { ident, attribute, span, mark }));
        }
        let name = ident.unraw().to_string();
        let attribute = rename.unwrap_or_else(|| container.rename_all.field(&name));
        let declared = field.ty.clone();
        let inner = types::option_inner(&declared).cloned();
        let is_unwritten = hindrances.iter().any(|one| one.attribute == "skip_serializing");
        let serializer = hindrances.iter().find_map(Hindrance::serializer);
        Ok(Self {
            name,
            attribute,
            aliases,
            doc: doc::of(&field.attrs),
            is_optional: inner.is_some(),
            is_required: inner.is_none() && !has_default && !container.has_default,
            part_type: inner.unwrap_or_else(|| declared.clone()),
            declared,
            ident,
            marks,
            is_unwritten,
            serializer,
            stamp: None,
            hindrances,
        })
    }

    /// Returns the part of an entity's stamps that is this stamp, if they have it: only the compiler knows.
    pub(super) fn of_stamp(stamp: Stamp, stamps: &Stamps, codegen: &TokenStream) -> Self {
        let span = stamps.span;
        let part_type: Type = match stamp {
            Stamp::Version => syn::parse_quote!(u64),
            Stamp::Created | Stamp::Updated => syn::parse_quote!(#codegen::Timestamp),
            Stamp::Expires => syn::parse_quote!(#codegen::EpochSeconds),
        };
        let is_optional = stamp == Stamp::Expires;
        let declared = if is_optional {
            syn::parse_quote!(::core::option::Option<#part_type>)
        } else {
            part_type.clone()
        };
        let mut marks = Marks::default();
        match stamp {
            Stamp::Version => marks.version = Some(span),
            Stamp::Created => marks.created = Some(span),
            Stamp::Updated => marks.updated = Some(span),
            Stamp::Expires => marks.ttl = Some(span),
        }
        Self {
            ident: Ident::new(stamp.name(), span),
            name: stamp.name().to_owned(),
            attribute: String::new(),
            aliases: Vec::new(),
            doc: stamp.doc().to_owned(),
            declared,
            part_type,
            is_optional,
            is_required: false,
            marks,
            hindrances: Vec::new(),
            is_unwritten: false,
            serializer: None,
            stamp: Some(stamp),
        }
    }

    /// Returns whether an envelope stores the field outside its data, where conditions and updates
    /// can use it.
    pub(super) fn is_outside_data(&self) -> bool {
        let Marks { version, ttl, created, updated, counter, top, .. } = &self.marks;
        [version, ttl, created, updated, counter, top].into_iter().any(Option::is_some)
    }

    /// Returns whether the field is the number of a value row that is a counter.
    pub(super) fn is_counted_value(&self) -> bool {
        self.marks.counter.is_some() && self.marks.value.is_some()
    }

    /// Returns whether the field changes only by other means than a value of one's own.
    pub(super) fn is_managed(&self) -> bool {
        let Marks { version, created, updated, counter, immutable, .. } = &self.marks;
        [version, created, updated, counter, immutable].into_iter().any(Option::is_some)
    }
}

impl Marks {
    /// Returns every attribute that is set, with its location.
    fn all(&self) -> impl Iterator<Item = (&'static str, Span)> {
        let Self {
            version, ttl, created, updated, counter, immutable, key_only, top, value, ..
        } = self;
        let marks = [
            ("version", version),
            ("ttl", ttl),
            ("created", created),
            ("updated", updated),
            ("counter", counter),
            ("immutable", immutable),
            ("key_only", key_only),
            ("top", top),
            ("value", value),
        ];
        marks.into_iter().filter_map(|(word, span)| span.map(|span| (word, span)))
    }
}

fn marks(attributes: &[Attribute]) -> syn::Result<Marks> {
    let mut marks = Marks::default();
    for attribute in attributes {
        let Some(word) = attribute.path().get_ident() else { continue };
        let mark = match word.to_string().as_str() {
            "version" => &mut marks.version,
            "ttl" => &mut marks.ttl,
            "created" => &mut marks.created,
            "updated" => &mut marks.updated,
            "counter" => &mut marks.counter,
            "immutable" => &mut marks.immutable,
            "key_only" => &mut marks.key_only,
            "top" => &mut marks.top,
            "value" => &mut marks.value,
            "stamps" => &mut marks.stamps,
            "copy" => {
                marks.copy = Some(copy(attribute)?);
                continue;
            }
            "key" | "index" | "unique" | "mirror" | "entity" => {
                let message = format!("`#[{word}]` belongs on the struct, not on a field");
                return Err(syn::Error::new(word.span(), message));
            }
            _ => continue,
        };
        attribute.meta.require_path_only()?;
        if mark.replace(word.span()).is_some() {
            return Err(syn::Error::new(word.span(), format!("`#[{word}]` is given twice")));
        }
    }
    Ok(marks)
}

fn copy(attribute: &Attribute) -> syn::Result<Copy> {
    attribute.parse_args_with(|input: syn::parse::ParseStream<'_>| {
        let entity: Ident = input.parse()?;
        input.parse::<Token![.]>()?;
        let field: Ident = input.parse()?;
        Ok(Copy { entity: entity.unraw().to_string(), field: field.unraw().to_string() })
    })
}
