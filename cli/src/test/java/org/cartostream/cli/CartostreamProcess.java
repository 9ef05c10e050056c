package org.cartostream.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Starts commands in processes of their own, which can be killed. */
public final class CartostreamProcess {

  private CartostreamProcess() {}

  /**
   * Starts a command.
   *
   * @param output file for all that it prints
   */
  public static Process start(Path output, Object... arguments) throws IOException {
    return start(output, Map.of(), arguments);
  }

  /** The same with some variables in its environment. */
  public static Process start(Path output, Map<String, String> environment, Object... arguments)
      throws IOException {
    return startBehind(new String[0], output, environment, arguments);
  }

  /** The same with words before the command, as those that run it in a network namespace. */
  public static Process startBehind(
      String[] before, Path output, Map<String, String> environment, Object... arguments)
      throws IOException {
    Stream<Object> java =
        Stream.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName());
    return startBy(
        Stream.concat(Stream.of(before), java).toArray(), output, environment, arguments);
  }

  /** The same by another program than this JVM's. */
  public static Process startBy(
      Object[] program, Path output, Map<String, String> environment, Object... arguments)
      throws IOException {
    List<String> words =
        Stream.of(program, arguments).flatMap(Stream::of).map(Object::toString).toList();
    ProcessBuilder builder =
        new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return builder.start();
  }
}
