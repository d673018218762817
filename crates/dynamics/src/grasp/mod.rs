//! How well do contacts hold an object? Wrench spaces of friction cones, and what is known about them for certain.

pub(crate) mod batch;
pub(crate) mod closure;
pub(crate) mod contact_geometry;
pub(crate) mod gradient;
pub(crate) mod hull;
pub(crate) mod quality;
pub(crate) mod scene_contacts;
pub(crate) mod slopes;
pub(crate) mod wrenches;
