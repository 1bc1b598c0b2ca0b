//! Secondary indexes as requests define them.

use monotable_engine::{IndexDefinition, OnDemandThroughput};
use monotable_types::{Constraints, Projection as IndexProjection, limits};

use super::definition::KeySchema;
use super::invalid;
use super::settings::{Throughput, Warm, read_on_demand};
use crate::error::Result;
use crate::field::Holder;
use crate::json::Reader;
use crate::parameters::choose;

/// The values of `ProjectionType`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ProjectionType {
    All,
    Include,
    KeysOnly,
}

const PROJECTION_TYPES: &[(&str, ProjectionType)] = &[
    ("ALL", ProjectionType::All),
    ("INCLUDE", ProjectionType::Include),
    ("KEYS_ONLY", ProjectionType::KeysOnly),
];

/// `Projection`
#[derive(Clone, Debug, Default)]
struct Projection {
    projection_type: Option<String>,
    non_key_attributes: Option<Vec<String>>,
}

impl Projection {
    fn read(reader: &mut Reader<'_>) -> Result<Option<Self>> {
        let mut projection = Self::default();
        let found = reader.structure("Projection", Holder::Member, |reader, name| {
            match name {
                "ProjectionType" => projection.projection_type = reader.text()?,
                "NonKeyAttributes" => projection.non_key_attributes = reader.texts()?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(projection))
    }

    fn note(&self, constraints: &mut Constraints, path: &str) {
        if self.non_key_attributes.as_ref().is_some_and(Vec::is_empty) {
            let path = format!("{path}.nonKeyAttributes");
            let allowed = 1..=limits::PROJECTION_NON_KEY_ATTRIBUTES_MAX;
            constraints.length(0, "[]", &path, allowed);
        }
        let path = format!("{path}.projectionType");
        choose(constraints, &path, self.projection_type.as_deref(), PROJECTION_TYPES);
    }

    /// Returns the projection in the engine's form. Only `INCLUDE` takes names.
    fn checked(self) -> Result<IndexProjection> {
        let word = self.projection_type.as_deref();
        let found = PROJECTION_TYPES.iter().find(|(name, _)| Some(*name) == word);
        match (found, self.non_key_attributes) {
            (None, _) => Err(invalid("Unknown ProjectionType: null")),
            (Some((_, ProjectionType::Include)), names) => {
                Ok(IndexProjection::Include(names.unwrap_or_default()))
            }
            (Some((name, _)), Some(_)) => {
                Err(invalid(format!("ProjectionType is {name}, but NonKeyAttributes is specified")))
            }
            (Some((_, ProjectionType::All)), None) => Ok(IndexProjection::All),
            (Some((_, ProjectionType::KeysOnly)), None) => Ok(IndexProjection::KeysOnly),
        }
    }
}

/// An index of a new table, or a new index.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    index_name: Option<String>,
    key_schema: KeySchema,
    projection: Option<Projection>,
    throughput: Option<Throughput>,
    on_demand: Option<OnDemandThroughput>,
    warm: Option<Warm>,
}

impl Index {
    pub(crate) fn read(
        reader: &mut Reader<'_>,
        class: &str,
        holder: Holder,
    ) -> Result<Option<Self>> {
        let mut index = Self::default();
        let found = reader.structure(class, holder, |reader, name| {
            match name {
                "IndexName" => index.index_name = reader.text()?,
                "KeySchema" => index.key_schema = KeySchema::read(reader)?,
                "Projection" => index.projection = Projection::read(reader)?,
                "ProvisionedThroughput" => index.throughput = Throughput::read(reader)?,
                "OnDemandThroughput" => index.on_demand = read_on_demand(reader)?,
                "WarmThroughput" => index.warm = Warm::read(reader)?,
                _ => reader.ignore()?,
            }
            Ok(())
        })?;
        Ok(found.then_some(index))
    }

    /// Notes the broken constraints, in AWS's order.
    pub(crate) fn noted(self, constraints: &mut Constraints, path: &str) -> NotedIndex {
        match &self.projection {
            None => constraints.null(&format!("{path}.projection")),
            Some(projection) => projection.note(constraints, &format!("{path}.projection")),
        }
        if self.index_name.is_none() {
            constraints.null(&format!("{path}.indexName"));
        }
        let throughput_path = format!("{path}.provisionedThroughput");
        let provisioned_throughput =
            self.throughput.and_then(|units| units.checked(constraints, &throughput_path));
        let key_schema = self.key_schema.checked(constraints, &format!("{path}.keySchema"));
        let warm_path = format!("{path}.warmThroughput");
        let warm_throughput = self.warm.map(|warm| warm.checked(constraints, &warm_path));
        NotedIndex {
            projection: self.projection.unwrap_or_default(),
            index: IndexDefinition {
                index_name: self.index_name.unwrap_or_default(),
                key_schema,
                projection: IndexProjection::All,
                provisioned_throughput,
                on_demand_throughput: self.on_demand,
                warm_throughput,
            },
        }
    }
}

/// An index whose broken constraints have been noted; the remaining checks come after all
/// constraints.
pub(crate) struct NotedIndex {
    index: IndexDefinition,
    projection: Projection,
}

impl NotedIndex {
    /// Returns the index in the engine's form.
    pub(crate) fn checked(self) -> Result<IndexDefinition> {
        Ok(IndexDefinition { projection: self.projection.checked()?, ..self.index })
    }
}

/// `GlobalSecondaryIndexes` or `LocalSecondaryIndexes`
#[derive(Clone, Debug, Default)]
pub(crate) struct Indexes(Option<Vec<Index>>);

impl Indexes {
    pub(crate) fn read(reader: &mut Reader<'_>, class: &str) -> Result<Self> {
        let indexes = reader.list(|reader| Index::read(reader, class, Holder::Collection))?;
        Ok(Self(indexes.map(|indexes| indexes.into_iter().flatten().collect())))
    }

    /// Notes the broken constraints of each index.
    pub(crate) fn noted(
        self,
        constraints: &mut Constraints,
        path: &str,
    ) -> Option<Vec<NotedIndex>> {
        let indexes = self.0?.into_iter().enumerate();
        let noted = indexes
            .map(|(at, index)| index.noted(constraints, &format!("{path}.{}.member", at + 1)));
        Some(noted.collect())
    }
}

/// Returns the indexes without their projections, for the rules that precede those of projections.
pub(crate) fn bare_indexes(indexes: Option<&Vec<NotedIndex>>) -> Option<Vec<IndexDefinition>> {
    indexes.map(|indexes| indexes.iter().map(|noted| noted.index.clone()).collect())
}

/// Returns the indexes in the engine's form.
pub(crate) fn checked_indexes(
    indexes: Option<Vec<NotedIndex>>,
) -> Result<Option<Vec<IndexDefinition>>> {
    indexes.map(|indexes| indexes.into_iter().map(NotedIndex::checked).collect()).transpose()
}
