// A Java library's FFT for fftprec, run by `java Adapter.java`: a program of docs/programs.md. Here it
// sums by the definition.
import java.io.*;
import java.nio.*;

public class Adapter {
  static double[] forward(double[] x, int n) {  // re, im, re, im, ...
    double[] y = new double[2 * n];
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) {
        double a = -2 * Math.PI * ((long) j * k % n) / n;
        y[2 * k] += x[2 * j] * Math.cos(a) - x[2 * j + 1] * Math.sin(a);
        y[2 * k + 1] += x[2 * j] * Math.sin(a) + x[2 * j + 1] * Math.cos(a);
      }
    return y;
  }

  static String next(DataInputStream in, DataOutputStream out) throws IOException {
    out.flush();  // the answer to the last request
    return in.readLine();
  }

  public static void main(String[] arguments) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
    out.writeBytes("fftprec-program 1 sums in Java " + System.getProperty("java.version") + "\n");
    for (String line; (line = next(in, out)) != null;) {
      String[] word = line.split(" ");  // transform, lengths, direction, format, batch, bytes
      ByteBuffer bytes = ByteBuffer.wrap(in.readNBytes(Integer.parseInt(word[5])));
      DoubleBuffer values = bytes.order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer();
      if (!(word[0] + " " + word[2] + " " + word[3]).equals("fft forward fp64") || word[1].contains("x")) {
        out.writeBytes("no only the forward fft of one axis in fp64\n");
      } else {
        double[] item = new double[2 * Integer.parseInt(word[1])];
        for (int at = 0; at < values.capacity(); at += item.length)
          values.get(at, item).put(at, forward(item, item.length / 2));
        out.writeBytes("ok " + word[5] + "\n");
        out.write(bytes.array());
      }
    }
  }
}
