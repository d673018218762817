//! Prints the accuracy table.

#[path = "../tests/support/families.rs"]
mod families;

use cpu_time::ThreadTime;
use families::{FAMILIES, Rng, family_pair};
use smooth_scene::query::{QueryOptions, SolveStatus, distance};

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(1000);
    let only = std::env::args().nth(2);
    for family in FAMILIES {
        if only.as_deref().is_some_and(|o| o != family) {
            continue;
        }
        let mut rng = Rng::new(1);
        let (mut apart, mut over, mut worst_gap, mut undecided, mut wide) = (0, 0, 0f64, 0, 0);
        let (mut fast_wrong, mut worst_depth, mut cert_gap, mut cert_open) = (0, 0f64, 0f64, 0);
        let (mut it_apart, mut it_over, mut it_cert) = (0u64, 0u64, 0u64);
        let (mut us_a, mut us_o, mut us_c) = (0.0, 0.0, 0.0);
        for k in 0..count {
            let pair = family_pair(family, &mut rng);
            let size = pair.size();
            let t = ThreadTime::now();
            let fast =
                distance(&pair.a, &pair.pose_a, &pair.b, &pair.pose_b, &QueryOptions::default());
            let el = t.elapsed().as_secs_f64() * 1e6;
            if fast.status == SolveStatus::DepthUnproven {
                over += 1;
                it_over += fast.iterations as u64;
                us_o += el;
                let t = ThreadTime::now();
                let cert = distance(
                    &pair.a,
                    &pair.pose_a,
                    &pair.b,
                    &pair.pose_b,
                    &QueryOptions::certified(),
                );
                us_c += t.elapsed().as_secs_f64() * 1e6;
                it_cert += cert.iterations as u64;
                let err = (cert.distance - fast.distance) / size;
                if err > 1e-9 {
                    fast_wrong += 1;
                    if std::env::var("SHOW").is_ok() {
                        println!(
                            "  wrong {k} err {err:.2e} fast {} cert {}",
                            fast.distance, cert.distance
                        );
                    }
                }
                worst_depth = worst_depth.max(err);
                cert_gap = cert_gap.max((cert.upper - cert.lower) / size);
                cert_open += usize::from(cert.status != SolveStatus::Certified);
            } else {
                apart += 1;
                it_apart += fast.iterations as u64;
                us_a += el;
                let gap = (fast.upper - fast.lower) / size;
                worst_gap = worst_gap.max(gap);
                wide += usize::from(gap > 1e-9);
                undecided += usize::from(fast.lower <= 0.0 && fast.upper > 1e-9 * size);
                if gap > 1e-9 && std::env::var("SHOW").is_ok() {
                    println!(
                        "  gap {k} {gap:.2e} d {} its {} {:?} {:?}",
                        fast.distance, fast.iterations, pair.a, pair.b
                    );
                }
            }
        }
        println!(
            "{family:13} apart {apart:5} gap {worst_gap:.1e} wide {wide:3} und {undecided:3} it {:5.1} {:6.2}us | over {over:5} wrong {fast_wrong:3} err {worst_depth:.1e} it {:6.1} {:6.2}us | cert gap {cert_gap:.1e} open {cert_open:4} it {:8.1} {:8.1}us",
            it_apart as f64 / apart.max(1) as f64,
            us_a / apart.max(1) as f64,
            it_over as f64 / over.max(1) as f64,
            us_o / over.max(1) as f64,
            it_cert as f64 / over.max(1) as f64,
            us_c / over.max(1) as f64,
        );
    }
}
