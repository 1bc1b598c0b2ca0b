//! Forms that are generated from the body of an operation: the same fields, the same errors.

mod refused;

use std::borrow::Cow;
use std::fmt;

use askama::Template;
use http::Method;
use serde::Serialize;
use serde_json::{Map, Value};

pub(crate) use self::refused::refused;
use crate::call::Request;
use crate::http::form::{CSRF, KEY, METHOD, SHOWN, SentForm, THEN, escaped};
use crate::identity::Secret;
use crate::problem::{FieldProblem, Problem};
use crate::randomness::SystemRandomness;
use crate::route::{Route, ServiceName};
use crate::schema::{ELEMENTS_MAX, Field, Kind, Schema};
use crate::zone::Zone;

/// Longer texts may have several lines.
const LINE_MAX: usize = 200;

/// A form for an operation. In a template: `{{ form|safe }}`.
///
/// ```ignore
/// let form = Form::of(call, &create_note::route()).submit("Keep it").then("/notes/list");
/// ```
///
/// It works without scripts: the browser sends it to the operation, which checks it like the JSON
/// of a program. After success the browser shows the page of [`then`](Form::then); after a refusal
/// it shows the form again, with the errors next to the fields.
#[derive(Clone, Debug, Template)]
#[template(path = "form.html")]
pub struct Form {
    service: ServiceName,
    action: String,
    hidden: Vec<(Cow<'static, str>, String)>,
    messages: Vec<String>,
    fields: Vec<FormField>,
    /// Whether the form does not show all fields of the operation.
    is_partial: bool,
    /// The field that is set to the current time.
    time: Option<&'static str>,
    submit: String,
    /// The field that the buttons set, and a button for each value.
    submits: Option<(&'static str, Vec<(String, String)>)>,
    /// Whether what is sent is kept: empty if always, `later` if only without a network.
    queued: Option<&'static str>,
    is_dangerous: bool,
    zone: Zone,
}

#[derive(Clone, Debug)]
struct FormField {
    id: String,
    name: String,
    label: String,
    hint: &'static str,
    required: bool,
    /// Whether an unchecked checkbox means false, and a list without checked values is empty.
    sends_false: bool,
    is_list: bool,
    control: Control,
    /// Whether the next option is selected after each queued request.
    takes_turns: bool,
    /// The colours of values.
    colors: Vec<(String, String)>,
    /// The fields of the elements of a list of objects.
    element: Option<Schema>,
    /// The title of the element that the field belongs to.
    group: String,
    value: String,
    error: String,
}

#[derive(Clone, Debug)]
enum Control {
    /// `<input>` with these attributes.
    Input(String),
    Checkbox,
    /// A file of these media types: a photo, unless [`Form::files`] sets others.
    File(&'static str),
    /// `<textarea>` with this maximum length; 0 for no limit.
    Lines(usize),
    /// `<select>` with values and their texts.
    Select(Vec<(String, String)>),
    /// A button for each value, with its text, in groups with their titles.
    Choices(Vec<(String, Vec<(String, String)>)>),
}

impl Form {
    /// Creates the form of an operation. Names in its path are taken from the path of the page.
    pub fn of(request: &Request, route: &Route) -> Self {
        let mut action = route.path.to_owned();
        for (name, value) in &request.path {
            action = action.replace(&format!("{{{name}}}"), &escaped(value));
        }
        let csrf = request.viewer.session.as_ref().map(|session| session.csrf.clone());
        Self::new(request.service, (route, &action), csrf, &request.viewer.zone)
    }

    fn new(
        service: ServiceName,
        (route, path): (&Route, &str),
        csrf: Option<String>,
        zone: &Zone,
    ) -> Self {
        let mut hidden = Vec::new();
        if let Some(csrf) = csrf {
            hidden.push((CSRF.into(), csrf));
        }
        if route.method != Method::POST {
            hidden.push((METHOD.into(), route.method.to_string()));
        }
        if route.takes_idempotency_key {
            hidden.push((KEY.into(), Secret::generate(&SystemRandomness).reveal().to_owned()));
        }
        let mut fields = Vec::new();
        if let Some(schema) = &route.body {
            let is_change = matches!(route.method, Method::PATCH | Method::PUT);
            add_fields(&mut fields, "", schema, is_change);
        }
        if let Some(name) = zone.name() {
            for field in fields.iter_mut().filter(|field| field.is_time()) {
                field.label += &format!(" ({name})");
            }
        }
        Self {
            service,
            action: format!("/{}{path}", service.name),
            hidden,
            messages: Vec::new(),
            fields,
            is_partial: false,
            time: None,
            submit: "Send".to_owned(),
            submits: None,
            queued: None,
            is_dangerous: route.method == Method::DELETE,
            zone: zone.clone(),
        }
    }

    /// Sets a value of the operation's path.
    #[must_use]
    pub fn path(mut self, name: &str, value: impl fmt::Display) -> Self {
        let value = escaped(&value.to_string());
        self.action = self.action.replace(&format!("{{{name}}}"), &value);
        self
    }

    /// Sets the initial value of a field.
    #[must_use]
    pub fn value(mut self, name: &str, value: impl Serialize) -> Self {
        let value = serde_json::to_value(value).unwrap_or_default();
        self.set(name, &value);
        self
    }

    /// Sets the initial values of fields to those of a view.
    #[must_use]
    pub fn values(mut self, values: &impl Serialize) -> Self {
        if let Ok(Value::Object(values)) = serde_json::to_value(values) {
            self.set_all("", &values);
        }
        self
    }

    /// Shows a selection for a field: its values and their texts.
    #[must_use]
    pub fn options(
        mut self,
        name: &str,
        options: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        if let Some(field) = self.field(name) {
            let options = options.into_iter().collect();
            field.control = if field.is_list {
                Control::Choices(vec![(String::new(), options)])
            } else {
                Control::Select(options)
            };
        }
        self
    }

    /// Shows a selection for a field whose options take turns: after each [queued](Form::queued)
    /// request the next one is selected.
    #[must_use]
    pub fn turns(
        mut self,
        name: &str,
        options: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        self = self.options(name, options);
        if let Some(field) = self.field(name) {
            field.takes_turns = true;
        }
        self
    }

    /// Shows a large button for each value of a field, in groups with their titles.
    #[must_use]
    pub fn buttons(
        mut self,
        name: &str,
        groups: impl IntoIterator<Item = (String, Vec<(String, String)>)>,
    ) -> Self {
        if let Some(field) = self.field(name) {
            field.control = Control::Choices(groups.into_iter().collect());
        }
        self
    }

    /// Shows the fields of a list of objects, one element after the other. Fields are then named as
    /// in `members.0.name`. Each element has a title; an empty element is not sent.
    #[must_use]
    pub fn elements(
        mut self,
        name: &str,
        titles: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let found = self.fields.iter().position(|field| field.name == name);
        let Some(element) = found.and_then(|at| self.fields[at].element.clone()) else {
            return self;
        };
        let mut fields = Vec::new();
        for (position, title) in titles.into_iter().enumerate() {
            let start = fields.len();
            add_fields(&mut fields, &format!("{name}.{position}."), &element, false);
            let title: String = title.into();
            fields[start..].iter_mut().for_each(|field| field.group.clone_from(&title));
        }
        self.fields.splice(found.map_or(0..0, |at| at..at + 1), fields);
        self
    }

    /// Returns the fields by element, with its title.
    fn groups(&self) -> impl Iterator<Item = (&str, &[FormField])> {
        let groups = self.fields.chunk_by(|one, next| one.group == next.group);
        groups.map(|fields| (fields[0].group.as_str(), fields))
    }

    /// Sets the colours of a field's buttons.
    #[must_use]
    pub fn colors(
        mut self,
        name: &str,
        colors: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        if let Some(field) = self.field(name) {
            field.colors = colors.into_iter().collect();
        }
        self
    }

    /// Sets the media types of a file field instead of photos.
    #[must_use]
    pub fn files(mut self, name: &str, media_types: &'static str) -> Self {
        if let Some(field) = self.field(name) {
            field.control = Control::File(media_types);
        }
        self
    }

    /// Distinguishes the form from others of the same operation on the page.
    #[must_use]
    pub fn distinct(mut self, id: impl fmt::Display) -> Self {
        for field in &mut self.fields {
            field.id += &format!("-{id}");
        }
        self
    }

    /// Shows a field as required, where the operation accepts another one instead.
    #[must_use]
    pub fn required(mut self, name: &str) -> Self {
        if let Some(field) = self.field(name) {
            field.required = true;
        }
        self
    }

    /// Sends a value in a hidden field.
    #[must_use]
    pub fn fixed(mut self, name: impl Into<Cow<'static, str>>, value: impl fmt::Display) -> Self {
        let name = name.into();
        self.hidden.push((name.clone(), value.to_string()));
        self.without(&[&name])
    }

    /// Sends the time at which a person submits the form, also when it is [queued](Form::queued)
    /// until there is a network. Without scripts nothing is sent.
    #[must_use]
    pub fn time(mut self, name: &'static str) -> Self {
        self.time = Some(name);
        self.without(&[name])
    }

    /// Omits fields.
    #[must_use]
    pub fn without(mut self, names: &[&str]) -> Self {
        self.fields.retain(|field| !names.contains(&field.name.as_str()));
        self.is_partial = true;
        self
    }

    /// Sets the text of the button.
    #[must_use]
    pub fn submit(mut self, text: impl Into<String>) -> Self {
        self.submit = text.into();
        self
    }

    /// Shows a button for each value of a field, instead of one button.
    #[must_use]
    pub fn submits(
        mut self,
        name: &'static str,
        options: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        self.submits = Some((name, options.into_iter().collect()));
        self.without(&[name])
    }

    /// Sets the path of the service that is shown after success. Names in braces are replaced by
    /// fields of the response.
    #[must_use]
    pub fn then(mut self, path: impl AsRef<str>) -> Self {
        self.hidden.push((THEN.into(), format!("/{}{}", self.service.name, path.as_ref())));
        self
    }

    /// Stores submissions in the browser until the server has accepted them, so that people can
    /// continue without a network. The page needs [`Html::queued`](super::Html::queued).
    #[must_use]
    pub fn queued(mut self) -> Self {
        self.queued = Some("");
        self
    }

    /// Keeps what is sent in the browser only while there is no network: otherwise people wait for the response, and a
    /// refusal is shown in the form. The page needs [`Html::queued`](super::Html::queued).
    #[must_use]
    pub fn queued_offline(mut self) -> Self {
        self.queued = Some("later");
        self
    }

    /// Shows the elements of lists that were sent.
    fn with_sent_elements(mut self, sent: &SentForm) -> Self {
        let is_list = |field: &&FormField| field.element.is_some();
        let lists = self.fields.iter().filter(is_list);
        let lists: Vec<(String, String)> =
            lists.map(|field| (field.name.clone(), field.label.clone())).collect();
        for (name, label) in lists {
            let position = |(sent, _): &(String, String)| {
                let rest = sent.strip_prefix(&name)?.strip_prefix('.')?;
                rest.split('.').next()?.parse::<usize>().ok()
            };
            let last =
                sent.fields.iter().filter_map(position).filter(|at| *at < ELEMENTS_MAX).max();
            if let Some(last) = last {
                let label = label.trim_end_matches('s');
                self = self.elements(&name, (0..=last).map(|at| format!("{label} {}", at + 1)));
            }
        }
        self
    }

    /// Returns whether the form has a file field.
    fn has_files(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.control, Control::File(_)))
    }

    /// Returns the names of the visible fields.
    fn shown(&self) -> String {
        self.fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(" ")
    }

    fn field(&mut self, name: &str) -> Option<&mut FormField> {
        self.fields.iter_mut().find(|field| field.name == name)
    }

    fn set_all(&mut self, before: &str, values: &Map<String, Value>) {
        for (name, value) in values {
            let name = format!("{before}{name}");
            match value {
                Value::Object(inner) if self.field(&name).is_none() => {
                    self.set_all(&format!("{name}."), inner);
                }
                value => self.set(&name, value),
            }
        }
    }

    fn set(&mut self, name: &str, value: &Value) {
        let zone = self.zone.clone();
        let Some(field) = self.field(name) else { return };
        field.value = match value {
            Value::Null => String::new(),
            // Fields for a time have no offset: they are in the zone of the page.
            Value::String(text) if field.is_time() => {
                text.parse().map_or_else(|_| text.clone(), |at| zone.local(at))
            }
            Value::String(text) => text.clone(),
            Value::Array(values) if values.iter().all(Value::is_string) => {
                values.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("\n")
            }
            other => other.to_string(),
        };
    }

    /// Shows errors next to their fields.
    fn refuse(&mut self, problem: &Problem, message: &str) {
        let wrong = problem.field_problems();
        if wrong.is_empty() {
            self.messages.push(message.to_owned());
        }
        for FieldProblem { field: name, message } in wrong {
            let name = name.replace('[', ".").replace(']', "");
            let top = name.split('.').next().unwrap_or_default().to_owned();
            let found = match self.field(&name) {
                Some(_) => self.field(&name),
                None => self.field(&top),
            };
            match found {
                Some(field) if field.error.is_empty() => {
                    field.error = format!("{} {message}.", field.label);
                }
                Some(_) => {}
                None => self.messages.push(format!("{name}: {message}")),
            }
        }
    }
}

impl FormField {
    fn is_checkbox(&self) -> bool {
        matches!(self.control, Control::Checkbox)
    }

