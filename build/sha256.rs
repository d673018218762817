//! SHA-256 (FIPS 180-4).

/// The digest of these bytes in hexadecimal digits.
pub fn hex_digest(bytes: &[u8]) -> String {
    let (initial, constants) = tables();
    let mut state = initial;
    for block in padded(bytes).chunks_exact(64) {
        compress(&mut state, block, &constants);
    }
    state.iter().map(|word| format!("{word:08x}")).collect()
}

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes, and of the cube roots of the
/// first 64.
fn tables() -> ([u32; 8], [u32; 64]) {
    let primes: Vec<u128> =
        (2..312).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0)).collect();
    // floor(2^32 p^(1/2)) = floor((2^64 p)^(1/2)); its low 32 bits are the fraction. The same with 2^96 for cubes.
    let initial = std::array::from_fn(|k| root(primes[k] << 64, 2) as u32);
    let constants = std::array::from_fn(|k| root(primes[k] << 96, 3) as u32);
    (initial, constants)
}

/// The largest integer whose `power`-th power is at most `value`.
fn root(value: u128, power: u32) -> u128 {
    let (mut low, mut high) = (0u128, 1u128 << 40);
    while low + 1 < high {
        let middle = (low + high) / 2;
        if middle.checked_pow(power).is_some_and(|raised| raised <= value) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn padded(bytes: &[u8]) -> Vec<u8> {
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    while padded.len() % 64 != 56 {
        padded.push(0);
    }
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    padded
}

fn compress(state: &mut [u32; 8], block: &[u8], constants: &[u32; 64]) {
    let mut schedule = [0u32; 64];
    for (word, bytes) in schedule.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes(bytes.try_into().expect("four bytes"));
    }
    for t in 16..64 {
        let (a, b) = (schedule[t - 15], schedule[t - 2]);
        let s0 = a.rotate_right(7) ^ a.rotate_right(18) ^ (a >> 3);
        let s1 = b.rotate_right(17) ^ b.rotate_right(19) ^ (b >> 10);
        schedule[t] =
            schedule[t - 16].wrapping_add(s0).wrapping_add(schedule[t - 7]).wrapping_add(s1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for t in 0..64 {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = h
            .wrapping_add(s1)
            .wrapping_add(choice)
            .wrapping_add(constants[t])
            .wrapping_add(schedule[t]);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let second = s0.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) =
            (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    for (word, add) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(add);
    }
}
