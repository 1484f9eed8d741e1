//! Templates for URIs: what RFC 6570 has as `{name}` and `{+name}`, read backwards, from a URI to the variables.

use super::texts::Texts;
use percent_encoding::percent_decode_str;

/// A template that URIs can be matched with.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct UriTemplate {
    /// The text before the first variable.
    start: String,
    variables: Vec<Variable>,
}

#[derive(Debug, PartialEq, Eq)]
struct Variable {
    name: String,
    /// Written as `{+name}`: it stands for reserved characters too.
    reserved: bool,
    /// The text up to the next variable, or the end.
    then: String,
}

impl UriTemplate {
    /// Reads a template, or says what is wrong with it.
    pub(super) fn parse(template: &str) -> Result<Self, &'static str> {
        let mut parts = template.split('{');
        let start = literal(parts.next().unwrap_or_default())?;
        let mut variables: Vec<Variable> = Vec::new();
        for part in parts {
            if variables.last().is_some_and(|variable| variable.then.is_empty()) {
                return Err("put some text between its variables");
            }
            let (expression, then) = part.split_once('}').ok_or("a { has no }")?;
            let (reserved, name) = match expression.strip_prefix('+') {
                Some(name) => (true, name),
                None => (false, expression),
            };
            let is_plain = |char: char| char.is_alphanumeric() || "_-.".contains(char);
            if name.is_empty() || !name.chars().all(is_plain) {
                return Err("only {name} and {+name} are understood");
            }
            if variables.iter().any(|variable| variable.name == name) {
                return Err("a variable comes twice");
            }
            variables.push(Variable { name: name.to_owned(), reserved, then: literal(then)? });
        }
        Ok(Self { start, variables })
    }

    /// The variables of a URI that fits, percent-decoded. It takes time linear in the URI's length: no variable gives
    /// back what it has taken.
    pub(super) fn variables(&self, uri: &str) -> Option<Texts> {
        let mut rest = uri.strip_prefix(&*self.start)?;
        let mut texts = Texts::default();
        for (index, variable) in self.variables.iter().enumerate() {
            let end = if index + 1 == self.variables.len() {
                rest.strip_suffix(&*variable.then)?.len()
            } else {
                variable.end(rest)?
            };
            let value = &rest[..end];
            if value.is_empty() || !variable.reserved && value.contains(['/', '?', '#']) {
                return None;
            }
            let decoded = percent_decode_str(value).decode_utf8().ok()?;
            texts.insert(&variable.name, decoded.into_owned());
            rest = &rest[end + variable.then.len()..];
        }
        rest.is_empty().then_some(texts)
    }
}

impl Variable {
    /// Where its value ends, if other variables follow.
    fn end(&self, rest: &str) -> Option<usize> {
        let first = rest.chars().next()?.len_utf8();
        let then = if self.reserved {
            rest[first..].rfind(&*self.then)
        } else {
            rest[first..].find(&*self.then)
        };
        then.map(|then| first + then)
    }
}

fn literal(text: &str) -> Result<String, &'static str> {
    if text.contains('}') { Err("a } has no {") } else { Ok(text.to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    /// The variables as `name=value`, in alphabetical order.
    fn matched(template: &str, uri: &str) -> Option<Vec<String>> {
        let template = UriTemplate::parse(template).expect("the template is understood");
        let texts: BTreeMap<String, String> =
            template.variables(uri)?.read().expect("they are texts");
        Some(texts.into_iter().map(|(name, text)| format!("{name}={text}")).collect())
    }

    fn expect(template: &str, uri: &str, expected: &[&str]) {
        let matched = matched(template, uri);
        assert_eq!(matched, Some(expected.iter().map(ToString::to_string).collect()), "{uri}");
    }

    #[test]
    fn uris_are_matched() {
        expect("a://b", "a://b", &[]);
        expect("number://{number}", "number://5", &["number=5"]);
        expect("a://{b}/c/{d}.txt", "a://x/c/y.txt.txt", &["b=x", "d=y.txt"]);
        expect("a:?q={q}&n={n}", "a:?q=x&n=1", &["n=1", "q=x"]);
        expect("file:///{+path}", "file:///a/b?c#d", &["path=a/b?c#d"]);
        expect("a://{owner}/{+path}", "a://x/y/z", &["owner=x", "path=y/z"]);
        expect("a://{+path}/{name}", "a://x/y/z", &["name=z", "path=x/y"]);
        expect("{all}", "\u{e4}", &["all=\u{e4}"]);
        expect("{a}-{b}", "--x", &["a=-", "b=x"]);
    }

    #[test]
    fn values_are_percent_decoded() {
        expect("a://{b}", "a://x%20y%2Fz%C3%A4", &["b=x y/z\u{e4}"]);
        expect("a://{+b}", "a://x%20y/z", &["b=x y/z"]);
        expect("a://{b}", "a://100%", &["b=100%"]);
        assert_eq!(matched("a://{b}", "a://%FF"), None, "no UTF-8");
    }

    #[test]
    fn what_does_not_fit_is_not_matched() {
        for (template, uri) in [
            ("a://b", "a://bc"),
            ("a://{b}", "a://"),
            ("a://{b}", "b://x"),
            ("a://{b}", "a://x/y"),
            ("a://{b}", "a://x?y"),
            ("a://{b}", "a://x#y"),
            ("a://{+b}", "a://"),
            ("a://{b}.txt", "a://.txt"),
            ("a://{b}/{c}", "a://x"),
            ("a://{b}/{c}", "a://x/y/z"),
        ] {
            assert_eq!(matched(template, uri), None, "{template} {uri}");
        }
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for template in [
            "{", "}", "a}{b}", "{a", "{}", "{+}", "{?a}", "{a,b}", "{a*}", "{a}{b}", "{a}/{a}",
            "{{a}}",
        ] {
            assert!(UriTemplate::parse(template).is_err(), "{template}");
        }
    }
}
