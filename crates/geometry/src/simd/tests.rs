use super::*;
use proptest::prelude::*;

/// All operations on one input of each lane type, as bits; NaN as one number, whatever its sign and payload.
struct EveryOperation([f64; 12]);

fn bits_f64(all: &mut Vec<u64>, lanes: impl Into<F64x4>) {
    let lanes: F64x4 = lanes.into();
    all.extend(lanes.0.map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }));
}

fn bits_f32(all: &mut Vec<u64>, lanes: impl Into<F32x8>) {
    let lanes: F32x8 = lanes.into();
    let bits = |x: f32| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() };
    all.extend(lanes.0.map(|x| u64::from(bits(x))));
}

/// What [`Lanes`] and [`PowerLanes`] offer, in a fixed order. The masks of comparisons are NaN or zero.
fn results<L: PowerLanes>(a: L, b: L, c: L) -> Vec<L> {
    let positive = a.abs().max(L::splat(L::TINY)).min(L::splat(1e30));
    let small = b.max(L::splat(-90.0)).min(L::splat(90.0));
    vec![
        a + b,
        a - b,
        a * b,
        a / b,
        -a,
        a.mul_add(b, c),
        a.abs(),
        a.abs().sqrt(),
        a.max(b),
        a.min(b),
        a.signum(),
        a.simd_gt(b),
        a.simd_ge(b),
        a.simd_lt(b),
        a.simd_le(b),
        a.simd_lt(b).select(b, c),
        a.simd_lt(b) & c,
        !a.simd_lt(b) & c,
        (a.simd_lt(b) | a.simd_gt(c)) & b,
        positive.log2(),
        small.exp2(),
    ]
}

impl Kernel for EveryOperation {
    type Output = Vec<u64>;

    fn run<S: Simd>(self) -> Vec<u64> {
        let mut all = Vec::new();
        let [a, b, c]: [S::F64x4; 3] =
            [0, 4, 8].map(|k| F64x4(std::array::from_fn(|lane| self.0[k + lane])).into());
        let two = results(F64x4x2(a, c), F64x4x2(b, a), F64x4x2(c, b));
        results(a, b, c).into_iter().for_each(|lanes| bits_f64(&mut all, lanes));
        two.into_iter().for_each(|F64x4x2(one, other)| {
            bits_f64(&mut all, one);
            bits_f64(&mut all, other);
        });
        let [d, e, f]: [S::F32x8; 3] = [0, 3, 4]
            .map(|k| F32x8(std::array::from_fn(|lane| self.0[(k + lane) % 12] as f32)).into());
        results(d, e, f).into_iter().for_each(|lanes| bits_f32(&mut all, lanes));
        let [low, high] = S::halves(d);
        bits_f32(&mut all, S::join([high, S::swap_pairs(low)]));
        for mask in [a.simd_lt(b), a.simd_le(a)] {
            all.extend([u64::from(mask.to_bitmask()), mask.all().into(), mask.any().into()]);
        }
        let mask = d.simd_lt(e);
        all.extend([u64::from(mask.to_bitmask()), mask.all().into(), mask.any().into()]);
        all
    }
}

fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => any::<f64>(),
        4 => -100.0..100.0,
        1 => prop::sample::select(vec![0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0]),
    ]
}

proptest! {
    #[test]
    fn all_instruction_sets_give_the_same_bits(
        numbers in prop::array::uniform12(any_number()),
    ) {
        let portable = Level::portable().run(EveryOperation(numbers));
        prop_assert_eq!(portable, Level::detect().run(EveryOperation(numbers)));
    }
}

/// Rounding errors are in units of 2⁻⁵³ relative, u for short.
///
/// log₂: z = (m − 1)/(m + 1) has a relative error of 2u (m − 1 is exact, m + 1 and the quotient round), p one of 4u (the
/// dominant first coefficient and two roundings that enter in full, the rest damped by z² ≤ 0.03), so that z·p, at most ½,
/// is off by at most 6u·½ and the final rounding adds u·max(|k|, 1). The reference is good to one unit, 2u.
#[test]
fn log2_is_exact_to_its_error_bound() {
    const U: f64 = f64::EPSILON / 2.0;
    for k in -300..300 {
        for f in [1.0, 1.1, 1.3, std::f64::consts::SQRT_2, 1.5, 1.9999] {
            let x = f * 2f64.powi(k);
            let (got, expected) = (F64x4::splat(x).log2().0[2], libm::log2(x));
            let bound = (6.0 * 0.5 + (1.0 + 2.0) * expected.abs().max(1.0)) * U;
            assert!((got - expected).abs() <= bound, "{x}");
        }
    }
}

/// 2^x: r is exact, |r| ≤ ½. The coefficients round by u, Horner's scheme (in Estrin's order, all terms positive sums of
/// at most 1.42 for a smallest result of 0.70) by at most 2u of the partial sums at each of the last two levels: 2(1.42/0.70)u
/// < 5u. The first term left out is (ln 2/2)¹⁴/14! < 2⁻⁵⁷. The reference is good to one unit, 2u.
#[test]
fn exp2_is_exact_to_its_error_bound() {
    const U: f64 = f64::EPSILON / 2.0;
    for k in -99_900..3000 {
        let x = k as f64 * 0.01;
        let got = F64x4::splat(x).exp2().0[1];
        assert!((got / libm::exp2(x) - 1.0).abs() <= (5.0 + 2.0) * U, "{x}");
    }
    assert!(F64x4::splat(-5000.0).exp2().0[0] < 1e-300);
}

/// In single precision, u = 2⁻²⁴. 2^x leaves out the terms from (ln 2/2)⁶/6! = 2.4e-6 on; relative to the smallest result
/// √½ their sum is below 2.6e-6·√2 = 3.7e-6; rounding adds 5u = 3e-7. log₂ leaves out 2·log₂e·z⁷/7 = 1.8e-6·(1 + z² + …) at
/// z = 0.1716; rounding adds 3u plus the rounding of the sum with k, u·|k|.
#[test]
fn powers_in_single_precision_are_exact_to_their_error_bounds() {
    const U: f64 = f32::EPSILON as f64 / 2.0;
    for k in -2000..2000 {
        let x = k as f32 * 0.013;
        let power = F32x8::splat(f64::from(x)).exp2().0[3];
        let error = (f64::from(power) / libm::exp2(f64::from(x)) - 1.0).abs();
        assert!(error <= 3.7e-6 + 5.0 * U, "{x} {error}");
        let back = F32x8::splat(f64::from(power)).log2().0[5];
        let error = (f64::from(back) - libm::log2(f64::from(power))).abs();
        assert!(error <= 1.9e-6 + (3.0 + f64::from(x).abs() + 1.0) * U, "{x} {error}");
    }
}
