//! Shared by the services that query states.

use crate::convert::Refusal;
use crate::node::Context;
use crate::query::{DepthMode, QueryOptions};
use crate::scene::{Between, CheckRequest, PlanningScene};

/// Which pairs to check: one of A and one of B, links, objects or groups; an empty list means all.
pub(super) fn check_request(
    context: &Context<'_>,
    scene: &PlanningScene,
    bodies_a: &[String],
    bodies_b: &[String],
) -> Result<CheckRequest, Refusal> {
    let side = |field: &str, names: &[String]| {
        let named = |error| Refusal::bad_request(format!("{field}: {error}"));
        scene.body_set(names).map_err(named)
    };
    let between = Between { a: side("bodies_a", bodies_a)?, b: side("bodies_b", bodies_b)? };
    Ok(CheckRequest { between, query: *context.query, ..CheckRequest::default() })
}

/// The tolerances of the node with proven depths.
pub(super) fn certified(query: &QueryOptions) -> QueryOptions {
    QueryOptions { depth_mode: DepthMode::Certified, ..*query }
}
