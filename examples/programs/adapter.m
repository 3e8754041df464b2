% Octave's fft for fftprec: a program of docs/programs.md. Run it by: octave-cli --no-gui adapter.m
printf("fftprec-program 1 Octave %s\n", version());
fflush(stdout);
while ischar(line = fgetl(stdin))
  word = strsplit(line, " ");  % transform, lengths, direction, format, batch, bytes
  type = "uint8"; bytes = 1;  % of other formats, which are read all the same
  if strcmp(word{4}, "fp32") type = "single"; bytes = 4; end
  if strcmp(word{4}, "fp64") type = "double"; bytes = 8; end
  parts = fread(stdin, str2double(word{6}) / bytes, [type "=>" type], 0, "ieee-le");
  n = str2double(word{2});  % NaN for several axes
  if !strcmp(word{1}, "fft") || isnan(n) || !any(strcmp(word{4}, {"fp32", "fp64"}))
    printf("no only fft of one axis in fp32 and fp64\n");
  else
    x = reshape(complex(parts(1:2:end), parts(2:2:end)), n, []);
    if strcmp(word{3}, "inverse") y = ifft(x, [], 1); else y = fft(x, [], 1); end
    printf("ok %s\n", word{6});
    fwrite(stdout, [real(y(:)) imag(y(:))].', type, 0, "ieee-le");
  end
  fflush(stdout);
end
