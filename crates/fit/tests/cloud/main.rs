//! Points become surfaces and scenes.

mod files;
mod scenes;
