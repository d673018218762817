//! What callers use: entry points, options, results, points, batches and derivatives.

pub(crate) mod batch;
pub(crate) mod distance;
pub(crate) mod half_space;
pub(crate) mod options;
pub(crate) mod pair_query;
pub(crate) mod point;
pub(crate) mod result;
pub(crate) mod second_order;
pub(crate) mod separate;
pub(crate) mod solids;
pub(crate) mod vertex_set;
