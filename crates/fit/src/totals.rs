//! Measures of several links as one, and the ratios that reports show.

use crate::link_fit::Measures;
use crate::measure::Outward;

impl Measures {
    /// The measures of several links together: areas and volumes add up, the mean is by area.
    pub fn total<'a>(all: impl IntoIterator<Item = &'a Measures>) -> Measures {
        let zero = Measures {
            outward: Outward { area: 0.0, mean: 0.0, largest: 0.0 },
            volume: 0.0,
            mesh_volume: Some(0.0),
            hull_volume: 0.0,
            seconds: 0.0,
        };
        all.into_iter().fold(zero, |sum, one| {
            let area = sum.outward.area + one.outward.area;
            let weighted =
                sum.outward.area * sum.outward.mean + one.outward.area * one.outward.mean;
            Measures {
                outward: Outward {
                    area,
                    mean: if area > 0.0 { weighted / area } else { 0.0 },
                    largest: sum.outward.largest.max(one.outward.largest),
                },
                volume: sum.volume + one.volume,
                mesh_volume: sum.mesh_volume.zip(one.mesh_volume).map(|(a, b)| a + b),
                hull_volume: sum.hull_volume + one.hull_volume,
                seconds: sum.seconds + one.seconds,
            }
        })
    }

    /// Volume of the surfaces over that of the mesh; `None` when the mesh is not closed or has no volume.
    pub fn volume_over_mesh(&self) -> Option<f64> {
        self.mesh_volume.filter(|mesh| *mesh > 0.0).map(|mesh| self.volume / mesh)
    }

    /// Volume of the surfaces over that of the convex hull of the mesh; `None` when the mesh is flat.
    pub fn volume_over_hull(&self) -> Option<f64> {
        (self.hull_volume > 0.0).then(|| self.volume / self.hull_volume)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_add_up_and_an_open_mesh_leaves_no_ratio_to_meshes() {
        let one = |area: f64, mean: f64, mesh_volume: Option<f64>| Measures {
            outward: Outward { area, mean, largest: 2.0 * mean },
            volume: 6.0,
            mesh_volume,
            hull_volume: 4.0,
            seconds: 1.5,
        };
        let closed = Measures::total(&[one(1.0, 0.3, Some(2.0)), one(3.0, 0.1, Some(3.0))]);
        assert_eq!((closed.outward.area, closed.outward.largest), (4.0, 0.6));
        assert!((closed.outward.mean - 0.15).abs() < 1e-15);
        assert_eq!((closed.volume_over_mesh(), closed.volume_over_hull()), (Some(2.4), Some(1.5)));
        assert_eq!(closed.seconds, 3.0);
        let open = Measures::total(&[one(1.0, 0.3, Some(2.0)), one(3.0, 0.1, None)]);
        assert_eq!(open.volume_over_mesh(), None);
        let flat = Measures { hull_volume: 0.0, ..one(1.0, 0.1, None) };
        assert_eq!(flat.volume_over_hull(), None);
    }
}
