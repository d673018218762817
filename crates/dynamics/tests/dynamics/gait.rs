//! The example of a foot on the ground: the force has the two humps of human walking.

#[path = "../../examples/foot_on_ground/gait.rs"]
#[allow(dead_code)]
mod model;

use model::{BODY_MASS, simulate};

/// Gait laboratories find two peaks a little above the weight of the body with a dip below it between them, braking first and
/// pushing later, and a centre of pressure that goes from the heel to the toes.
#[test]
fn the_force_under_a_foot_has_two_humps() {
    let samples = simulate().unwrap();
    let weight = BODY_MASS * 9.80665;
    let loaded: Vec<_> = samples.iter().filter(|s| s.normal() > 0.05 * weight).collect();
    let (first, last) = (loaded[0].time, loaded[loaded.len() - 1].time);
    let highest = |from: f64, to: f64| {
        let within = loaded.iter().filter(|s| {
            let share = (s.time - first) / (last - first);
            (from..to).contains(&share)
        });
        within.max_by(|a, b| a.normal().total_cmp(&b.normal())).unwrap()
    };
    let peaks = [highest(0.1, 0.45), highest(0.55, 0.95)];
    let between = loaded.iter().filter(|s| (peaks[0].time..peaks[1].time).contains(&s.time));
    let dip = between.map(|s| s.normal()).fold(f64::INFINITY, f64::min);
    let shares = [peaks[0].normal(), dip, peaks[1].normal()].map(|force| force / weight);
    println!(
        "stance {:.3} s, peaks at {:.0} % and {:.0} %: first peak, dip, second peak {shares:.2?} weights",
        last - first,
        100.0 * (peaks[0].time - first) / (last - first),
        100.0 * (peaks[1].time - first) / (last - first)
    );
    assert!((0.9..1.4).contains(&shares[0]) && (0.9..1.4).contains(&shares[2]), "{shares:?}");
    assert!((0.5..0.9).contains(&shares[1]), "{shares:?}");
    assert!((0.5..0.8).contains(&(last - first)));
    // Braking, then pushing; heel first, toes last.
    assert!(peaks[0].forward < 0.0 && peaks[1].forward > 0.0);
    assert!(peaks[0].heel > peaks[0].toes && peaks[1].toes > peaks[1].heel);
}
