# PDL::FFT in float and double: complex of one axis. Its fft has the sign - in the exponent and does
# not divide; ifft divides.
use strict;
use warnings;
use PDL;
use PDL::FFT;

binmode STDIN;
binmode STDOUT;
$| = 1;
print "fftprec-program 1 PDL $PDL::VERSION\n";
while (my $line = <STDIN>) {
  my ($transform, $lengths, $direction, $format, $batch, $size) = split ' ', $line;
  read STDIN, (my $bytes), $size;
  if ($transform ne 'fft' || $lengths =~ /x/ || $format !~ /^fp(32|64)$/ || $lengths < 2 || $lengths > 65536) {
    print "no only fft of one axis in fp32 and fp64, 2 <= n <= 2^16, beyond which it crashes\n";
    next;
  }
  my $x = zeroes($format eq 'fp32' ? float : double, 2, $lengths, $batch);
  ${$x->get_dataref} = $bytes;
  $x->upd_data;
  my ($re, $im) = map { $x->slice("($_)")->copy } 0, 1;
  if ($direction eq 'inverse') { ifft($re, $im) } else { fft($re, $im) }
  my $y = cat($re, $im)->mv(-1, 0)->copy;
  print "ok $size\n", ${$y->get_dataref};
}
