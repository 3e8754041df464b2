// Apache Commons Math in double: complex of one axis, powers of two. Its inverse divides.
import java.io.*;
import java.nio.*;
import org.apache.commons.math3.transform.*;

public class Commons {
  static void transform(DoubleBuffer values, int n, TransformType type) {
    double[][] parts = new double[2][n];
    for (int at = 0; at < values.capacity(); at += 2 * n) {
      for (int j = 0; j < 2 * n; ++j) parts[j % 2][j / 2] = values.get(at + j);
      FastFourierTransformer.transformInPlace(parts, DftNormalization.STANDARD, type);
      for (int j = 0; j < 2 * n; ++j) values.put(at + j, parts[j % 2][j / 2]);
    }
  }

  public static void main(String[] arguments) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(System.in));
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out));
    String jar = FastFourierTransformer.class.getProtectionDomain().getCodeSource().getLocation()
        .getPath().replaceAll(".*math3?-?|.jar", "");
    out.writeBytes("fftprec-program 1 Commons Math " + (jar.isEmpty() ? "3" : jar) + "\n");
    out.flush();
    for (String line; (line = in.readLine()) != null; out.flush()) {
      String[] word = line.split(" ");  // transform, lengths, direction, format, batch, bytes
      ByteBuffer bytes = ByteBuffer.wrap(in.readNBytes(Integer.parseInt(word[5])));
      int n = word[1].contains("x") ? 0 : Integer.parseInt(word[1]);
      if (!word[0].equals("fft") || !word[3].equals("fp64") || n == 0 || (n & (n - 1)) != 0) {
        out.writeBytes("no only fft of one axis in fp64, n = 2^k\n");
        continue;
      }
      transform(bytes.order(ByteOrder.LITTLE_ENDIAN).asDoubleBuffer(), n,
          word[2].equals("inverse") ? TransformType.INVERSE : TransformType.FORWARD);
      out.writeBytes("ok " + word[5] + "\n");
      out.write(bytes.array());
    }
  }
}
