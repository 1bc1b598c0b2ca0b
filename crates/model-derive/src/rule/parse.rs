//! Reads `#[rule(…)]` and the fields of its struct.

use monotable_design::template::Piece;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::meta::ParseNestedMeta;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, LitStr, Type, Visibility};

use crate::allow::Allow;
use crate::crate_path::CratePath;
use crate::diagnostics::{Errors, did_you_mean};
use crate::doc;
use crate::table::Name;
use crate::template::{KeyTemplate, Slot};
use crate::types;

/// A rule key as declared.
pub(super) struct RuleKey {
    /// The path of the module that generated code uses.
    pub(super) codegen: TokenStream,
    pub(super) visibility: Visibility,
    pub(super) ident: Ident,
    pub(super) doc: String,
    pub(super) kinds: Vec<Kind>,
    pub(super) fields: Vec<Field>,
    pub(super) partition: KeyTemplate,
    pub(super) sort: Option<KeyTemplate>,
    pub(super) snapshot: Option<KeyTemplate>,
    /// The attributes that have other names than usual, by the field of `RuleAttributes`.
    pub(super) attributes: Vec<(&'static str, Name)>,
    pub(super) type_name: Option<LitStr>,
    pub(super) allows: Vec<Allow>,
    /// The type of the number that the rule writes into the key itself.
    number: Type,
}

/// A field of the struct.
pub(super) struct Field {
    pub(super) ident: Ident,
    pub(super) name: String,
    pub(super) declared: Type,
    pub(super) doc: String,
}

/// What a key is for, as in `RuleKind`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Guard,
    Counter,
    Lock,
    RateWindow,
    Idempotency,
    Log,
    Job,
    Record,
}

impl Kind {
    const ALL: [(&'static str, Self); 8] = [
        ("Guard", Self::Guard),
        ("Counter", Self::Counter),
        ("Lock", Self::Lock),
        ("RateWindow", Self::RateWindow),
        ("Idempotency", Self::Idempotency),
        ("Log", Self::Log),
        ("Job", Self::Job),
        ("Record", Self::Record),
    ];

    /// Returns the name of the variant of `RuleKind`.
    pub(super) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Returns the name that stands for the number in the key, and how it is written.
    fn number(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::RateWindow => Some(("window", "{window}")),
            Self::Log => Some(("seq", "{seq:06}")),
            Self::Guard
            | Self::Counter
            | Self::Lock
            | Self::Idempotency
            | Self::Job
            | Self::Record => None,
        }
    }
}

/// The options that name an attribute: the field of `RuleAttributes`, and the kinds that have it.
const ATTRIBUTES: [(&str, &str, &[Kind]); 6] = [
    ("value", "value", &[]),
    ("version", "version", &[Kind::Lock, Kind::Log, Kind::Job, Kind::Record]),
    ("expiry", "expiry", &[]),
    ("lease", "lease", &[Kind::Lock, Kind::Job]),
    ("sequence", "sequence", &[Kind::Log]),
    ("formerly", "former_value", &[Kind::Record]),
];

const OPTIONS: &str = "`pk`, `sk`, `snapshot`, `value`, `version`, `expiry`, `lease`, `sequence`, \
                       `formerly`, `type`, `crate` and `allow(…)`";

