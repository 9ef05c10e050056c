package org.cartostream.slam.log;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Where tests find recorded logs. A test that asks for one that is not there is skipped. */
public final class RecordedLogs {

  private RecordedLogs() {}

  /** A file of the folder {@code shared/datasets} beside the repository. */
  public static Path shared(String name) {
    Path root = Path.of(System.getProperty("cartostream.root", ".")).toAbsolutePath();
    return present(root.resolveSibling("shared").resolve("datasets").resolve(name));
  }

  /** A file in the cache that {@code datasets/fetch} fills. */
  public static Path cached(String name) {
    String cache = System.getenv("CARTOSTREAM_CACHE");
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path folder =
        cache != null
            ? Path.of(cache)
            : (xdg != null ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("cartostream");
    return present(folder.resolve(name));
  }

  private static Path present(Path file) {
    Assumptions.assumeTrue(Files.exists(file), () -> file + " is not there");
    return file;
  }
}
