//! The report of a fit, as the page and the command line show it.

use serde::Serialize;
use smooth_scene_fit::{LinkFit, Measures};

/// Surfaces and measures of all links that were fitted.
#[derive(Debug, Clone, Serialize)]
pub(super) struct FitReport {
    links: Vec<FitRow>,
    total: FitRow,
    /// Links that keep their surfaces, and why.
    skipped: Vec<Skipped>,
}

/// What is reported about a link, or about all. Lengths in m.
#[derive(Debug, Clone, Serialize)]
pub struct FitRow {
    /// Name of the link, or `total`.
    pub name: String,
    /// Number of surfaces.
    pub surfaces: usize,
    /// Their kinds: of a link one for each, of all links each once.
    pub kinds: Vec<&'static str>,
    /// Triangles of the mesh.
    pub triangles: usize,
    /// Share of the mesh that is proven to lie inside the surfaces.
    pub covered: f64,
    /// Mean distance of the outer surface from the mesh, by area.
    pub mean_outward: f64,
    /// Largest distance of the outer surface from the mesh.
    pub max_outward: f64,
    /// None when the mesh is not closed.
    pub volume_over_mesh: Option<f64>,
    /// None when the mesh is flat.
    pub volume_over_hull: Option<f64>,
    /// Time, s.
    pub seconds: f64,
    /// Why the link keeps the hull of its mesh; none when it has surfaces.
    pub hull: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
struct Skipped {
    link: String,
    reason: String,
}

impl FitReport {
    /// `seconds` is the time of everything.
    pub fn new(fits: &[LinkFit], skipped: Vec<(String, String)>, seconds: f64) -> Self {
        let skipped = skipped.into_iter().map(|(link, reason)| Skipped { link, reason }).collect();
        let links = fits.iter().map(FitRow::of).collect();
        Self { links, total: FitRow::total(fits, seconds), skipped }
    }
}

impl FitRow {
    /// The row of a link.
    pub fn of(fit: &LinkFit) -> Self {
        let kinds = match fit.hull {
            Some(_) => vec!["hull"],
            None => fit.surfaces.iter().map(|surface| surface.shape.kind()).collect(),
        };
        let counts = (fit.surfaces.len(), fit.triangles.len());
        Self { hull: fit.hull.clone(), ..Self::new(&fit.name, kinds, counts, &fit.measures) }
    }

    /// The row of all links together; `seconds` is the time of everything.
    pub fn total(fits: &[LinkFit], seconds: f64) -> Self {
        let mut kinds: Vec<&'static str> =
            fits.iter().flat_map(|fit| Self::of(fit).kinds).collect();
        kinds.sort_unstable();
        kinds.dedup();
        let counts = fits.iter().fold((0, 0), |(surfaces, triangles), fit| {
            (surfaces + fit.surfaces.len(), triangles + fit.triangles.len())
        });
        let all = Measures::total(fits.iter().map(|fit| &fit.measures));
        Self { seconds, ..Self::new("total", kinds, counts, &all) }
    }

    fn new(
        name: &str,
        kinds: Vec<&'static str>,
        (surfaces, triangles): (usize, usize),
        measures: &Measures,
    ) -> Self {
        Self {
            name: name.to_owned(),
            surfaces,
            kinds,
            triangles,
            // A fit without proof does not exist.
            covered: 1.0,
            mean_outward: measures.outward.mean,
            max_outward: measures.outward.largest,
            volume_over_mesh: measures.volume_over_mesh(),
            volume_over_hull: measures.volume_over_hull(),
            seconds: measures.seconds,
            hull: None,
        }
    }
}
