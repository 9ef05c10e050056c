package org.cartostream.cli.command;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.run.Logs;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The folder of a replay that was killed on its way, in which somebody has changed one file before
 * it is to go on.
 */
final class ChangedFolder {

  /** Which file is changed. */
  enum Kind {
    MANIFEST(".*/checkpoint/.*[.]json"),
    PART(".*/[0-9]+-[0-9]+[.](filter|matcher|publisher)[^/]*"),
    JOURNAL(".*/run[.]journal"),
    MAP(".*/map[.]pgm"),
    STATE(".*/run[.]state");

    private final String path;

    Kind(String path) {
      this.path = path;
    }
  }

  /** What is done to it. */
  enum Change {
    PIPE,
    LINK,
    FOLDER,
    SPARSE,
    EMPTY,
    NULL,
    CUT,
    FOREIGN,
    SWAPPED,
    /** It stays, and another has its content under a name of numbers that no long holds. */
    NUMBERS
  }

  private static final String SECRET = "what a link leads to is another's\n";
  private static final String NUMBER = "9".repeat(19);
  private static final int SCANS = 120;

  private final Path folder;
  private final String engine;

  /**
   * @param folder for all files
   */
  ChangedFolder(Path folder, String engine) {
    this.folder = folder;
    this.engine = engine;
  }

  /** Each change of files of some kinds. */
  static Stream<Arguments> changes(Kind... kinds) {
    return Stream.of(kinds)
        .flatMap(kind -> Arrays.stream(Change.values()).map(each -> Arguments.of(kind, each)));
  }

  private Object[] command(String by, Path out, Object... more) {
    Object[] fixed = {
      "replay", Logs.OFFICE, "--limit", SCANS, "--particles", 40, "--engine", by, "--out", out
    };
    Object[] checkpoints = {"--set", "checkpoint.everySeconds=0.05", "--no-record"};
    return Stream.of(fixed, checkpoints, more).flatMap(Stream::of).toArray();
  }

  /** Leaves a folder whose run was killed behind its first checkpoint, and what it should give. */
  void prepare() throws Exception {
    assertThat(Cartostream.run(command("serial", folder.resolve("whole"))).exitCode()).isZero();
    Object[] slow = engine.equals("storm") ? new Object[] {"--rate", 8} : new Object[0];
    Path out = folder.resolve("killed");
    Process process =
        CartostreamProcess.start(folder.resolve("killed.txt"), command(engine, out, slow));
    new ReplayProgress(out.resolve("checkpoint")).untilSomewhere(process);
    process.destroyForcibly().waitFor();
    for (String name : List.of("map.pgm", "run.state")) {
      Files.writeString(out.resolve(name), "of an older run");
    }
  }

  /** Changes a copy, and has the run go on there. */
  void check(Kind kind, Change change, Path copy) throws Exception {
    run("cp", "-a", folder.resolve("killed").toString(), copy.toString());
    Path secret = Files.writeString(copy.resolveSibling("secret"), SECRET);
    change(change, file(copy, kind), secret);

    Cartostream resumed = Cartostream.run(command(engine, copy, "--resume"));

    System.out.println(kind + " " + change + "\n" + resumed.out() + resumed.err());
    assertThat(resumed.out() + resumed.err()).doesNotContain("Exception", "java.", "\tat ");
    assertThat(secret).hasContent(SECRET);
    if (List.of(Kind.MAP, Kind.STATE, Kind.JOURNAL).contains(kind) && change == Change.FOLDER) {
      assertThat(resumed.complaint())
          .contains("' is a folder", "the run writes a file of that name");
      return;
    }
    assertThat(resumed.exitCode()).as(resumed.err()).isZero();
    for (String name : List.of("trajectory.tum", "live.tum", "map.pgm", "map.yaml")) {
      assertThat(copy.resolve(name))
          .hasSameBinaryContentAs(folder.resolve("whole").resolve(name))
          .isRegularFile();
    }
  }

  private static Path file(Path copy, Kind kind) throws IOException {
    return all(copy).stream().filter(each -> each.toString().matches(kind.path)).findFirst().get();
  }

  /** The newest first. */
  private static List<Path> all(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(each -> Files.isRegularFile(each, NOFOLLOW_LINKS))
          .sorted(Comparator.comparing(Path::toString).reversed())
          .toList();
    }
  }

  private static void change(Change change, Path file, Path secret) throws Exception {
    byte[] content = Files.readAllBytes(file);
    if (change == Change.NUMBERS) {
      String name =
          file.getFileName().toString().replaceFirst("^([0-9]+-[0-9]+)?", NUMBER + "-" + NUMBER);
      Files.write(file.resolveSibling(name), content);
      return;
    }
    Files.delete(file);
    switch (change) {
      case PIPE -> run("mkfifo", file.toString());
      case LINK -> Files.createSymbolicLink(file, secret);
      case FOLDER -> Files.writeString(Files.createDirectory(file).resolve("a"), SECRET);
      case SPARSE -> {
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
          sparse.setLength(6L << 30);
        }
      }
      case EMPTY -> Files.createFile(file);
      case NULL -> Files.writeString(file, "null");
      case CUT -> Files.write(file, Arrays.copyOf(content, content.length / 2));
      case FOREIGN -> Files.writeString(file, "127.0.0.1 localhost\n");
      default -> Files.write(file, Files.readAllBytes(other(file)));
    }
  }

  private static Path other(Path file) throws IOException {
    return all(file.getParent().getParent()).stream()
        .filter(each -> !each.equals(file))
        .findFirst()
        .get();
  }

  private static void run(String... command) throws Exception {
    assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
  }
}
