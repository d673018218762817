//! Pickling a plan: its waypoints and its proof, so that another process can check it.

use pyo3::prelude::*;
use smooth_scene_geometry::math::Vec3;
use smooth_scene_plan::{
    ApartPart, Endpoint, NearAtEnd, PairCertificate, PathCertificate, PlanStatistics,
    SegmentCertificate, SurfaceName,
};

use crate::error::refused;
use crate::planning::Plan;

/// A part of a segment: beginning, end, direction.
type PartState = (f64, f64, [f64; 3]);
/// Surfaces, clearance, parts.
type PairState = ([u32; 2], f64, Vec<PartState>);
/// From, corner, to, pairs.
type SegmentState = (Vec<f64>, Option<Vec<f64>>, Vec<f64>, Vec<PairState>);
/// Names of surfaces, and segments.
type CertificateState = (Vec<(String, u32)>, Vec<SegmentState>);
/// At the start, bodies, distance, what is kept.
type NearState = (bool, String, String, f64, f64);
/// Iterations, states, proofs, refuted ones.
type StatisticsState = (u64, u64, u64, u64);
/// Waypoints, length, proof, bodies close at an end, statistics, clearance, seconds.
type PlanPickle = (Vec<Vec<f64>>, f64, CertificateState, Vec<NearState>, StatisticsState, f64, f64);

#[pymethods]
impl Plan {
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, PlanPickle)> {
        let Plan { inner, clearance, seconds } = slf.get();
        let surfaces = inner.certificate.surfaces.iter().map(|s| (s.body.clone(), s.part));
        let segments = inner.certificate.segments.iter().map(segment_state);
        let near = inner.near_ends.iter().map(|near| {
            let is_start = near.which == Endpoint::Start;
            (is_start, near.body_a.clone(), near.body_b.clone(), near.distance, near.kept)
        });
        let PlanStatistics { iterations, states, proofs, refuted } = inner.statistics;
        let state = (
            inner.waypoints.clone(),
            inner.length,
            (surfaces.collect(), segments.collect()),
            near.collect(),
            (iterations, states, proofs, refuted),
            *clearance,
            *seconds,
        );
        Ok((slf.get_type().getattr("_from_state")?, state))
    }

    #[staticmethod]
    fn _from_state(
        waypoints: Vec<Vec<f64>>,
        length: f64,
        certificate: CertificateState,
        near: Vec<NearState>,
        statistics: StatisticsState,
        clearance: f64,
        seconds: f64,
    ) -> PyResult<Self> {
        let width = waypoints.first().map_or(0, Vec::len);
        if waypoints.is_empty() || waypoints.iter().any(|waypoint| waypoint.len() != width) {
            return Err(refused("a pickled plan without waypoints, or with some of other sizes"));
        }
        let (surfaces, segments) = certificate;
        let (iterations, states, proofs, refuted) = statistics;
        let surfaces = surfaces.into_iter().map(|(body, part)| SurfaceName { body, part });
        let near = near.into_iter().map(|(is_start, body_a, body_b, distance, kept)| {
            let which = if is_start { Endpoint::Start } else { Endpoint::Goal };
            NearAtEnd { which, body_a, body_b, distance, kept }
        });
        let inner = smooth_scene_plan::Plan {
            waypoints,
            length,
            certificate: PathCertificate {
                surfaces: surfaces.collect(),
                segments: segments.into_iter().map(segment_of).collect(),
            },
            near_ends: near.collect(),
            statistics: PlanStatistics { iterations, states, proofs, refuted },
        };
        Ok(Self { inner, clearance, seconds })
    }
}

fn segment_state(segment: &SegmentCertificate) -> SegmentState {
    let part = |part: &ApartPart| (part.start, part.end, part.normal_w.into());
    let pair = |pair: &PairCertificate| {
        (pair.surfaces, pair.clearance, pair.parts.iter().map(part).collect())
    };
    let pairs = segment.pairs.iter().map(pair).collect();
    (segment.from.clone(), segment.corner.clone(), segment.to.clone(), pairs)
}

fn segment_of((from, corner, to, pairs): SegmentState) -> SegmentCertificate {
    let part =
        |(start, end, normal): PartState| ApartPart { start, end, normal_w: Vec3::from(normal) };
    let pair = |(surfaces, clearance, parts): PairState| PairCertificate {
        surfaces,
        clearance,
        parts: parts.into_iter().map(part).collect(),
    };
    SegmentCertificate { from, corner, to, pairs: pairs.into_iter().map(pair).collect() }
}
