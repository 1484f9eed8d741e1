//! How a request finds what answers it.

use super::completion::{CompletionReference, CompletionRequest};
use super::tasks::Reply;
use super::texts::Texts;
use super::{Kind, Server, parse};
use crate::context::{Context, Extras};
use mcp_wire_core::message::{ErrorObject, Json, Request, members};
use serde::Deserialize;
use std::borrow::Cow;
use std::ops::Range;

/// What `resources/read` is called with.
#[derive(Deserialize)]
struct ReadResource<'a> {
    #[serde(borrow)]
    uri: Cow<'a, str>,
}

/// What `prompts/get` is called with.
#[derive(Deserialize)]
struct GetPrompt<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    arguments: Option<Texts>,
}

impl<K: Kind> Server<K> {
    /// Answers a request, or begins to. A method that was added by hand goes before one of ours.
    pub(crate) fn answer(&self, context: &Context, request: Request) -> Reply<K::Future> {
        if let Some(method) = self.methods.get(request.method()) {
            let context = with_extras(context, request.params().unwrap_or("{}"));
            return method(context, request);
        }
        let reply = match request.method() {
            "tools/call" if !self.tools.is_empty() => {
                self.call_tool(context, request.into_params())
            }
            _ => self.answer_itself(context, &request),
        };
        reply.unwrap_or_else(|error| Reply::Now(Err(error)))
    }

    fn answer_itself(
        &self,
        context: &Context,
        request: &Request,
    ) -> Result<Reply<K::Future>, ErrorObject> {
        let params = request.params().unwrap_or("{}");
        let list = match request.method() {
            "resources/read" if !self.resources.is_empty() => {
                let ReadResource { uri } = parse(params)?;
                return Ok(self.resources.read(with_extras(context, params), &uri));
            }
            "prompts/get" if !self.prompts.is_empty() => return self.get_prompt(context, params),
            "completion/complete" if self.completion.is_some() => {
                return self.complete(context, params);
            }
            "tools/list" if !self.tools.is_empty() => self.tools.list(params),
            "prompts/list" if !self.prompts.is_empty() => self.prompts.list(params),
            "resources/list" if !self.resources.is_empty() => self.resources.fixed.list(params),
            "resources/templates/list" if !self.resources.is_empty() => {
                self.resources.templates.list(params)
            }
            _ => Err(ErrorObject::method_not_found()),
        };
        Ok(Reply::Now(list))
    }

    /// This is what servers do all day: the members are looked up where they lie, and nothing is copied.
    fn call_tool(&self, context: &Context, params: Json) -> Result<Reply<K::Future>, ErrorObject> {
        let names = ["name", "arguments", "_meta", "inputResponses", "requestState"];
        let Some(found) = members(params.as_str(), names) else {
            return Err(ErrorObject::invalid_params("the params repeat a member"));
        };
        let text = params.as_str();
        let value = |range: &Option<Range<usize>>| {
            range.clone().map(|range| &text[range]).filter(|value| *value != "null")
        };
        let [name, arguments, meta, responses, state] = &found;
        let name =
            value(name).ok_or_else(|| ErrorObject::invalid_params("missing field `name`"))?;
        let name = string(name)?;
        let Some((_, handler)) = self.tools.find(&name) else {
            let error = format!("there is no tool {name:?}: tools/list names them");
            return Err(ErrorObject::invalid_params(error));
        };
        let extras = Extras {
            meta: value(meta).map(parse).transpose()?,
            input_responses: value(responses).map(|it| Json::trusted(it.to_owned())),
            request_state: value(state).map(parse).transpose()?,
        };
        let arguments = value(arguments).and(arguments.clone());
        let arguments = arguments.and_then(|range| params.part(range));
        let context = context.clone().with_extras(extras);
        Ok(handler(context, arguments.unwrap_or_else(Json::empty_object)))
    }

    fn get_prompt(&self, context: &Context, params: &str) -> Result<Reply<K::Future>, ErrorObject> {
        let GetPrompt { name, arguments } = parse(params)?;
        let (prompt, source) = self.prompts.find(&name).ok_or_else(|| no_prompt(&name))?;
        let arguments = arguments.unwrap_or_default();
        for argument in prompt.arguments.iter().filter(|argument| argument.required) {
            if !arguments.contains(&argument.name) {
                let error = format!("the argument {:?} is missing", argument.name);
                return Err(ErrorObject::invalid_params(error));
            }
        }
        Ok(source.answer(with_extras(context, params), &name, arguments))
    }

    fn complete(&self, context: &Context, params: &str) -> Result<Reply<K::Future>, ErrorObject> {
        let handler = self.completion.as_ref().ok_or_else(ErrorObject::method_not_found)?;
        let request: CompletionRequest = parse(params)?;
        if let CompletionReference::Prompt { name } = &request.reference
            && self.prompts.find(name).is_none()
            && !self.methods.contains_key("prompts/get")
        {
            return Err(no_prompt(name));
        }
        Ok(handler(with_extras(context, params), request))
    }
}

/// The value of a JSON string.
fn string(json: &str) -> Result<Cow<'_, str>, ErrorObject> {
    match json.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(plain) if !plain.bytes().any(|byte| byte == b'\\') => Ok(plain.into()),
        _ => parse::<String>(json).map(Cow::Owned),
    }
}

/// The context, with what the params hold besides what is the method's.
fn with_extras(context: &Context, params: &str) -> Context {
    context.clone().with_extras(serde_json::from_str(params).unwrap_or_default())
}

fn no_prompt(name: &str) -> ErrorObject {
    ErrorObject::invalid_params(format!("there is no prompt {name:?}: prompts/list names them"))
}
