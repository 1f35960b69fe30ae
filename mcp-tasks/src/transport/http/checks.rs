//! What the headers of a request say beside its body, for the server's own checks.

use serde_json::value::RawValue;

use super::headers::RequestHeaders;
use super::mirrored;
use crate::model::error::RpcError;
use crate::model::tool::Mirrored;
use crate::server::Headers;
use crate::wire::Revision;
use crate::wire::envelope::Params;

impl Headers for RequestHeaders<'_> {
    /// A version that is not one of a session's; an unknown one is refused as a modern client expects.
    fn modern(&self) -> bool {
        self.revision() >= Some(Revision::V2026_07_28)
    }

    fn version(&self, in_body: Option<&str>) -> Result<(), RpcError> {
        self.check_version(in_body)
    }

    fn routing(&self, method: &str, params: &Params<'_>) -> Result<(), RpcError> {
        self.check_method(method)?;
        let name = match method {
            "tools/call" | "prompts/get" => params.tool_name(),
            "resources/read" => params.uri(),
            "tasks/get" | "tasks/update" | "tasks/cancel" => params.task_id(),
            _ => return Ok(()),
        };
        match name {
            // The extension obliges clients to send it and no server to insist on it; fastmcp 4.1 leaves it out.
            Ok(id) if method.starts_with("tasks/") => self.check_name_if_any(&id),
            Ok(name) => self.check_name(&name),
            // What is wrong with the parameters is said by whoever needs them.
            Err(_) => Ok(()),
        }
    }

    fn mirrored(
        &self,
        mirrored: &[Mirrored],
        arguments: Option<&RawValue>,
    ) -> Result<(), RpcError> {
        mirrored
            .iter()
            .try_for_each(|one| mirrored::check(self.all, one, arguments))
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;

    use super::*;

    #[test]
    fn what_a_request_names_must_be_in_its_header() {
        for (method, params) in [
            ("tools/call", r#"{"name":"x"}"#),
            ("prompts/get", r#"{"name":"x"}"#),
            ("resources/read", r#"{"uri":"x"}"#),
            ("tasks/get", r#"{"taskId":"x"}"#),
        ] {
            let params: Params<'_> = serde_json::from_str(params).expect("parameters");
            let check = |name: &str| {
                let pairs = [("mcp-method", method), ("mcp-name", name)];
                let sent: HeaderMap = pairs
                    .map(|(key, value)| {
                        (
                            key.parse().expect("a name"),
                            value.parse().expect("a value"),
                        )
                    })
                    .into_iter()
                    .collect();
                RequestHeaders::of(&sent).routing(method, &params)
            };
            assert!(check("x").is_ok(), "{method}");
            assert_eq!(check("y").unwrap_err().code, -32020, "{method}");
        }
    }
}
