//! mcp-wire-tokio
