//! The report of a fit, as the page shows it.

use serde::Serialize;
use smooth_scene_fit::{LinkFit, Measures};

/// Surfaces and measures of all links that were fitted.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FitReport {
    links: Vec<Row>,
    total: Row,
    /// Links that keep their surfaces, and why.
    skipped: Vec<Skipped>,
}

/// What is reported about a link, or about all. Lengths in m.
#[derive(Debug, Clone, Serialize)]
struct Row {
    link: String,
    surfaces: usize,
    triangles: usize,
    /// Share of the mesh that is proven to lie inside the surfaces.
    covered: f64,
    mean_outward: f64,
    max_outward: f64,
    /// None when the mesh is not closed.
    volume_over_mesh: Option<f64>,
    /// None when the mesh is flat.
    volume_over_hull: Option<f64>,
    seconds: f64,
}

#[derive(Debug, Clone, Serialize)]
struct Skipped {
    link: String,
    reason: String,
}

impl FitReport {
    /// `seconds` is the time of everything.
    pub fn new(fits: &[LinkFit], skipped: Vec<(String, String)>, seconds: f64) -> Self {
        let count = |fit: &LinkFit| (fit.surfaces.len(), fit.triangles.len());
        let links: Vec<Row> =
            fits.iter().map(|fit| Row::new(fit.name.clone(), count(fit), &fit.measures)).collect();
        let add = |(a, b): (usize, usize), (c, d): (usize, usize)| (a + c, b + d);
        let counts = fits.iter().map(count).fold((0, 0), add);
        let all = Measures::total(fits.iter().map(|fit| &fit.measures));
        let total = Row { seconds, ..Row::new("total".into(), counts, &all) };
        let skipped = skipped.into_iter().map(|(link, reason)| Skipped { link, reason }).collect();
        Self { links, total, skipped }
    }
}

impl Row {
    fn new(link: String, (surfaces, triangles): (usize, usize), measures: &Measures) -> Self {
        Self {
            link,
            surfaces,
            triangles,
            // A fit without proof does not exist.
            covered: 1.0,
            mean_outward: measures.outward.mean,
            max_outward: measures.outward.largest,
            volume_over_mesh: measures.volume_over_mesh(),
            volume_over_hull: measures.volume_over_hull(),
            seconds: measures.seconds,
        }
    }
}
