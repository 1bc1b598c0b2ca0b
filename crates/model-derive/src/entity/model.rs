//! The model of an entity: its attributes and fields, checked against each other.

use monotable_design::check::KeyUse;
use monotable_design::stamp::Stamp;
use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::ext::IdentExt as _;
use syn::{Data, DeriveInput, Fields, Ident, LitStr, Path, Visibility};

use super::field::{Absent, Field, NoField, Stamps};
use super::parse::{self, Index, Key, Mirror, Shards};
use super::rules;
use crate::allow::Allow;
use crate::codec::Codec;
use crate::diagnostics::Errors;
use crate::doc;
use crate::serde_attributes::{self, Container, snake};
use crate::template::{KeyTemplate, Slot};

/// An entity, ready to be written as code.
pub(super) struct Entity {
    /// The path of the module that generated code talks to.
    pub(super) codegen: TokenStream,
    pub(super) visibility: Visibility,
    pub(super) ident: Ident,
    pub(super) doc: String,
    pub(super) type_name: String,
    pub(super) codec: Codec,
    /// The type whose functions are the field paths.
    pub(super) module: Ident,
    /// The fields that are attributes; their positions are those of the metadata. Behind them are the
    /// stamps that there may be: their positions are known to the compiler only.
    pub(super) fields: Vec<Field>,
    /// Fields that serde does not write as attributes.
    pub(super) absent: Vec<Absent>,
    /// The field with `#[stamps]`.
    pub(super) stamps: Option<Stamps>,
    pub(super) key: Key,
    pub(super) indexes: Vec<Index>,
    pub(super) unique: Vec<Unique>,
    pub(super) mirrors: Vec<Mirror>,
    /// The rule key whose rows it reads.
    pub(super) rule: Option<Path>,
    pub(super) allows: Vec<Allow>,
}

/// A unique constraint.
pub(super) struct Unique {
    pub(super) span: Span,
    pub(super) name: String,
    /// The fields by their names; positions once they are known to exist.
    pub(super) fields: Vec<Ident>,
    pub(super) partition: KeyTemplate,
    pub(super) sort: KeyTemplate,
    pub(super) is_released: bool,
    /// Whether the partition key is made of the fields' names.
    pub(super) is_default: bool,
}

