//! Scan.

use monotable_engine::{Database, Expression, Scan as EngineScan, Segment};
use monotable_types::{Constraints, limits};

use crate::error::{Failure, Result};
use crate::json::{Reader, Writer};
use crate::layer::Layer;
use crate::legacy::{Conditions, conditional_operator, operator_needs_conditions};
use crate::operation::Call;
use crate::page::{Page, write_page};
use crate::parameters::{
    Mixing, consistency, finish, return_consumed_capacity, select, table_name,
};
use crate::touch::Touch;

/// The request.
#[derive(Default)]
pub(crate) struct Scan {
    page: Page,
    scan_filter: Option<Conditions>,
    segment: Option<i32>,
    total_segments: Option<i32>,
}

impl Call for Scan {
    fn member(&mut self, name: &str, reader: &mut Reader<'_>) -> Result<()> {
        match name {
            "ScanFilter" => self.scan_filter = Conditions::read(reader, "Condition")?,
            "Segment" => self.segment = reader.integer()?,
            "TotalSegments" => self.total_segments = reader.integer()?,
            _ if self.page.member(name, reader)? => {}
            _ => reader.ignore()?,
        }
        Ok(())
    }

    fn returned_capacity(&mut self) -> Option<&mut Option<String>> {
        Some(&mut self.page.return_consumed_capacity)
    }

    fn touches(&self) -> Vec<Touch<'_>> {
        let touch = Touch::table("Scan", self.page.table_name.as_deref());
        vec![touch.on_index(self.page.index_name.as_deref())]
    }

    async fn respond(self, database: &Database, json: &mut Writer<'_>) -> Result<()> {
        let counts_only = self.page.counts_only();
        let output = database.scan(self.validate()?)?;
        write_page(json, &output, counts_only);
        Ok(())
    }
}

impl Scan {
    fn validate(mut self) -> Result<EngineScan> {
        let page = &self.page;
        let mut constraints = Constraints::default();
        let select = select(&mut constraints, page.select.as_deref());
        page.check_index_name(&mut constraints);
        let segments_max = limits::SCAN_SEGMENTS_MAX as i32;
        bounds(&mut constraints, self.total_segments, "totalSegments", 1, segments_max);
        let return_consumed_capacity =
            return_consumed_capacity(&mut constraints, page.return_consumed_capacity.as_deref());
        table_name(&mut constraints, "tableName", page.table_name.as_deref());
        let operator = conditional_operator(
            &mut constraints,
            page.conditional_operator.as_deref(),
            Layer::Older,
        );
        if let Some(filter) = &self.scan_filter {
            filter.need_operators(&mut constraints, "scanFilter");
        }
        bounds(&mut constraints, self.segment, "segment", 0, segments_max - 1);
        bounds(&mut constraints, page.limit, "limit", 1, i32::MAX);
        page.check_attributes_to_get(&mut constraints);
        finish(constraints)?;
        self.check_mixing()?;
        let projection = self.page.projection()?;
        operator_needs_conditions(operator, self.scan_filter.as_ref(), Layer::Older)?;
        let filter = self
            .scan_filter
            .take()
            .map(|filter| filter.filter(operator, Layer::Older))
            .transpose()?;
        let exclusive_start_key = self.page.start_key(Layer::Older)?;
        let segment = self.segment()?;
        let page = self.page;
        let limit = page.limit();
        Ok(EngineScan {
            index_name: page.index_name,
            filter: page.filter_expression.map(Expression::Text).or(filter.flatten()),
            projection,
            substitutions: page.placeholders.checked(Layer::Older)?,
            select,
            segment,
            limit,
            exclusive_start_key,
            consistency: consistency(page.consistent_read),
            return_consumed_capacity,
            table_name: page.table_name.unwrap_or_default(),
        })
    }

    fn check_mixing(&self) -> Result<()> {
        let page = &self.page;
        let expressions = [
            ("ProjectionExpression", page.projection_expression.is_some()),
            ("FilterExpression", page.filter_expression.is_some()),
        ];
        Mixing {
            legacy: &[
                ("AttributesToGet", page.attributes_to_get.is_some()),
                ("ScanFilter", self.scan_filter.is_some()),
                ("ConditionalOperator", page.conditional_operator.is_some()),
            ],
            expressions: &expressions,
        }
        .check()?;
        page.placeholders.need_expressions(&expressions, Some("FilterExpression is null"))
    }

    /// Returns the part of a parallel scan. Both numbers have been checked against their bounds.
    fn segment(&self) -> Result<Option<Segment>> {
        match (self.segment, self.total_segments) {
            (None, None) => Ok(None),
            (Some(_), None) => Err(Failure::validation(
                "The TotalSegments parameter is required but was not present in the request when \
                 Segment parameter is present",
            )),
            (None, Some(_)) => Err(Failure::validation(
                "The Segment parameter is required but was not present in the request when \
                 parameter TotalSegments is present",
            )),
            (Some(segment), Some(total)) => Ok(Some(Segment {
                segment: segment.unsigned_abs(),
                total_segments: total.unsigned_abs(),
            })),
        }
    }
}

/// Checks a number, if it is there.
fn bounds(constraints: &mut Constraints, number: Option<i32>, path: &str, min: i32, max: i32) {
    if let Some(number) = number {
        let least = format!("have value greater than or equal to {min}");
        constraints.check(number >= min, number, path, &least);
        let most = format!("have value less than or equal to {max}");
        constraints.check(number <= max, number, path, &most);
    }
}
