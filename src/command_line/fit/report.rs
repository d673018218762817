//! The report: a table, JSON, pictures.

use crate::command_line::table::{Table, short};
use crate::fit::LinkFit;
use crate::view::FitRow;
use serde::Serialize;

/// Everything that is reported.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub links: Vec<FitRow>,
    pub total: FitRow,
    /// Pairs of links that touch because of the surfaces only; `null` when no states were sampled.
    pub added_contacts: Option<Vec<AddedContact>>,
}

/// Two links that the meshes keep apart more often than the surfaces do.
#[derive(Debug, Serialize)]
pub(super) struct AddedContact {
    pub links: [String; 2],
    /// Random states in which the surfaces touch, and in which the convex hulls of the meshes do.
    pub states: usize,
    pub states_of_hulls: usize,
    pub samples: usize,
}

impl AddedContact {
    /// In how many states only the surfaces touch.
    pub fn added(&self) -> usize {
        self.states - self.states_of_hulls
    }

    /// Whether that is so often that the links should get more surfaces.
    pub fn is_frequent(&self) -> bool {
        100 * self.added() >= self.samples
    }
}

impl Report {
    /// `seconds` is the time of the whole run.
    pub fn new(fits: &[LinkFit], seconds: f64) -> Self {
        let links = fits.iter().map(FitRow::of).collect();
        let total = FitRow::total(fits, seconds);
        Self { links, total, added_contacts: None }
    }

    pub fn table(&self) -> Table {
        let headings = [
            "link",
            "kinds",
            "surfaces",
            "triangles",
            "covered",
            "mean mm",
            "largest mm",
            "volume / mesh",
            "volume / hull",
            "s",
        ];
        let mut table = Table::new(&headings, 2);
        for row in self.links.iter().chain([&self.total]) {
            let ratio =
                |value: Option<f64>| value.map_or("–".into(), |value| format!("{value:.2}"));
            table.row(vec![
                row.name.clone(),
                counted(&row.kinds),
                row.surfaces.to_string(),
                row.triangles.to_string(),
                format!("{} %", 100.0 * row.covered),
                short(1e3 * row.mean_outward),
                short(1e3 * row.max_outward),
                ratio(row.volume_over_mesh),
                ratio(row.volume_over_hull),
                short(row.seconds),
            ]);
        }
        table
    }

    /// The report as a document; pictures are named after the links.
    pub fn markdown(&self, title: &str) -> String {
        let mut text = format!(
            "# Surfaces for {title}\n\nEvery triangle is proven to lie inside the surfaces of its link. The outward distance is that of \
             points of the outer\nsurface from the mesh; the mean is by area.\n\n{}",
            self.table().markdown()
        );
        for row in &self.links {
            if let Some(reason) = &row.hull {
                text += &format!("\n`{}` keeps the convex hull of its mesh: {reason}.\n", row.name);
            }
        }
        if let Some(added) = &self.added_contacts {
            text += "\n## Contacts that the surfaces add\n\n";
            if added.is_empty() {
                text += "None: no pair of links touches in more of the random states than the convex hulls of the meshes do.\n";
            } else {
                let mut table =
                    Table::new(&["link", "link", "states", "states of the hulls", "of"], 2);
                for pair in added {
                    let [a, b] = &pair.links;
                    table.row(vec![
                        a.clone(),
                        b.clone(),
                        pair.states.to_string(),
                        pair.states_of_hulls.to_string(),
                        pair.samples.to_string(),
                    ]);
                }
                text += &table.markdown();
            }
        }
        text += "\n## Pictures\n\nThe mesh in grey, the outlines of the surfaces in colours, from two sides.\n";
        for row in &self.links {
            text +=
                &format!("\n### {}\n\n![{}]({})\n", row.name, row.name, picture_name(&row.name));
        }
        text
    }
}

/// The file of a link's picture: letters that a file name may not have become underscores.
pub(super) fn picture_name(link: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    format!("{}.svg", link.chars().map(safe).collect::<String>())
}

/// `superovoid ×2, capsule`
fn counted(kinds: &[&str]) -> String {
    let mut parts: Vec<(&str, usize)> = Vec::new();
    for kind in kinds {
        match parts.iter_mut().find(|(name, _)| name == kind) {
            Some((_, count)) => *count += 1,
            None => parts.push((kind, 1)),
        }
    }
    let text = |(name, count): (&str, usize)| match count {
        1 => name.to_owned(),
        _ => format!("{name} ×{count}"),
    };
    parts.into_iter().map(text).collect::<Vec<_>>().join(", ")
}
