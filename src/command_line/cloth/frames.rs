//! A cloth as a folder of OBJ files.

use super::failure::ClothFailure;
use crate::command_line::atomic_file::{self, WriteFailure};
use crate::dynamics::{Cloth, ClothBody};
use crate::geometry::tessellate_with_vertex_count;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Vertices of the mesh of a body.
const BODY_VERTICES: usize = 400;

/// A folder that grows by a file for each frame.
pub(crate) struct Frames {
    folder: PathBuf,
    count: usize,
}

impl Frames {
    /// Makes the folder and writes the bodies.
    pub fn create(folder: &Path, bodies: &[ClothBody]) -> Result<Self, ClothFailure> {
        fs::create_dir(folder)
            .map_err(|error| WriteFailure::Io { path: folder.to_owned(), error })?;
        let frames = Self { folder: folder.to_owned(), count: 0 };
        frames.write("bodies.obj", &bodies_text(bodies))?;
        Ok(frames)
    }

    /// Adds a frame.
    pub fn add(&mut self, cloth: &Cloth) -> Result<(), ClothFailure> {
        self.write(&format!("cloth_{:05}.obj", self.count), &cloth_text(cloth))?;
        self.count += 1;
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> Result<(), ClothFailure> {
        let path = self.folder.join(name);
        Ok(atomic_file::write(&path, text.as_bytes(), false)?)
    }
}

/// Writing to a string cannot fail.
const FITS: &str = "a string takes every text";

fn cloth_text(cloth: &Cloth) -> String {
    let mut text = String::from("o cloth\n");
    for p in cloth.positions() {
        writeln!(text, "v {:.6} {:.6} {:.6}", p.x, p.y, p.z).expect(FITS);
    }
    let (rows, columns) = (cloth.sheet().rows, cloth.sheet().columns);
    for (row, column) in (1..rows).flat_map(|i| (1..columns).map(move |j| (i - 1, j - 1))) {
        let first = row * columns + column + 1;
        let below = first + columns;
        writeln!(text, "f {first} {below} {}", below + 1).expect(FITS);
        writeln!(text, "f {first} {} {}", below + 1, first + 1).expect(FITS);
    }
    text
}

fn bodies_text(bodies: &[ClothBody]) -> String {
    let (mut text, mut first) = (String::new(), 1);
    for body in bodies {
        let mesh = tessellate_with_vertex_count(&body.shape, BODY_VERTICES);
        writeln!(text, "o {}", body.name).expect(FITS);
        for vertex in &mesh.vertices {
            let p = body.pose.rotation * vertex + body.pose.translation.vector;
            writeln!(text, "v {:.6} {:.6} {:.6}", p.x, p.y, p.z).expect(FITS);
        }
        for [a, b, c] in &mesh.triangles {
            writeln!(text, "f {} {} {}", first + a, first + b, first + c).expect(FITS);
        }
        first += mesh.vertices.len() as u32;
    }
    text
}
