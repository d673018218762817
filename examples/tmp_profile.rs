//! t
#[path = "../tests/support/families.rs"]
mod families;
use families::*;
use smooth_scene::query::*;
fn main() {
    let mut rng = Rng::new(11);
    let hand = [0.005, 0.03];
    let mut v = Vec::new();
    while v.len() < 2000 {
        let a = superquadric(&mut rng, hand, [0.3, 1.7], 0.0);
        let b = superquadric(&mut rng, hand, [0.3, 1.7], 0.0);
        let p = pose(&mut rng, a, b, [0.1, 1.3]);
        let r = distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &QueryOptions::default());
        if (r.distance > 0.0) == (std::env::args().nth(1).unwrap() == "apart") {
            v.push(p);
        }
    }
    let t = cpu_time::ThreadTime::now();
    let mut its = 0u64;
    let mut s = 0.0;
    let n: usize = std::env::args().nth(2).unwrap().parse().unwrap();
    for _ in 0..n {
        for p in &v {
            let r = distance(&p.a, &p.pose_a, &p.b, &p.pose_b, &QueryOptions::default());
            its += r.iterations as u64;
            s += r.distance;
        }
    }
    println!(
        "{} us/query, {} its, {} us/it {s}",
        t.elapsed().as_secs_f64() * 1e6 / (n * v.len()) as f64,
        its as f64 / (n * v.len()) as f64,
        t.elapsed().as_secs_f64() * 1e6 / its as f64
    );
}
