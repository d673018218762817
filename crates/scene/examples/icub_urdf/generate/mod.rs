//! The list of files, and the numbers they are made of.

pub mod fallback;
pub mod model;
pub mod sampled_pairs;
pub mod source;
pub mod srdf;
pub mod urdf;

use std::error::Error;
use std::path::Path;

use source::Source;

/// A file to be written.
pub struct File {
    /// Where, relative to the root of the repository.
    pub path: String,
    /// What is in it.
    pub text: String,
}

/// Which surfaces stand for the links.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Representation {
    Superellipsoid,
    Superovoid,
    /// Superovoids for fingertips and palms, superellipsoids for the rest.
    Mixed,
}

/// What carries the hands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Carrier {
    /// Three prismatic and three revolute joints each.
    SixJoints,
    /// Torso and arms.
    Arms,
}

/// Whether the joints that share a motor follow each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fingers {
    Independent,
    Coupled,
}

/// One URDF.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Variant {
    pub carrier: Carrier,
    pub representation: Representation,
    pub fingers: Fingers,
}

impl Carrier {
    pub fn stem(self) -> &'static str {
        match self {
            Carrier::SixJoints => "icub_hands",
            Carrier::Arms => "icub_arms_hands",
        }
    }
}

impl Representation {
    pub const ALL: [Representation; 3] =
        [Representation::Superellipsoid, Representation::Superovoid, Representation::Mixed];

    pub fn name(self) -> &'static str {
        match self {
            Representation::Superellipsoid => "superellipsoid",
            Representation::Superovoid => "superovoid",
            Representation::Mixed => "mixed",
        }
    }
}

impl Variant {
    /// All variants that are written: the coupled fingers for the mixed representation only.
    pub fn all() -> Vec<Variant> {
        let mut all = Vec::new();
        for carrier in [Carrier::SixJoints, Carrier::Arms] {
            for representation in Representation::ALL {
                all.push(Variant { carrier, representation, fingers: Fingers::Independent });
            }
            let representation = Representation::Mixed;
            all.push(Variant { carrier, representation, fingers: Fingers::Coupled });
        }
        all
    }

    pub fn path(self) -> String {
        let suffix = if self.fingers == Fingers::Coupled { "_coupled" } else { "" };
        format!("urdf/{}_{}{suffix}.urdf", self.carrier.stem(), self.representation.name())
    }
}

/// Everything this program writes.
pub fn all_files(root: &Path) -> Result<Vec<File>, Box<dyn Error>> {
    let source = Source::read(&root.join("urdf/source"))?;
    let mut files = Vec::new();
    for variant in Variant::all() {
        files.push(File { path: variant.path(), text: urdf::text(&source, variant)? });
    }
    let pairs = sampled_pairs::find(&source)?;
    for carrier in [Carrier::SixJoints, Carrier::Arms] {
        let path = format!("urdf/{}.srdf", carrier.stem());
        files.push(File { path, text: srdf::text(&source, carrier, &pairs) });
    }
    Ok(files)
}