impl Entity {
    /// Reads and checks a declaration. Errors are collected; without a model there is at least one.
    pub(super) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let attributes = parse::attributes(input, errors);
        let container = errors.take(serde_attributes::container(&input.attrs));
        let syntax = named_fields(input, errors);
        if attributes.key.is_none() && errors.is_empty() {
            let message = format!(
                "`{}` has no key: add `#[key(pk = \"…\", sk = \"…\")]`, a template with a literal \
                 and the fields that identify it",
                input.ident
            );
            errors.push(input.ident.span(), message);
        }
        let (container, syntax) = (container?, syntax?);
        rules::container(&container, errors);
        let codegen = attributes.crate_path.codegen();
        let (mut fields, absent, stamps) = fields(syntax, &container, errors);
        if let Some(stamps) = &stamps {
            let is_free = |stamp: &Stamp| !fields.iter().any(|field| field.name == stamp.name());
            let free: Vec<Stamp> = Stamp::ALL.into_iter().filter(is_free).collect();
            fields.extend(free.into_iter().map(|stamp| Field::of_stamp(stamp, stamps, &codegen)));
        }
        let key = attributes.key?;
        let type_name = attributes
            .type_name
            .map_or_else(|| input.ident.unraw().to_string(), |name| name.value());
        let unique = attributes
            .unique
            .into_iter()
            .filter_map(|declared| errors.take(unique(declared, &type_name)))
            .collect();
        let module = match attributes.module {
            Some(name) => errors.take(name.parse())?,
            None => paths_name(&input.ident),
        };
        let model = Self {
            codegen,
            visibility: input.vis.clone(),
            ident: input.ident.clone(),
            doc: doc::of(&input.attrs),
            type_name,
            codec: attributes.codec.unwrap_or(Codec::Plain),
            module,
            fields,
            absent,
            stamps,
            key,
            indexes: attributes.indexes,
            unique,
            mirrors: attributes.mirrors,
            rule: attributes.rule,
            allows: attributes.allows,
        };
        rules::entity(&model, errors);
        Some(model)
    }

    /// Returns the position of a field.
    pub(super) fn position(&self, name: &str) -> Option<u16> {
        let position = self.fields.iter().position(|field| field.name == name)?;
        u16::try_from(position).ok()
    }

    /// Returns the field with a name.
    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// Returns what a name in a template stands for.
    pub(super) fn slot(&self, name: &str) -> Option<Slot<'_>> {
        let field = self.field(name)?;
        let position = self.position_of(field)?;
        Some(Slot { position, part_type: &field.part_type, is_optional: field.is_optional })
    }

    /// Returns the fields that are not stamps.
    pub(super) fn own_fields(&self) -> &[Field] {
        let own = self.fields.iter().take_while(|field| field.stamp.is_none()).count();
        &self.fields[..own]
    }

    /// Returns the position of a field in the metadata, as an expression.
    pub(super) fn position_of(&self, field: &Field) -> Option<TokenStream> {
        let (Some(stamp), Some(stamps)) = (field.stamp, &self.stamps) else {
            let position = self.position(&field.name)?;
            return Some(quote!(#position));
        };
        let (codegen, declared) = (&self.codegen, &stamps.declared);
        let own = u16::try_from(self.own_fields().len()).ok()?;
        let function = format_ident!("{}_position", stamp.name());
        Some(quote!(#codegen::#function::<#declared>(#own)))
    }

    /// Returns the bound that the stamps have a stamp. With a lifetime the compiler checks it only
    /// where it is used.
    pub(super) fn stamp_bound(&self, field: &Field) -> Option<TokenStream> {
        let (codegen, declared) = (&self.codegen, &self.stamps.as_ref()?.declared);
        let stamp = field.stamp?;
        let bound = format_ident!("Has{stamp:?}");
        Some(quote!(for<'stamp> #declared: #codegen::#bound))
    }

    /// Returns the fields of the primary key in the order of the declaration, with their positions.
    pub(super) fn key_fields(&self) -> Vec<(u16, &Field)> {
        self.numbered().filter(|(_, field)| self.is_key(&field.name)).collect()
    }

    /// Returns whether a field is a part of the primary key.
    pub(super) fn is_key(&self, name: &str) -> bool {
        let templates = std::iter::once(&self.key.partition).chain(&self.key.sort);
        templates.flat_map(KeyTemplate::names).any(|part| part == name)
    }

    /// Returns the fields with their positions.
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u16, &Field)> {
        (0..).zip(&self.fields)
    }

    /// Returns the fields whose texts are needed for any key, with their positions.
    pub(super) fn part_fields(&self) -> Vec<(u16, &Field)> {
        let templates = self.templates();
        let deciding: Vec<String> = self.shards().map(|shards| shards.by.to_string()).collect();
        self.numbered()
            .filter(|(_, field)| {
                deciding.contains(&field.name)
                    || templates
                        .iter()
                        .any(|(_, template)| template.names().any(|name| name == field.name))
            })
            .collect()
    }

    /// Returns every spread partition.
    pub(super) fn shards(&self) -> impl Iterator<Item = &Shards> {
        let mirrors = self.mirrors.iter().filter_map(|mirror| match mirror {
            Mirror::Same(key) => key.shards.as_ref(),
            Mirror::Other(_) => None,
        });
        let indexes = self.indexes.iter().filter_map(|index| index.shards.as_ref());
        self.key.shards.iter().chain(indexes).chain(mirrors)
    }

    /// Returns every template with its position in the metadata.
    pub(super) fn templates(&self) -> Vec<(KeyUse, &KeyTemplate)> {
        let mut templates = vec![(KeyUse::Partition, &self.key.partition)];
        templates.extend(self.key.sort.iter().map(|sort| (KeyUse::Sort, sort)));
        for (index, declared) in self.indexes.iter().enumerate() {
            for (attribute, template) in declared.partition.iter().enumerate() {
                templates.push((KeyUse::IndexPartition { index, attribute }, template));
            }
            for (attribute, template) in declared.sort.iter().enumerate() {
                templates.push((KeyUse::IndexSort { index, attribute }, template));
            }
        }
        for (constraint, declared) in self.unique.iter().enumerate() {
            templates.push((KeyUse::UniquePartition { constraint }, &declared.partition));
            templates.push((KeyUse::UniqueSort { constraint }, &declared.sort));
        }
        for (mirror, declared) in self.mirrors.iter().enumerate() {
            if let Mirror::Same(key) = declared {
                templates.push((KeyUse::MirrorPartition { mirror }, &key.partition));
                templates.extend(key.sort.iter().map(|sort| (KeyUse::MirrorSort { mirror }, sort)));
            }
        }
        templates
    }

    /// Returns whether a rule is allowed to be broken.
    pub(super) fn allows(&self, rule: &str) -> bool {
        self.allows.iter().any(|allow| allow.is(rule))
    }
}

/// Returns the name of the type with the paths: the entity's in snake case, with a `_` where that means
/// something else in Rust.
fn paths_name(entity: &Ident) -> Ident {
    let name = snake(&entity.unraw().to_string());
    let is_primitive = matches!(
        name.as_str(),
        "bool" | "char" | "str" | "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64"
    );
    match syn::parse_str::<Ident>(&name) {
        Ok(_) if !is_primitive => Ident::new(&name, entity.span()),
        _ => Ident::new(&format!("{name}_"), entity.span()),
    }
}

fn named_fields<'a>(input: &'a DeriveInput, errors: &mut Errors) -> Option<&'a Fields> {
    if !input.generics.params.is_empty() {
        let message = "an entity has no parameters: its rows look the same for everybody; write \
                       one struct for each type of row";
        errors.add(syn::Error::new_spanned(&input.generics, message));
        return None;
    }
    match &input.data {
        Data::Struct(data) if matches!(data.fields, Fields::Named(_)) => Some(&data.fields),
        Data::Struct(_) => {
            let message = "an entity has named fields, because they become attributes: write \
                           `struct Team { team_id: TeamId, … }`";
            errors.push(input.ident.span(), message);
            None
        }
        Data::Enum(_) | Data::Union(_) => {
            let message = "an entity is a struct; for rows of several shapes write one struct each \
                           and let a pattern return them together";
            errors.push(input.ident.span(), message);
            None
        }
    }
}

fn fields(
    syntax: &Fields,
    container: &Container,
    errors: &mut Errors,
) -> (Vec<Field>, Vec<Absent>, Option<Stamps>) {
    let (mut fields, mut absent, mut stamps) = (Vec::new(), Vec::new(), None);
    for field in syntax {
        match Field::read(field, container, errors) {
            Ok(field) => fields.push(field),
            Err(NoField::Absent(left_out)) => absent.push(left_out),
            Err(NoField::Stamps(second)) if stamps.is_some() => {
                errors.push(second.span, "a second `#[stamps]`: an entity has one");
            }
            Err(NoField::Stamps(first)) => stamps = Some(*first),
            Err(NoField::Unreadable) => {}
        }
    }
    (fields, absent, stamps)
}

fn unique(declared: parse::Unique, type_name: &str) -> syn::Result<Unique> {
    let names: Vec<String> = declared.fields.iter().map(Ident::to_string).collect();
    let name = declared.name.map_or_else(|| names.join("_"), |name| name.value());
    let default = |text: &str| KeyTemplate::read(LitStr::new(text, declared.span));
    let is_default = declared.partition.is_none();
    let partition = match declared.partition {
        Some(partition) => partition,
        None => {
            let values: Vec<String> = names.iter().map(|name| format!("{{{name}}}")).collect();
            default(&format!("UNIQUE#{type_name}#{name}#{}", values.join("#")))?
        }
    };
    let sort = declared.sort.map_or_else(|| default("UNIQUE"), Ok)?;
    Ok(Unique {
        span: declared.span,
        name,
        fields: declared.fields,
        partition,
        sort,
        is_released: declared.is_released,
        is_default,
    })
}
