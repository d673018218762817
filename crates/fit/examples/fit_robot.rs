//! Fits surfaces to a robot and prints how tight they are.
//!
//! ```text
//! cargo run --release -p smooth_scene_fit --example fit_robot -- robot.urdf 33
//! ```

use std::error::Error;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use smooth_scene_fit::{FitOptions, LinkMeshes, fit_links};
use smooth_scene_robot::{GeometryBody, GeometrySource, LoadOptions, link_geometry};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: fit_robot FILE.urdf [SURFACES]";
    let file = arguments.next().ok_or(usage)?;
    let surfaces = arguments.next().map(|text| text.parse()).transpose()?;
    let text = std::fs::read_to_string(&file)?;
    let folder = Path::new(&file).parent();
    let options = LoadOptions::default();
    let bodies =
        link_geometry(&text, &file, folder, GeometrySource::Collision, &options, |_| true)?;
    let links: Vec<LinkMeshes> = bodies
        .into_iter()
        .filter_map(|body| match body.body {
            GeometryBody::Mesh { triangles, .. } => {
                Some(LinkMeshes { name: body.link, pose_in_link: body.pose_in_link, triangles })
            }
            GeometryBody::Shape(_) => None,
        })
        .collect();
    let begin = std::time::Instant::now();
    let options = FitOptions { surfaces, ..FitOptions::default() };
    let fits = fit_links(&links, &options, &|_, _| {}, &AtomicBool::new(false))?;
    let (mut area, mut sum, mut volume, mut hull, mut count) = (0.0, 0.0, 0.0, 0.0, 0);
    for fit in &fits {
        let m = &fit.measures;
        let kinds: Vec<&str> = fit.surfaces.iter().map(|s| s.shape.kind()).collect();
        println!(
            "{:24} {:2} surfaces, mean {:4.1} mm, largest {:5.1} mm, volume over hull {:.3}, {:.1} s, {}",
            fit.name,
            fit.surfaces.len(),
            1e3 * m.outward.mean,
            1e3 * m.outward.largest,
            m.volume / m.hull_volume,
            m.seconds,
            kinds.join(" ")
        );
        area += m.outward.area;
        sum += m.outward.area * m.outward.mean;
        volume += m.volume;
        hull += m.hull_volume;
        count += fit.surfaces.len();
    }
    println!(
        "{count} surfaces contain all triangles: mean outward distance {:.2} mm, volume over hull {:.3}, {:.1} s",
        1e3 * sum / area,
        volume / hull,
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}