/// `#[rule(…)]` as syntax.
#[derive(Default)]
struct Options {
    crate_path: CratePath,
    kinds: Vec<(Kind, Span)>,
    partition: Option<KeyTemplate>,
    sort: Option<KeyTemplate>,
    snapshot: Option<KeyTemplate>,
    attributes: Vec<(&'static str, Name)>,
    type_name: Option<LitStr>,
    allows: Vec<Allow>,
}

impl Options {
    fn read(&mut self, meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
        let option = meta.path.to_token_stream().to_string();
        let attribute = ATTRIBUTES.iter().find(|(name, ..)| *name == option);
        if let Some((name, field, kinds)) = attribute {
            let value: Name = meta.value()?.parse()?;
            let is_used =
                kinds.is_empty() || self.kinds.iter().any(|(kind, _)| kinds.contains(kind));
            if !is_used {
                let kinds: Vec<_> = kinds.iter().map(|kind| format!("`{}`", kind.name())).collect();
                let message = format!("`{name}` is an attribute of {} only", kinds.join(", "));
                return Err(syn::Error::new_spanned(&meta.path, message));
            }
            self.attributes.push((field, value));
            return Ok(());
        }
        match option.as_str() {
            "pk" => self.partition = Some(meta.value()?.parse()?),
            "sk" => self.sort = Some(meta.value()?.parse()?),
            "snapshot" => self.snapshot = Some(meta.value()?.parse()?),
            "type" => self.type_name = Some(meta.value()?.parse()?),
            "crate" => self.crate_path = CratePath::named(&meta.value()?.parse()?)?,
            "allow" => self.allows.push(meta.input.parse()?),
            other => {
                let found = Kind::ALL.iter().find(|(name, _)| *name == other);
                let Some((_, kind)) = found else {
                    let names = Kind::ALL.iter().map(|(name, _)| *name);
                    let guess = did_you_mean(other, names.clone());
                    let names = names.collect::<Vec<_>>().join("`, `");
                    let message = format!(
                        "`{other}` is unknown here: a rule is a `{names}`, and has {OPTIONS}{guess}"
                    );
                    return Err(syn::Error::new_spanned(&meta.path, message));
                };
                let span = meta.path.get_ident().map_or_else(Span::call_site, Ident::span);
                self.kinds.push((*kind, span));
            }
        }
        Ok(())
    }
}

impl RuleKey {
    /// Reads and checks a declaration. Errors are collected; without a model there is at least one.
    pub(super) fn read(input: &DeriveInput, errors: &mut Errors) -> Option<Self> {
        let mut options = Options::default();
        let is_rule = |attribute: &&Attribute| attribute.path().is_ident("rule");
        for attribute in input.attrs.iter().filter(is_rule) {
            errors.take(attribute.parse_nested_meta(|meta| options.read(&meta)));
        }
        let fields = fields(input, errors)?;
        let Options { kinds, partition, sort, snapshot, attributes, type_name, allows, .. } =
            options;
        if errors.is_empty() && (kinds.is_empty() || partition.is_none()) {
            let message = format!(
                "`{}` has no key: add `#[rule(Guard, pk = \"TEAM#{{team_id}}\", sk = \"…\")]` with the \
                 kind of the rule and the templates",
                input.ident
            );
            errors.push(input.ident.span(), message);
        }
        let model = Self {
            codegen: options.crate_path.codegen(),
            visibility: input.vis.clone(),
            ident: input.ident.clone(),
            doc: doc::of(&input.attrs),
            kinds: kinds.iter().map(|(kind, _)| *kind).collect(),
            fields,
            partition: partition?,
            sort,
            snapshot,
            attributes,
            type_name,
            allows,
            number: syn::parse_quote!(u64),
        };
        model.check_kinds(&kinds, errors);
        model.check_templates(errors);
        Some(model)
    }

    /// Returns the template of each key attribute, with what it is called in messages.
    pub(super) fn templates(&self) -> impl Iterator<Item = (&'static str, &KeyTemplate)> {
        let sort = self.sort.iter().map(|template| ("sort key", template));
        let snapshot = self.snapshot.iter().map(|template| ("snapshot", template));
        std::iter::once(("partition key", &self.partition)).chain(sort).chain(snapshot)
    }

