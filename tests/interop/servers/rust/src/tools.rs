//! Tools that need nobody else.

use std::fmt::Display;
use std::sync::PoisonError;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    ErrorData, LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam,
};
use rmcp::service::RequestContext;
use rmcp::{tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::sleep;

use crate::Peer;

#[derive(Deserialize, JsonSchema)]
struct Echo {
    message: String,
}

#[derive(Deserialize, JsonSchema)]
struct Slow {
    ms: u64,
    steps: u32,
}

#[derive(Deserialize, JsonSchema)]
struct Log {
    level: LoggingLevel,
    text: String,
}

#[tool_router(router = tools, vis = "pub(crate)")]
impl Peer {
    #[tool(description = "Gives the message back")]
    async fn echo(&self, Parameters(echo): Parameters<Echo>) -> String {
        echo.message
    }

    #[tool(description = "Takes its time, and tells its progress")]
    async fn slow(
        &self,
        Parameters(Slow { ms, steps }): Parameters<Slow>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        let token = context.meta.get_progress_token();
        for step in 1..=steps {
            tokio::select! {
                () = sleep(Duration::from_millis(ms) / steps) => {}
                () = context.ct.cancelled() => {
                    return Err(ErrorData::internal_error("the call is cancelled", None));
                }
            }
            if let Some(token) = &token {
                let progress = ProgressNotificationParam::new(token.clone(), step.into());
                let told = context.peer.notify_progress(progress.with_total(steps.into())).await;
                told.map_err(internal_error)?;
            }
        }
        Ok(format!("took {ms} ms"))
    }

    #[tool(description = "Logs a text")]
    async fn log(
        &self,
        Parameters(Log { level, text }): Parameters<Log>,
        context: RequestContext<RoleServer>,
    ) -> Result<String, ErrorData> {
        let lowest = if crate::is_modern(&context) {
            context.meta.log_level()
        } else {
            Some(*self.log_level.lock().unwrap_or_else(PoisonError::into_inner))
        };
        if lowest.is_some_and(|lowest| severity(level) >= severity(lowest)) {
            let line = LoggingMessageNotificationParam::new(level, text.into());
            let logged = context.peer.notify_logging_message(line.with_logger("interop")).await;
            logged.map_err(internal_error)?;
        }
        Ok("logged".to_owned())
    }
}

pub(crate) fn internal_error(error: impl Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn severity(level: LoggingLevel) -> u8 {
    match level {
        LoggingLevel::Debug => 0,
        LoggingLevel::Info => 1,
        LoggingLevel::Notice => 2,
        LoggingLevel::Warning => 3,
        LoggingLevel::Error => 4,
        LoggingLevel::Critical => 5,
        LoggingLevel::Alert => 6,
        LoggingLevel::Emergency => 7,
    }
}
