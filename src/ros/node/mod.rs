//! The scene node.
