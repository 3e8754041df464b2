% The same from Octave, by the function of fftprec_fft.c:
%
%     octave-cli --path DIRECTORY_OF_THE_MEX_FILE from_octave.m
i = reshape(0:127, 2, 64);
parts = (mod(i .^ 2, 37) - 18) / 16;
x = complex(parts(1, :), parts(2, :));
[y, error_of_y] = fftprec_fft(x, "bf16");
printf("y[1] = %g %+gi, error %.4g, %.1f bits\n", real(y(2)), imag(y(2)), error_of_y,
       -log2(error_of_y));
printf("against Octave's own fft %.4g\n", norm(y - fft(x)) / norm(fft(x)));

try
  fftprec_fft(x, "bf17");
catch failure
  printf("%.54s ...\n", failure.message);
end

% It prints:
%     y[1] = -2.53125 +4.3125i, error 0.005213, 7.6 bits
%     against Octave's own fft 0.005213
%     fftprec_fft: unknown mode 'bf17'; did you mean 'bf16'? ...
