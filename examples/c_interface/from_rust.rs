//! Rounding from Rust:
//!
//!     rustc from_rust.rs -L PREFIX/lib && ./from_rust

use std::ffi::CStr;
use std::os::raw::{c_char, c_int};

#[link(name = "fftprec_c")]
extern "C" {
    fn fftprec_round(x: *const f64, count: usize, out: *mut f64, format: *const c_char,
                     rounding: *const c_char, bits: i32, seed: u64) -> c_int;
    fn fftprec_last_error() -> *const c_char;
}

fn main() {
    let mut x = [1.0 / 3.0, 1000.1];
    let (data, count) = (x.as_mut_ptr(), x.len());
    for format in ["bf16\0", "bf17\0"] {
        let (format, up) = (format.as_ptr().cast(), "ru\0".as_ptr().cast());
        if unsafe { fftprec_round(data, count, data, format, up, 0, 0) } == 0 {
            println!("{x:?}");
        } else {
            let why = unsafe { CStr::from_ptr(fftprec_last_error()) };
            println!("{:.43} ...", why.to_string_lossy());
        }
    }
}

// It prints:
//     [0.333984375, 1004.0]
//     unknown format 'bf17'; did you mean 'bf16'? ...
