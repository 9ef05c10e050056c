package org.cartostream.run.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.cartostream.run.exit.ExitException;

/**
 * The public logs that can be fetched by name. Their list, sources and places are known to the
 * script {@code datasets/fetch} alone; this class asks it.
 */
public final class DataSets {

  /** The launcher sets it to the repository's folder. */
  private static final String ROOT = "cartostream.root";

  /** A download over a slow line. */
  private static final long MOST_MINUTES = 15;

  private final Path script;

  DataSets(Path script) {
    this.script = script;
  }

  /** Returns the data sets of this installation. */
  public static DataSets installed() {
    return new DataSets(root().resolve("datasets").resolve("fetch"));
  }

  /** The folder of this installation: the repository. */
  public static Path root() {
    return Path.of(System.getProperty(ROOT, "."));
  }

  /** Name to one sentence; empty if this installation has no data sets. */
  public Map<String, String> list() {
    Map<String, String> list = new LinkedHashMap<>();
    if (Files.isExecutable(script)) {
      for (String line : ask("--list")) {
        String[] parts = line.split("\t", 2);
        list.put(parts[0], parts.length > 1 ? parts[1] : "");
      }
    }
    return list;
  }

  /** The log's file, downloaded if it is not in the cache. */
  public Path fetch(String name) {
    List<String> lines = ask(name);
    if (lines.isEmpty()) {
      throw ExitException.failed("'" + script + " " + name + "' did not say where the log is");
    }
    return Path.of(lines.get(lines.size() - 1));
  }

  /**
   * Returns what the script prints to standard output; its messages to people go to this process's
   * standard error.
   */
  private List<String> ask(String argument) {
    try {
      Path answer = Files.createTempFile("cartostream", ".fetch");
      try {
        Process process =
            new ProcessBuilder(script.toString(), argument)
                .redirectOutput(answer.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        if (!process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)) {
          process.destroy();
          throw ExitException.failed(
              "'" + script + " " + argument + "' took longer than " + MOST_MINUTES + " minutes");
        }
        if (process.exitValue() != 0) {
          throw ExitException.failed(
              "'" + script + " " + argument + "' failed; its output stands above");
        }
        return new ArrayList<>(Files.readAllLines(answer, StandardCharsets.UTF_8));
      } finally {
        Files.delete(answer);
      }
    } catch (IOException e) {
      throw ExitException.of(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ExitException.failed("interrupted while '" + script + " " + argument + "' ran", e);
    }
  }
}