    fn has_choices(&self) -> bool {
        matches!(self.control, Control::Choices(_))
    }

    /// Returns whether a value of a list is selected.
    fn is_chosen(&self, value: &str) -> bool {
        self.value.lines().any(|line| line == value)
    }

    fn is_time(&self) -> bool {
        matches!(&self.control, Control::Input(text) if text.contains("datetime"))
    }

    /// Returns the colour of a value, if it has one.
    fn color(&self, value: &str) -> Option<&str> {
        let found = self.colors.iter().find(|(colored, _)| colored == value);
        found.map(|(_, color)| color.as_str())
    }

    /// Returns the attributes that connect the field with its hint and its error.
    fn described(&self) -> String {
        let mut ids = Vec::new();
        if !self.error.is_empty() {
            ids.push(format!("{}-error", self.id));
        }
        if !self.hint.is_empty() {
            ids.push(format!("{}-hint", self.id));
        }
        let mut attributes = String::new();
        if !ids.is_empty() {
            attributes += &format!(" aria-describedby=\"{}\"", ids.join(" "));
        }
        if !self.error.is_empty() {
            attributes += " aria-invalid=\"true\"";
        }
        attributes
    }
}

fn add_fields(fields: &mut Vec<FormField>, before: &str, schema: &Schema, is_change: bool) {
    for field in &schema.fields {
        let name = format!("{before}{}", field.name);
        if let Kind::Object(inner) = &field.kind {
            add_fields(fields, &format!("{name}."), inner, is_change);
            continue;
        }
        fields.push(FormField {
            // Several forms of a page may have fields of the same name.
            id: format!("{}-{}", schema.name, name.replace('.', "-")),
            label: field.label.map_or_else(|| label(field.name), str::to_owned),
            hint: field.description,
            required: field.required,
            sends_false: field.required || is_change,
            is_list: matches!(field.kind, Kind::List { .. }),
            control: control(field),
            takes_turns: false,
            colors: Vec::new(),
            element: field.kind.element().cloned(),
            group: String::new(),
            value: String::new(),
            error: String::new(),
            name,
        });
    }
}

fn control(field: &Field) -> Control {
    let input = |attributes: &str| Control::Input(attributes.to_owned());
    match &field.kind {
        Kind::Text { length } if field.name.to_ascii_lowercase().contains("email") => {
            Control::Input(format!(
                "type=\"email\" autocomplete=\"email\" maxlength=\"{}\"",
                length.end()
            ))
        }
        Kind::Text { length } if *length.end() > LINE_MAX => {
            Control::Lines(if *length.end() < usize::MAX { *length.end() } else { 0 })
        }
        Kind::Text { length } => {
            Control::Input(format!("type=\"text\" maxlength=\"{}\"", length.end()))
        }
        Kind::Id => input("type=\"text\" maxlength=\"128\" autocapitalize=\"off\""),
        Kind::Integer { range } => Control::Input(format!(
            "type=\"number\" inputmode=\"numeric\" step=\"1\" min=\"{}\" max=\"{}\"",
            range.start(),
            range.end()
        )),
        Kind::Number { range } => Control::Input(format!(
            "type=\"number\" inputmode=\"decimal\" step=\"any\" min=\"{}\" max=\"{}\"",
            range.start(),
            range.end()
        )),
        Kind::Flag => Control::Checkbox,
        Kind::Instant => input("type=\"datetime-local\" step=\"1\""),
        Kind::Day => input("type=\"date\""),
        Kind::File => Control::File("image/*"),
        Kind::Word(words) => {
            // A single word in capitals, such as `1B`, is an abbreviation.
            let is_short =
                |word: &str| !word.contains(|one: char| one == '_' || one.is_lowercase());
            let text = |word: &str| if is_short(word) { word.to_owned() } else { label(word) };
            let options = words.iter().map(|word| ((*word).to_owned(), text(word)));
            Control::Select(options.collect())
        }
        Kind::List { .. } | Kind::Object(_) | Kind::Map(_) | Kind::OneOf(_) | Kind::Anything => {
            Control::Lines(0)
        }
    }
}

/// Returns a name as people read it: `teamName` and `HIT_BY_PITCH` become `Team name` and `Hit by
/// pitch`.
fn label(name: &str) -> String {
    let is_word = name.chars().all(|character| !character.is_ascii_lowercase());
    let mut label = String::new();
    for character in name.chars() {
        match character {
            '_' | '-' => label.push(' '),
            upper if upper.is_ascii_uppercase() && !is_word && !label.is_empty() => {
                label.push(' ');
                label.push(upper.to_ascii_lowercase());
            }
            other if label.is_empty() => label.push(other.to_ascii_uppercase()),
            other => label.push(other.to_ascii_lowercase()),
        }
    }
    match label.strip_suffix(" id") {
        Some(rest) => rest.to_owned(),
        None => label,
    }
}

#[cfg(test)]
mod tests {
    use super::label;

    #[test]
    fn names_are_read_as_words() {
        for (name, expected) in [
            ("teamName", "Team name"),
            ("HIT_BY_PITCH", "Hit by pitch"),
            ("email", "Email"),
            ("batterId", "Batter"),
            ("in-progress", "In progress"),
        ] {
            assert_eq!(label(name), expected);
        }
    }
}
