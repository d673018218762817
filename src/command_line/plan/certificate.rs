//! Certificates of paths as files: `plan --certificate` writes one, `plan verify` checks it again.

use super::failure::PlanFailure;
use crate::math::Vec3;
use crate::plan::{ApartPart, PairCertificate, PathCertificate, SegmentCertificate, SurfaceName};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Largest file, in bytes; that of a path of the Panda among hulls has some hundred thousand.
const MAX_BYTES: u64 = 1 << 30;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CertificateFile {
    surfaces: Vec<SurfaceEntry>,
    segments: Vec<SegmentEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SurfaceEntry {
    body: String,
    part: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentEntry {
    from: Vec<f64>,
    to: Vec<f64>,
    pairs: Vec<PairEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairEntry {
    surfaces: [u32; 2],
    clearance: f64,
    parts: Vec<PartEntry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PartEntry {
    start: f64,
    end: f64,
    normal: [f64; 3],
}

/// A certificate of straight segments as JSON.
pub(super) fn text(certificate: &PathCertificate) -> String {
    let part = |part: &ApartPart| {
        let ApartPart { start, end, normal_w } = *part;
        PartEntry { start, end, normal: normal_w.into() }
    };
    let pair = |pair: &PairCertificate| {
        let PairCertificate { surfaces, clearance, parts } = pair;
        let parts = parts.iter().map(part).collect();
        PairEntry { surfaces: *surfaces, clearance: *clearance, parts }
    };
    let segment = |segment: &SegmentCertificate| {
        let SegmentCertificate { from, corner, to, pairs } = segment;
        assert!(corner.is_none(), "the edges of a path are straight");
        let pairs = pairs.iter().map(pair).collect();
        SegmentEntry { from: from.clone(), to: to.clone(), pairs }
    };
    let surface = |SurfaceName { body, part }: &SurfaceName| {
        let body = body.clone();
        SurfaceEntry { body, part: *part }
    };
    let file = CertificateFile {
        surfaces: certificate.surfaces.iter().map(surface).collect(),
        segments: certificate.segments.iter().map(segment).collect(),
    };
    serde_json::to_string(&file).expect("names and numbers can be written") + "\n"
}

/// Reads a certificate.
pub(super) fn read(path: &Path) -> Result<PathCertificate, PlanFailure> {
    let refused = |reason: String| PlanFailure::File { path: path.to_owned(), reason };
    let size = std::fs::metadata(path).map_err(|error| refused(error.to_string()))?.len();
    if size > MAX_BYTES {
        return Err(refused(format!("has {size} bytes, must have at most {MAX_BYTES}")));
    }
    let text = std::fs::read_to_string(path).map_err(|error| refused(error.to_string()))?;
    let file: CertificateFile =
        serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
    let part = |PartEntry { start, end, normal }| {
        let normal_w = Vec3::from(normal);
        ApartPart { start, end, normal_w }
    };
    let pair = |PairEntry { surfaces, clearance, parts }| {
        let parts = parts.into_iter().map(part).collect();
        PairCertificate { surfaces, clearance, parts }
    };
    let segment = |SegmentEntry { from, to, pairs }| {
        let pairs = pairs.into_iter().map(pair).collect();
        SegmentCertificate { from, corner: None, to, pairs }
    };
    let surface = |SurfaceEntry { body, part }| SurfaceName { body, part };
    Ok(PathCertificate {
        surfaces: file.surfaces.into_iter().map(surface).collect(),
        segments: file.segments.into_iter().map(segment).collect(),
    })
}

/// The waypoints that the segments go from and to.
pub(super) fn waypoints(certificate: &PathCertificate) -> Vec<Vec<f64>> {
    let first = certificate.segments.first().map(|segment| segment.from.clone());
    let others = certificate.segments.iter().map(|segment| segment.to.clone());
    first.into_iter().chain(others).collect()
}
