# Julia: an FFT in ComplexF32 against one in ComplexF64, with the tolerance of docs/tolerances.md.
using FFTW, Random, Test

my_fft = fft  # the FFT under test

"The largest |error| of an FFT of n values of real type T, relative to the largest |result|. c: 0.7 for
n = 2^k, 1 without prime factors above 13, 1.6 else."
function fft_tolerance(n, T, c = 0.7)
    u = eps(T) / 2
    2c * u * sqrt(log2(n) * log(1e6n)) + u
end

@testset "errors are those of rounding, n = $n" for n in (16, 256, 4096, 65536)
    noise = randn(Xoshiro(1), ComplexF32, n)
    impulse = zeros(ComplexF32, n)
    impulse[end] = 1
    for x in (noise, impulse)
        exact = fft(ComplexF64.(x))
        @test maximum(abs, my_fft(x) - exact) <= fft_tolerance(n, Float32) * maximum(abs, exact)
    end
end