    /// Returns what a name in a template stands for.
    pub(super) fn slot(&self, name: &str) -> Option<Slot<'_>> {
        if let Some(at) = self.fields.iter().position(|field| field.name == name) {
            let position = u16::try_from(at).ok()?;
            let position = quote!(#position);
            let part_type = &self.fields[at].declared;
            return Some(Slot { position, part_type, is_optional: false });
        }
        let (number, _) = self.number()?;
        let position = u16::try_from(self.fields.len()).ok()?;
        let position = quote!(#position);
        (number == name).then_some(Slot { position, part_type: &self.number, is_optional: false })
    }

    /// Returns the name of the number that the rule writes, and how it is written.
    fn number(&self) -> Option<(&'static str, &'static str)> {
        self.kinds.iter().find_map(|kind| kind.number())
    }

    /// Kinds that go together, and what only some of them have.
    fn check_kinds(&self, kinds: &[(Kind, Span)], errors: &mut Errors) {
        for (position, (kind, span)) in kinds.iter().enumerate() {
            if kinds[..position].iter().any(|(earlier, _)| earlier == kind) {
                errors.push(*span, format!("`{}` is given twice", kind.name()));
            }
            if kind.number().is_some() && kinds.len() > 1 {
                let message = format!(
                    "a `{}` has a number in its key, so that nothing else can have the same key; \
                     declare another key for the other rule",
                    kind.name()
                );
                errors.push(*span, message);
            }
        }
        let is_log = self.kinds.contains(&Kind::Log);
        match &self.snapshot {
            Some(snapshot) if !is_log => {
                errors.push(snapshot.span(), "only a `Log` has a snapshot");
            }
            None if is_log => {
                let message =
                    "a log has a snapshot: add its sort key, such as `snapshot = \"state\"`";
                errors.push(self.ident.span(), message);
            }
            _ => {}
        }
    }

    fn check_templates(&self, errors: &mut Errors) {
        let ident = &self.ident;
        let mut known: Vec<String> = self.fields.iter().map(|field| field.name.clone()).collect();
        let number = self.number();
        known.extend(number.map(|(name, _)| name.to_owned()));
        for (what, template) in self.templates() {
            let owner = format!("the {what} of `{ident}`");
            template.check_names(&owner, "the struct has no such field", &known, errors);
            if template.is_sharded() {
                errors.push(template.span(), "the key of a rule has no `{shard}`: it is one row");
            }
        }
        let is_named = |name: &str| {
            let mut templates = self.templates();
            templates.any(|(_, template)| template.names().any(|used| used == name))
        };
        for field in self.fields.iter().filter(|field| !is_named(&field.name)) {
            let message = format!(
                "`{}` is in no template of `{ident}`, so that rows with different values would have the \
                 same key; put it into a template, or remove it",
                field.name
            );
            errors.push(field.ident.span(), message);
        }
        if let Some((name, written)) = number {
            self.check_number(name, written, errors);
        }
    }

    /// Checks that the number is in the last key attribute, and that the number of an event sorts.
    fn check_number(&self, name: &str, written: &str, errors: &mut Errors) {
        let ident = &self.ident;
        if let Some(field) = self.fields.iter().find(|field| field.name == name) {
            let message = format!("`{name}` is the number that the rule writes; rename the field");
            errors.push(field.ident.span(), message);
        }
        let (place, numbered) = match &self.sort {
            Some(sort) => ("sort key", sort),
            None => ("partition key", &self.partition),
        };
        let pad = numbered.pieces.iter().filter_map(|piece| match piece {
            Piece::Field { name: found, pad } if found == name => Some(*pad),
            _ => None,
        });
        let is_log = self.kinds.contains(&Kind::Log);
        if is_log && self.sort.is_none() {
            errors.push(ident.span(), "a log has a sort key, in which its events are numbered");
        }
        match pad.collect::<Vec<_>>().as_slice() {
            [0] if is_log => {
                let message = format!(
                    "`{{{name}}}` in the {place} of `{ident}` has no padding, so that 10 sorts before \
                     9; write `{written}`"
                );
                errors.push(ident.span(), message);
            }
            [_] => {}
            _ => {
                let message = format!("the {place} of `{ident}` has `{written}` once: add it");
                errors.push(ident.span(), message);
            }
        }
        let others = self.templates().filter(|(what, _)| *what != place);
        for (what, template) in others {
            if template.names().any(|used| used == name) {
                let message = format!("`{{{name}}}` belongs in the {place}, not in the {what}");
                errors.push(template.span(), message);
            }
        }
    }
}

fn fields(input: &DeriveInput, errors: &mut Errors) -> Option<Vec<Field>> {
    if !input.generics.params.is_empty() {
        let message = "a rule key has no parameters: write one struct for each key";
        errors.add(syn::Error::new_spanned(&input.generics, message));
        return None;
    }
    let syntax = match &input.data {
        Data::Struct(data) => &data.fields,
        Data::Enum(_) | Data::Union(_) => {
            errors.push(input.ident.span(), "a rule key is a struct of the fields in its key");
            return None;
        }
    };
    if matches!(syntax, Fields::Unnamed(_)) {
        let message = "a rule key has named fields, which its templates use: write \
                       `struct ActiveGame { team_id: TeamId }`";
        errors.push(input.ident.span(), message);
        return None;
    }
    let mut fields = Vec::new();
    for field in syntax {
        let Some(ident) = field.ident.clone() else { continue };
        if types::option_inner(&field.ty).is_some() {
            let message = "a field of a rule key is always there: take the `Option` away";
            errors.add(syn::Error::new_spanned(&field.ty, message));
        }
        let name = ident.unraw().to_string();
        fields.push(Field { ident, name, declared: field.ty.clone(), doc: doc::of(&field.attrs) });
    }
    Some(fields)
}
