//! everything
