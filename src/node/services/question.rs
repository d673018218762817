//! Shared by the services that query states.

use crate::convert::Refusal;
use crate::convert::joints::Columns;
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

/// The positions of many states, one after the other: each has one number per joint name, other joints are where they are now.
pub(super) fn states_of(
    context: &Context<'_>,
    scene: &PlanningScene,
    joint_names: &[String],
    positions: &[f64],
) -> Result<Vec<f64>, Refusal> {
    let (joints, numbers) = (joint_names.len(), positions.len());
    if joints == 0 || numbers == 0 || numbers % joints != 0 {
        let reason = format!(
            "positions has {numbers} numbers for {joints} joint_names, must be a multiple, not zero"
        );
        return Err(Refusal::bad_request(reason));
    }
    let (count, limit) = (numbers / joints, context.limits.states);
    if count > limit {
        let reason = format!("{count} states, must be at most {limit}");
        return Err(Refusal::bad_request(reason));
    }
    let model = scene.model();
    let columns = Columns::new(model, joint_names)?;
    let current = context.joints.current(model, &columns, context.now, context.max_state_age)?;
    let mut flat = Vec::with_capacity(count.saturating_mul(current.len()));
    for (state, values) in positions.chunks_exact(joints).enumerate() {
        let start = flat.len();
        flat.extend_from_slice(&current);
        let put = columns.put(model, values, &mut flat[start..]);
        put.map_err(|why| why.within(format!("state {state}")))?;
    }
    Ok(flat)
}
