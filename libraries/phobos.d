/// D's std.numeric.Fft, whose tables are float, in float and double: complex of one axis, powers of
/// two. Its inverse divides.
import std.complex, std.conv, std.numeric, std.stdio, std.string;

void answer(Real)(string direction, ubyte[] bytes, size_t n) {
  auto fft = new Fft(n);
  auto values = cast(Complex!Real[]) bytes;
  for (size_t first = 0; first < values.length; first += n) {
    auto item = values[first .. first + n];
    item[] = (direction == "inverse" ? fft.inverseFft!Real(item) : fft.fft!Real(item))[];
  }
  writeln("ok ", bytes.length);
  stdout.rawWrite(bytes);
}

void main() {
  writeln("fftprec-program 1 Phobos of gdc ", __VERSION__ / 1000, ".", __VERSION__ % 1000);
  stdout.flush();
  string line;
  while ((line = stdin.readln()) !is null) {
    auto word = line.split();  // transform, lengths, direction, format, batch, bytes
    auto bytes = stdin.rawRead(new ubyte[word[5].to!size_t]);
    const n = word[1].indexOf('x') < 0 ? word[1].to!size_t : 0;
    if (word[0] != "fft" || n == 0 || (n & (n - 1)))
      writeln("no only fft of one axis, n = 2^k");
    else if (word[3] == "fp64")
      answer!double(word[2], bytes, n);
    else if (word[3] == "fp32")
      answer!float(word[2], bytes, n);
    else
      writeln("no only fp32 and fp64");
    stdout.flush();
  }
}
