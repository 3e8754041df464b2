//! Rust: an FFT in f32 against one in f64, with the tolerance of docs/tolerances.md.
//! rustc --test fft_test.rs && ./fft_test

/// The largest |error| of an FFT of n values with unit roundoff u, relative to the largest |result|.
/// c: 0.7 for n = 2^k, 1 without prime factors above 13, 1.6 else.
fn fft_tolerance(n: usize, u: f64, c: f64) -> f64 {
    let n = n as f64;
    2.0 * c * u * (n.log2() * (1e6 * n).ln()).sqrt() + u
}

/// The FFT under test, in radix 2. With --cfg spoilt each factor is the product of the one before and
/// the first.
fn my_fft(x: &[(f32, f32)]) -> Vec<(f32, f32)> {
    let n = x.len();
    if n == 1 {
        return x.to_vec();
    }
    let even = my_fft(&x.iter().step_by(2).copied().collect::<Vec<_>>());
    let odd = my_fft(&x.iter().skip(1).step_by(2).copied().collect::<Vec<_>>());
    let root = |k: usize| {
        let (s, c) = (-2.0 * std::f64::consts::PI * k as f64 / n as f64).sin_cos();
        (c as f32, s as f32)
    };
    let times = |a: (f32, f32), b: (f32, f32)| (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0);
    let (mut w, mut y) = ((1.0, 0.0), vec![(0.0, 0.0); n]);
    for k in 0..n / 2 {
        let (re, im) = times(w, odd[k]);
        y[k] = (even[k].0 + re, even[k].1 + im);
        y[k + n / 2] = (even[k].0 - re, even[k].1 - im);
        w = if cfg!(spoilt) { times(w, root(1)) } else { root(k + 1) };
    }
    y
}

/// The largest |y - exact| / the largest |exact|; exact is the definition, in f64.
fn fft_error(y: &[(f32, f32)], x: &[(f32, f32)]) -> f64 {
    let n = x.len();
    let w: Vec<(f64, f64)> = (0..n)
        .map(|k| (-2.0 * std::f64::consts::PI * k as f64 / n as f64).sin_cos())
        .collect();
    let (mut error, mut largest) = (0.0_f64, 0.0_f64);
    for k in 0..n {
        let (mut re, mut im) = (0.0, 0.0);
        for (j, value) in x.iter().enumerate() {
            let (s, c) = w[j * k % n];
            re += c * value.0 as f64 - s * value.1 as f64;
            im += c * value.1 as f64 + s * value.0 as f64;
        }
        error = error.max((y[k].0 as f64 - re).hypot(y[k].1 as f64 - im));
        largest = largest.max(re.hypot(im));
    }
    error / largest
}

#[test]
fn errors_are_those_of_rounding() {
    for n in [16, 128, 1024] {
        let mut state = 1_u32;
        let mut next = || {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            (state >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        let noise: Vec<(f32, f32)> = (0..n).map(|_| (next(), next())).collect();
        let mut impulse = vec![(0.0, 0.0); n];
        impulse[n - 1] = (1.0, 0.0);
        for x in [noise, impulse] {
            let error = fft_error(&my_fft(&x), &x);
            assert!(error <= fft_tolerance(n, f32::EPSILON as f64 / 2.0, 0.7), "n = {n}: {error}");
        }
    }
}
