//! mcp-wire-core
