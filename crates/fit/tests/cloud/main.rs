//! Points become surfaces and scenes.

mod files;
