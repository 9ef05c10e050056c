package org.cartostream.testing;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Outcome of one {@link TestJob}.
 *
 * @param tests number of tests that ran or were skipped
 * @param skipped the reason of each skipped test
 * @param failures for each failed test its name, its exception and the first lines of the stack
 *     trace
 * @param seconds wall-clock time
 * @param cpuSeconds processor time of the test JVM, without the processes that it started; NaN if
 *     unknown
 */
record ClassResult(
    int tests, List<String> skipped, List<String> failures, double seconds, double cpuSeconds) {

  /** Maximum length of a reason or failure, in characters: enough to see what went wrong. */
  private static final int MAX_LENGTH = 4000;

  static ClassResult crashed(String why, double seconds) {
    return new ClassResult(1, List.of(), List.of(why), seconds, Double.NaN);
  }

  boolean failed() {
    return !failures.isEmpty();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(tests);
    write(skipped, out);
    write(failures, out);
    out.writeDouble(seconds);
    out.writeDouble(cpuSeconds);
    out.flush();
  }

  private static void write(List<String> texts, DataOutputStream out) throws IOException {
    out.writeInt(texts.size());
    for (String text : texts) {
      out.writeUTF(text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH));
    }
  }

  static ClassResult read(DataInputStream in) throws IOException {
    return new ClassResult(in.readInt(), texts(in), texts(in), in.readDouble(), in.readDouble());
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int count = in.readInt(); count > 0; count--) {
      texts.add(in.readUTF());
    }
    return texts;
  }
}
