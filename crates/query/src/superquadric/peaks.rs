//! The directions that the search for the depth keeps while it ranks them: places to refine, and peaks of f.

use crate::solve::starts::{Seen, Start};
use crate::superquadric::direction_grid::dot;
use crate::superquadric::newton_f32::{CLIMBS, ClimbsF32, TopF32};
use crate::superquadric::tuning::survey::{
    ASIDE, DOUBT, MOST_PEAKS, MOST_PLACES, ON_A_PLANE, SHOULDER,
};
use smooth_scene_geometry::math::{Mat3, Vec3};
use smooth_scene_geometry::simd::Simd;

/// Peaks of f: those that may lead to the highest maximum, highest first, then others.
pub(crate) struct Peaks {
    pub(super) all: [Peak; MOST_PEAKS],
    pub(super) len: usize,
    promising: usize,
    /// Peaks closer than this (cosine) are one.
    same: f32,
    pub(super) seen: Option<Seen>,
}

/// A direction in the frame of A, about how high the maximum near by is, and how much that changed when it was refined.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peak {
    pub value: f32,
    pub normal: [f32; 3],
    pub gained: f32,
    /// See [`Start`].
    pub slopes: Option<[f32; 2]>,
}

impl Peak {
    /// What is known of a place before it is refined.
    pub fn at(value: f32, normal: [f32; 3]) -> Self {
        Self { value, normal, gained: 0.0, slopes: None }
    }
}

impl Peaks {
    /// None yet; those closer than `same` (cosine) will be one.
    pub fn none(same: f32) -> Self {
        let nowhere = Peak::at(f32::MIN, [0.0; 3]);
        Self { all: [nowhere; MOST_PEAKS], len: 0, promising: 0, same, seen: None }
    }

    /// Adds the places that are higher than all peaks around them: a climb from there led away.
    pub fn add_unreached(&mut self, places: &[Peak]) {
        for place in places {
            let explains = |peak: &Peak| {
                peak.value >= place.value && dot(&peak.normal, &place.normal) > SHOULDER
            };
            if !self.all[..self.len].iter().any(explains) {
                self.add(*place);
            }
        }
    }

    /// Remembers the highest place apart from the highest peak, although it may have led there: after a motion it may not.
    pub fn add_shoulder(&mut self, places: &[Peak]) {
        let top = self.all[0].normal;
        let apart = places.iter().filter(|place| dot(&place.normal, &top) < SHOULDER);
        if let Some(shoulder) = apart.reduce(|a, b| if b.value > a.value { b } else { a })
            && self.len < self.all.len()
        {
            self.all[self.len] = *shoulder;
            self.len += 1;
        }
    }

    /// The tops of climbs from some places, the highest place first, for others need not be climbed from when they cannot
    /// become the highest.
    #[inline(always)]
    pub fn of_climbs<S: Simd>(
        climbs: &ClimbsF32<S>,
        places: &[Peak],
        most_rounds: u32,
        same: f32,
    ) -> Self {
        let mut peaks = Self::none(same);
        for two in places.chunks(CLIMBS) {
            let starts = [two[0].normal, two[two.len() - 1].normal];
            let tops = climbs.climb(starts, peaks.all[0].value, most_rounds);
            tops.into_iter().take(two.len()).for_each(|top| peaks.add(top.into()));
        }
        peaks
    }

    /// How many of the starts are to be climbed from.
    pub fn promising(&self) -> usize {
        self.promising
    }

    /// Where to climb from, then the others. On a plane of symmetry of a body f is stationary across it, at a minimum as at a
    /// maximum: a start on one, unless it was climbed to, is moved a little, so that the climb leaves it if it goes up.
    pub fn starts(&self, rotation_ab: &Mat3) -> impl Iterator<Item = Start> + '_ {
        let rotation_ba = rotation_ab.transpose();
        self.all[..self.len].iter().map(move |peak| {
            let mut normal = Vec3::from(peak.normal.map(f64::from));
            let on_a_plane = |n: &Vec3| n.amin() < ON_A_PLANE;
            if peak.slopes.is_none() && (on_a_plane(&normal) || on_a_plane(&(rotation_ba * normal)))
            {
                normal += ASIDE;
            }
            let slopes = peak.slopes.map(|both| both.map(f64::from));
            Start { normal: normal.normalize(), slopes }
        })
    }

    /// Puts a peak where it belongs. Of two that are close the higher is kept, and of too many the highest.
    pub fn add(&mut self, peak: Peak) {
        let is_close = |other: &Peak| dot(&other.normal, &peak.normal) > self.same;
        if let Some(k) = self.all[..self.len].iter().position(is_close) {
            if self.all[k].value >= peak.value {
                return;
            }
            self.all.copy_within(k + 1..self.len, k);
            self.len -= 1;
        }
        let place = self.all[..self.len].partition_point(|other| other.value >= peak.value);
        if place < MOST_PEAKS {
            self.len = (self.len + 1).min(MOST_PEAKS);
            self.all.copy_within(place..self.len - 1, place + 1);
            self.all[place] = peak;
        }
    }

    /// Puts the peaks from which the highest is out of reach last.
    pub fn set_low_aside(&mut self, margin: f32) {
        let least = self.all[0].value - margin;
        self.promising = 0;
        for k in 0..self.len {
            if self.all[k].value + DOUBT * self.all[k].gained >= least {
                self.all[self.promising..=k].rotate_right(1);
                self.promising += 1;
            }
        }
    }
}

/// Grid points to refine.
pub(super) struct Places {
    all: [Peak; MOST_PLACES],
    len: usize,
}

impl Places {
    pub fn none() -> Self {
        Self { all: [Peak::at(f32::MIN, [0.0; 3]); MOST_PLACES], len: 0 }
    }

    /// Adds a place; of too many the last are dropped.
    pub fn add(&mut self, value: f32, normal: [f32; 3]) {
        if let Some(free) = self.all.get_mut(self.len) {
            *free = Peak::at(value, normal);
            self.len += 1;
        }
    }

    pub fn as_slice(&self) -> &[Peak] {
        &self.all[..self.len]
    }

    pub fn as_mut_slice(&mut self) -> &mut [Peak] {
        &mut self.all[..self.len]
    }
}

impl From<TopF32> for Peak {
    fn from(top: TopF32) -> Self {
        let TopF32 { value, normal, gained, slopes } = top;
        let is_seen = value > f32::MIN;
        Self { value, normal, gained, slopes: is_seen.then_some(slopes) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::superquadric::tuning::survey::SAME;

    #[test]
    fn of_close_peaks_the_higher_is_kept_and_of_many_the_highest() {
        let mut peaks = Peaks::none(SAME);
        let mut add = |value: f32, angle: f32| {
            peaks.add(Peak::at(value, [angle.cos(), angle.sin(), 0.0]));
        };
        add(1.0, 0.0);
        add(2.0, 0.05);
        add(0.5, 0.02);
        (1..10).for_each(|k| add(-(k as f32), 0.5 * k as f32));
        let values: Vec<f32> = peaks.all[..peaks.len].iter().map(|peak| peak.value).collect();
        assert_eq!(values, [2.0, -1.0, -2.0, -3.0, -4.0, -5.0, -6.0]);
    }
}
