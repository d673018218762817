//! Figure 6.1 of the thesis: what a frame of a cloth over superellipsoids costs, by the number of bodies and of vertices.
//!
//! `cargo run --release -p smooth_scene_dynamics --example cloth_figure -- [FRAMES] [PLOT.svg]`
//! `cargo run --release -p smooth_scene_dynamics --example cloth_figure -- one VERTICES BODIES FRAMES` measures one case, both counts along a side,
//! for a profiler
//!
//! As in the thesis the bodies are in a square grid, all under the cloth, which falls on them. Once it lies (two seconds of its
//! time) so many frames of 1/60 s are measured, 300 if not said otherwise: CPU time of this thread, one core. Writes the plot
//! to docs/cloth_figure.svg unless another file is named.

use std::error::Error;

use cpu_time::ThreadTime;
use smooth_scene_dynamics::{Cloth, ClothOptions, ClothSheet, cloth_terrain};
use smooth_scene_geometry::math::Pose;
use smooth_scene_test_support::log_log_plot::{Plot, Series};
use smooth_scene_test_support::repository_file;

/// Vertices along a side; the thesis has 41.
const SIDES: [usize; 4] = [21, 41, 71, 100];
/// Bodies along a side of their grid.
const BODIES: [usize; 5] = [1, 3, 5, 7, 9];
const FRAME: f64 = 1.0 / 60.0;
const SETTLING: usize = 120;
const SIZE: f64 = 1.0;

/// Milliseconds a frame.
struct Cost {
    falling: f64,
    mean: f64,
    worst: f64,
    /// Planes of vertices and of triangles that are followed.
    planes: [usize; 2],
}

fn measured(vertices: usize, side: usize, frames: usize) -> Result<Cost, Box<dyn Error>> {
    let bodies = cloth_terrain(side, 0.9 * SIZE)?;
    let height = 0.8 * SIZE / side as f64 + 0.05;
    let pose = Pose::translation(0.0, 0.0, height);
    let sheet = ClothSheet { rows: vertices, columns: vertices, size: [SIZE; 2], pose };
    let mut cloth = Cloth::new(sheet, ClothOptions::default(), &bodies)?;
    let mut falling = 0.0f64;
    for _ in 0..SETTLING {
        falling = falling.max(timed(&mut cloth)?);
    }
    let times = (0..frames).map(|_| timed(&mut cloth)).collect::<Result<Vec<_>, _>>()?;
    let mean = times.iter().sum::<f64>() / frames as f64;
    let worst = times.iter().copied().fold(0.0, f64::max);
    Ok(Cost { falling, mean, worst, planes: cloth.followed() })
}

fn timed(cloth: &mut Cloth) -> Result<f64, Box<dyn Error>> {
    let start = ThreadTime::now();
    cloth.step(FRAME)?;
    Ok(1e3 * start.elapsed().as_secs_f64())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let words_all: Vec<String> = words.by_ref().collect();
    if let [word, numbers @ ..] = &words_all[..]
        && word == "one"
    {
        let [vertices, side, frames] = numbers else {
            return Err("one VERTICES BODIES FRAMES".into());
        };
        let Cost { falling, mean, worst, .. } =
            measured(vertices.parse()?, side.parse()?, frames.parse()?)?;
        println!("mean {mean:.2} ms, worst {worst:.2} ms, worst while it falls {falling:.2} ms");
        return Ok(());
    }
    let mut words = words_all.into_iter();
    let frames = words.next().map_or(Ok(300), |word| word.parse())?.max(1);
    let plot = words.next().map_or(repository_file("docs/cloth_figure.svg"), Into::into);
    println!(
        "| vertices | bodies | mean, ms | worst, ms | worst while it falls, ms | planes of vertices | of triangles |"
    );
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    let mut series = Vec::new();
    for vertices in SIDES {
        let mut points = Vec::new();
        for side in BODIES {
            let Cost { falling, mean, worst, planes } = measured(vertices, side, frames)?;
            let (all, bodies) = (vertices * vertices, side * side);
            println!(
                "| {all} | {bodies} | {mean:.2} | {worst:.2} | {falling:.2} | {} | {} |",
                planes[0], planes[1]
            );
            points.push([bodies as f64, mean]);
        }
        series.push(Series { name: format!("{vertices} × {vertices} vertices"), points });
    }
    // 60 frames a second, which the thesis reaches with 25 bodies, and 30, near which it is with 80.
    for (name, time) in [("60 frames a second", 1e3 / 60.0), ("30 frames a second", 1e3 / 30.0)] {
        series.push(Series { name: name.to_owned(), points: vec![[1.0, time], [81.0, time]] });
    }
    let title = "CPU time of a frame of a cloth, one core";
    Plot { title, x_label: "superellipsoids under the cloth", y_label: "ms", series: &series }
        .write(&plot);
    println!("\n{}", plot.display());
    Ok(())
}
