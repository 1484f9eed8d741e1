//! mcp-wire-stdio
