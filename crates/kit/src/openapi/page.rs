//! The document for people: one page of HTML without scripts, by chapter. Every text is escaped, and what
//! is between backticks is code.

use std::fmt::{self, Write};

use http::Method;

use super::refusals;
use crate::route::{Access, Answered, Route, Service};
use crate::schema::{Field, Kind, Schema};

/// The style of the page, which is a file of its own so that the page can forbid all others.
pub(crate) const STYLE: &str = include_str!("docs.css");

/// A text as HTML shows it.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => formatter.write_str("&amp;")?,
                '<' => formatter.write_str("&lt;")?,
                '>' => formatter.write_str("&gt;")?,
                '"' => formatter.write_str("&quot;")?,
                '\'' => formatter.write_str("&#39;")?,
                character => formatter.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// A text whose parts between backticks are code.
struct Marked<'a>(&'a str);

impl fmt::Display for Marked<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        // A last backtick without another one is a backtick.
        let mut rest = self.0;
        while let Some((before, code, after)) = rest.split_once('`').and_then(|(before, rest)| {
            rest.split_once('`').map(|(code, after)| (before, code, after))
        }) {
            write!(formatter, "{}<code>{}</code>", Text(before), Text(code))?;
            rest = after;
        }
        Text(rest).fmt(formatter)
    }
}

/// The page of a service.
pub(crate) fn page(service: &Service) -> String {
    let mut html = String::new();
    // Writing to a text does not fail.
    let _ = write_page(&mut html, service);
    html
}

fn write_page(html: &mut String, service: &Service) -> fmt::Result {
    let title = Text(service.title);
    write!(
        html,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <link rel=\"stylesheet\" href=\"docs.css\">\n</head>\n<body>\n<h1>{title}</h1>\n\
         <p>{}</p>\n<p>{}</p>\n<p><a href=\"openapi.json\">OpenAPI 3.1</a></p>\n",
        Marked(service.description),
        Marked(super::CONVENTIONS),
    )?;
    write_authentication(html, service)?;
    let routes = service.documented();
    html.push_str("<nav>");
    for chapter in super::chapters(&routes) {
        write!(html, "<a href=\"#{}\">{}</a> ", anchor(chapter), Text(chapter))?;
    }
    html.push_str("</nav>\n");
    for chapter in super::chapters(&routes) {
        writeln!(html, "<h2 id=\"{}\">{}</h2>", anchor(chapter), Text(chapter))?;
        for route in routes.iter().filter(|route| route.chapter == chapter) {
            write_route(html, service, route)?;
        }
    }
    html.push_str("</body>\n</html>\n");
    Ok(())
}

/// How to send a token, and which there are.
fn write_authentication(html: &mut String, service: &Service) -> fmt::Result {
    let route = service.routes.iter().find(|route| {
        route.method == Method::GET && route.access == Access::SignedIn && !route.path.contains('{')
    });
    let path = route.map_or("/health", |route| route.path);
    write!(
        html,
        "<h2 id=\"authentication\">Authentication</h2>\n<p>{}</p>\n\
         <pre>curl -H \"Authorization: Bearer $TOKEN\" $SERVER/{}{}</pre>\n<table>\n",
        Marked(super::AUTHENTICATION),
        Text(service.name),
        Text(path),
    )?;
    for token in &service.tokens {
        let (name, format) = (Text(token.name), Text(token.format));
        writeln!(
            html,
            "<tr><td><code>{name}</code></td><td>{format}</td><td>{}</td></tr>",
            Marked(token.about)
        )?;
    }
    html.push_str("</table>\n");
    Ok(())
}

/// A chapter's name in an address.
fn anchor(chapter: &str) -> String {
    let dashed = |character: char| if character.is_ascii_alphanumeric() { character } else { '-' };
    chapter.chars().map(dashed).collect::<String>().to_ascii_lowercase()
}

fn write_route(html: &mut String, service: &Service, route: &Route) -> fmt::Result {
    let method = route.method.as_str();
    writeln!(
        html,
        "<details id=\"{}\">\n<summary><b class=\"{}\">{method}</b> <code>/{}{}</code> {}</summary>",
        Text(route.operation),
        method.to_ascii_lowercase(),
        Text(service.name),
        Text(route.path),
        Marked(route.summary),
    )?;
    let mut told = Vec::new();
    if route.access == Access::Public {
        told.push("No token needed.");
    }
    if !route.is_for_browsers {
        told.push("Not for browsers.");
    }
    if route.needs_idempotency_key {
        told.push("Needs an Idempotency-Key.");
    } else if route.takes_idempotency_key {
        told.push("Takes an Idempotency-Key.");
    }
    if route.takes_if_match {
        told.push("Takes If-Match.");
    }
    if !told.is_empty() {
        writeln!(html, "<p>{}</p>", told.join(" "))?;
    }
    write_fields(html, "Query", &route.query)?;
    if let Some(body) = &route.body {
        let optional = if route.body_optional { "Body (optional)" } else { "Body" };
        write_fields(html, optional, body)?;
    }
    html.push_str("<h3>Responses</h3>\n<table>\n");
    for Answered { status, meaning, example, .. } in &route.answers {
        write!(html, "<tr><td>{status}</td><td>{}", Marked(meaning))?;
        if let Some(example) = example {
            let text = serde_json::to_string_pretty(example).unwrap_or_default();
            write!(html, "<pre>{}</pre>", Text(&text))?;
        }
        html.push_str("</td></tr>\n");
    }
    for (status, refusals) in refusals::refusals(service, route) {
        let codes = refusals.into_keys().collect::<Vec<_>>().join(", ");
        writeln!(html, "<tr><td>{status}</td><td><code>{}</code></td></tr>", Text(&codes))?;
    }
    html.push_str("</table>\n</details>\n");
    Ok(())
}

fn write_fields(html: &mut String, heading: &str, schema: &Schema) -> fmt::Result {
    if schema.fields.is_empty() {
        return Ok(());
    }
    writeln!(html, "<h3>{heading}</h3>\n<table>")?;
    write_rows(html, "", schema)?;
    html.push_str("</table>\n");
    Ok(())
}

/// A row for each field, and those of the objects in it behind their names.
fn write_rows(html: &mut String, before: &str, schema: &Schema) -> fmt::Result {
    for field in &schema.fields {
        let name = format!("{before}{}", field.name);
        let required = if field.required { " <em>required</em>" } else { "" };
        writeln!(
            html,
            "<tr><td><code>{}</code>{required}</td><td>{}</td><td>{}</td></tr>",
            Text(&name),
            Text(&told(field)),
            Marked(field.description),
        )?;
        match &field.kind {
            Kind::Object(inner) => write_rows(html, &format!("{name}."), inner)?,
            Kind::List { of, .. } => {
                if let Kind::Object(inner) = &**of {
                    write_rows(html, &format!("{name}[]."), inner)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn told(field: &Field) -> String {
    let mut told = field.kind.bounded();
    if field.nullable {
        told.push_str(", or null");
    }
    if !field.aliases.is_empty() {
        told.push_str(&format!("; also taken as {}", field.aliases.join(", ")));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_is_html() {
        let text = "<script>alert(\"a\" & 'b')</script>";
        let shown = "&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;";
        assert_eq!(Text(text).to_string(), shown);
        let marked = Marked("a `<b>` c `d").to_string();
        assert_eq!(marked, "a <code>&lt;b&gt;</code> c `d");
        assert_eq!(anchor("At-bats & \"runs\""), "at-bats----runs-");
    }
}
