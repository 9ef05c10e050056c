package org.cartostream.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/**
 * Files of tests that are not in the repository. A test that asks for a missing file is skipped,
 * with a sentence that says where to get it.
 */
public final class TestFiles {

  /**
   * Folder of the repository. The build says where it is; an IDE runs a module's tests in the
   * module's folder.
   */
  public static final Path ROOT =
      Path.of(System.getProperty("cartostream.root", "..")).toAbsolutePath().normalize();

  private static final Path SHARED = ROOT.resolveSibling("shared");

  private TestFiles() {}

  /**
   * Returns a file of the public logs, which we may not distribute; skips the test if it is
   * missing.
   */
  public static Path publicLog(String name) {
    return present(
        SHARED.resolve("datasets").resolve(name),
        "public logs are not in ../shared/datasets; datasets/README.md, 'Logs for tests', says where"
            + " they come from");
  }

  /** Returns a small file of the kind that users bring; skips the test if it is missing. */
  public static Path usersFile(String name) {
    Path first = SHARED.resolve("inputs").resolve(name);
    return present(
        Files.exists(first) ? first : SHARED.resolve("inputs-2").resolve(name),
        "users' files are not in ../shared/inputs(-2); see datasets/README.md, 'Logs for tests'");
  }

  /**
   * Returns a file of the cache that {@code cartostream datasets NAME} fills; skips the test if it
   * is missing.
   */
  public static Path fetched(String file) {
    String cache = System.getenv("CARTOSTREAM_CACHE");
    String xdg = System.getenv("XDG_CACHE_HOME");
    Path folder =
        cache != null
            ? Path.of(cache)
            : (xdg != null ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("cartostream");
    return present(
        folder.resolve(file), "killian is not fetched: scripts/cartostream datasets killian");
  }

  private static Path present(Path file, String sentence) {
    Assumptions.assumeTrue(Files.exists(file), sentence);
    return file;
  }
}
