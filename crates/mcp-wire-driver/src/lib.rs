//! mcp-wire-driver
