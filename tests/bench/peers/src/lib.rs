//! The same servers and clients on other SDKs, to be measured beside ours.

mod rmcp_echo;

pub use rmcp_echo::RmcpEcho;
