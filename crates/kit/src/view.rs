//! Typed responses: a struct declares exactly the fields that are sent.

use std::marker::PhantomData;

use http::HeaderValue;
use monotable::model::{self, Cursor};
use serde::Serialize;
use serde::ser::SerializeMap;
use serde_json::{Map, Value};

use crate::field_type::FieldType;
use crate::problem::Problem;
use crate::reply::{Reply, ReplyBody, formless, shown, write_json};
use crate::route::Answered;
use crate::schema::{Field, Kind, Schema};

/// The body of a response. Declared with `#[derive(View)]`.
pub trait View {
    /// Whether callers see the same version differently, so that the `ETag` depends on the body.
    const DIFFERS_BY_VIEWER: bool = false;

    /// Returns the schema of the response.
    fn schema() -> Schema;

    /// Writes the fields.
    fn write(&self, fields: &mut ViewFields);

    /// Writes the fields into a map of a serializer: for views inside other values.
    ///
    /// # Errors
    /// Returns the errors of the serializer.
    fn serialize_fields<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error>;

    /// Returns the version of the resource, for the `ETag`.
    fn version(&self) -> Option<u64> {
        None
    }
}

/// A view that some callers do not get: its fields can be absent. Flatten it into the view that all
/// callers get.
impl<V: View> View for Option<V> {
    const DIFFERS_BY_VIEWER: bool = V::DIFFERS_BY_VIEWER;

    fn schema() -> Schema {
        let mut schema = V::schema();
        for field in &mut schema.fields {
            field.required = false;
        }
        schema
    }

    fn write(&self, fields: &mut ViewFields) {
        if let Some(view) = self {
            view.write(fields);
        }
    }

    fn serialize_fields<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        match self {
            Some(view) => view.serialize_fields(map),
            None => Ok(()),
        }
    }

    fn version(&self) -> Option<u64> {
        self.as_ref().and_then(V::version)
    }
}

/// A view that is listed in pages.
pub trait Listed: View {
    /// The name of the list.
    const LIST: &'static str;
}

/// The fields of a response while they are written.
#[derive(Debug, Default)]
pub struct ViewFields {
    /// The JSON text of fields that are not secret, without the closing brace.
    shown: Vec<u8>,
    secrets: Map<String, Value>,
}

impl ViewFields {
    /// Writes a value, unless it is absent.
    pub fn show(&mut self, name: &str, value: &impl Serialize) {
        let start = self.shown.len();
        self.or_null(name, value);
        if self.shown.ends_with(b":null") {
            self.shown.truncate(start);
        }
    }

    /// Writes a value, or null if it is absent.
    pub fn or_null(&mut self, name: &str, value: &impl Serialize) {
        self.name(name);
        write_json(value, &mut self.shown);
    }

    /// Starts a field.
    fn name(&mut self, name: &str) {
        self.shown.push(if self.shown.is_empty() { b'{' } else { b',' });
        write_json(&name, &mut self.shown);
        self.shown.push(b':');
    }

    /// Writes a secret, unless it is absent.
    pub fn secret(&mut self, name: &str, value: &impl Serialize) {
        let value = shown(value);
        if !value.is_null() {
            self.secrets.insert(name.to_owned(), value);
        }
    }
}

/// What an operation returns: a response of the type that its documentation shows, or a problem.
pub type Answer<R> = Result<Typed<R>, Problem>;

/// A reply whose type is known.
pub struct Typed<R> {
    reply: Reply,
    response: PhantomData<fn() -> R>,
}

impl<R> Typed<R> {
    /// Creates a typed reply, such as from a recorded one.
    pub(crate) fn of(reply: Reply) -> Self {
        Self { reply, response: PhantomData }
    }

    /// Returns the reply.
    pub fn into_reply(self) -> Reply {
        self.reply
    }

    /// Sets cookies.
    #[must_use]
    pub fn cookies(self, cookies: impl IntoIterator<Item = HeaderValue>) -> Self {
        Self::of(self.reply.cookies(cookies))
    }

    /// Returns whether it was recorded for an earlier request, so that this one had no effect.
    pub fn is_replay(&self) -> bool {
        self.reply.is_replay()
    }
}

impl<R: Response> From<R> for Typed<R> {
    fn from(response: R) -> Self {
        Self::of(response.into_reply())
    }
}

/// A kind of response: its status and its body.
pub trait Response: Sized + 'static {
    /// The media types of the response.
    const MEDIA_TYPES: &'static [&'static str] = &["application/json"];

    /// Whether it is a page in the frame of the service: its problems are pages as well, and it is not part of
    /// the API.
    const IS_PAGE: bool = false;

    /// Describes it for the documentation.
    fn describe() -> Answered;

    /// Describes its other statuses.
    fn describe_others() -> Vec<Answered> {
        Vec::new()
    }

    /// Creates the reply.
    fn into_reply(self) -> Reply;
}

/// 200 with a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json<V>(pub V);

/// 201 with a view.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Created<V>(pub V);

/// 200 with the view of an existing resource, or 201 with that of a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Saved<V> {
    /// 200.
    Changed(V),
    /// 201.
    Created(V),
}

/// 200 with a view that is written directly as text: numbers keep all their digits, and large views
/// are cheap. It has no version and no secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText<V> {
    text: String,
    view: PhantomData<fn() -> V>,
}

impl<V: View + Serialize> JsonText<V> {
    /// Writes a view.
    ///
    /// # Errors
    /// Returns 500 if a value of the view has no form in JSON.
    pub fn of(view: &V) -> Result<Self, Problem> {
        let text =
            serde_json::to_string(view).map_err(|error| Problem::internal(error.to_string()))?;
        Ok(Self { text, view: PhantomData })
    }
}

/// 204.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoContent;

/// 202 without a body, for work that continues after the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accepted;

/// 200 with a page of a list.
#[derive(Clone, Debug)]
pub struct Page<V> {
    /// The elements.
    pub rows: Vec<V>,
    /// The cursor of the next page, if there is one.
    pub next: Option<Cursor>,
}

impl<V> Page<V> {
    /// Creates a page of rows.
    pub fn of<R>(page: model::Page<R>, show: impl FnMut(&R) -> V) -> Self {
        Self { rows: page.rows.iter().map(show).collect(), next: page.next }
    }

    /// Creates the only page of a list.
    pub fn all<'r, R: 'r>(
        rows: impl IntoIterator<Item = &'r R>,
        show: impl FnMut(&'r R) -> V,
    ) -> Self {
        Self { rows: rows.into_iter().map(show).collect(), next: None }
    }
}

impl<V: View + 'static> Response for Json<V> {
    fn describe() -> Answered {
        Answered::of_view(200, V::schema())
    }

    fn into_reply(self) -> Reply {
        reply(200, &self.0)
    }
}

impl<V: View + 'static> Response for Created<V> {
    fn describe() -> Answered {
        Answered::of_view(201, V::schema())
    }

    fn into_reply(self) -> Reply {
        reply(201, &self.0)
    }
}

impl<V: View + 'static> Response for Saved<V> {
    fn describe() -> Answered {
        Json::<V>::describe()
    }

    fn describe_others() -> Vec<Answered> {
        vec![Created::<V>::describe()]
    }

    fn into_reply(self) -> Reply {
        match self {
            Self::Changed(view) => reply(200, &view),
            Self::Created(view) => reply(201, &view),
        }
    }
}

impl<V: View + 'static> Response for JsonText<V> {
    fn describe() -> Answered {
        Json::<V>::describe()
    }

    fn into_reply(self) -> Reply {
        Reply::new(200, ReplyBody::Json(self.text))
    }
}

impl Response for NoContent {
    fn describe() -> Answered {
        Answered { status: 204, meaning: "Done.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::no_content()
    }
}

impl Response for Accepted {
    fn describe() -> Answered {
        Answered { status: 202, meaning: "It was accepted.", example: None, schema: None }
    }

    fn into_reply(self) -> Reply {
        Reply::new(202, ReplyBody::Empty)
    }
}

impl<V: Listed + FieldType + Serialize + 'static> Response for Page<V> {
    fn describe() -> Answered {
        let fields = [
            Field::list(V::LIST, V::kind(), 0..=usize::MAX).required(),
            Field::new("count", usize::kind())
                .required()
                .about("The number of elements of the page.")
                .example(1),
            Field::new("nextToken", Kind::Text { length: 1..=usize::MAX })
                .about("The token of the next page; absent on the last page."),
        ];
        let schema = Schema { about: "A page of a list.", ..Schema::object("", fields) };
        Answered::of_view(200, schema)
    }

    fn into_reply(self) -> Reply {
        Reply::page(V::LIST, self.rows, self.next.as_ref())
    }
}

fn reply<V: View>(status: u16, view: &V) -> Reply {
    let mut fields = ViewFields::default();
    view.write(&mut fields);
    finished(status, fields, view.version(), V::DIFFERS_BY_VIEWER)
}

/// Does the same, compiled once and not for each view.
fn finished(status: u16, fields: ViewFields, version: Option<u64>, differs: bool) -> Reply {
    let mut reply = Reply::of_fields(status, fields);
    reply.version = version;
    reply.differs_by_viewer = differs;
    reply
}

impl Reply {
    /// Creates a reply with a status and the fields of an object.
    pub(crate) fn of_fields(status: u16, fields: ViewFields) -> Self {
        let ViewFields { mut shown, secrets } = fields;
        shown.extend_from_slice(if shown.is_empty() { b"{}" } else { b"}" });
        let text = String::from_utf8(shown).unwrap_or_else(|error| formless(&error));
        let mut reply = Self::new(status, ReplyBody::Json(text));
        reply.secrets = secrets;
        reply
    }
}
