package org.cartostream.deploy.artefact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.testing.TestFiles;

/** What {@code scripts/package} makes of this commit, made once, and commands to try it. */
public final class Artefacts {

  private static final Path DIST = TestFiles.ROOT.resolve("target/dist");
  private static final long MAX_MINUTES = 15;

  /** The answer that {@code datasets/golden.tsv} would freeze of a run with default settings. */
  record Answer(byte[] map, byte[] trajectory) {

    static Answer of(Path folder) throws IOException {
      return new Answer(
          Files.readAllBytes(folder.resolve("map.pgm")),
          Files.readAllBytes(folder.resolve("trajectory.tum")));
    }

    void requireSame(Answer other) {
      assertThat(other.map).as("map").isEqualTo(map);
      assertThat(other.trajectory).as("trajectory").isEqualTo(trajectory);
    }
  }

  private Artefacts() {}

  /**
   * One of them.
   *
   * @param pattern of its name, in which {@code VERSION} stands for the version
   */
  static synchronized Path get(String pattern) throws Exception {
    require("git", "mvn", "jq", "zip", "unzip", "asciidoctor", "dpkg-deb");
    String version = run(Map.of(), "scripts/package", "--version").strip();
    Path file = DIST.resolve(pattern.replace("VERSION", version));
    if (!Files.exists(file) || !Files.exists(DIST.resolve("SHA256SUMS"))) {
      run(Map.of(), "scripts/package");
    }
    return file;
  }

  /** Skips the test where one of these programs is missing. */
  static void require(String... programs) {
    for (String program : programs) {
      assumeTrue(
          Stream.of("/usr/bin", "/usr/sbin", "/bin", "/usr/local/bin")
              .anyMatch(bin -> Files.isExecutable(Path.of(bin, program))),
          "no " + program + ": scripts/test installs what the tests of packages need");
    }
  }

  /** Skips the test where this process may not make roots of other systems. */
  static void requireRoot() {
    assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "not root: only root makes roots of other systems");
  }

  /** What a command printed; it must end well. */
  static String run(Map<String, String> environment, String... command) throws Exception {
    Path printed = Files.createTempFile("command", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(TestFiles.ROOT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // Of it, Java says a word.
    builder.environment().putAll(environment);
    Process process = builder.start();
    try {
      boolean ended = process.waitFor(MAX_MINUTES, TimeUnit.MINUTES);
      String text = Files.readString(printed);
      assertThat(ended).as("%s ended; it printed %s", List.of(command), text).isTrue();
      assertThat(process.exitValue()).as("%s: %s", List.of(command), text).isZero();
      return text;
    } finally {
      process.destroyForcibly();
      Files.delete(printed);
    }
  }

  /**
   * A command in another system's root, with processes of its own.
   *
   * @param root becomes {@code /}
   */
  static String runIn(Path root, String command) throws Exception {
    return run(
        Map.of("HOME", "/root", "LC_ALL", "C.UTF-8"),
        "unshare",
        "-mpf",
        "--mount-proc=" + root.resolve("proc"),
        "chroot",
        root.toString(),
        "/bin/bash",
        "-c",
        command);
  }

  /**
   * Makes the root of a bare Debian 12.
   *
   * @param variant how much of it is set up, by {@code mmdebstrap}
   */
  static void makeRoot(Path root, String variant, String... options) throws Exception {
    run(
        Map.of(),
        Stream.of(
                Stream.of("unshare", "--mount", "mmdebstrap", "--quiet", "--variant=" + variant),
                Stream.of(options),
                Stream.of("bookworm", root.toString()))
            .flatMap(words -> words)
            .toArray(String[]::new));
    // Storm wants an address of the host's own name.
    String name = run(Map.of(), "hostname").strip();
    Files.writeString(root.resolve("etc/hosts"), "127.0.0.1 localhost " + name + "\n");
  }

  /**
   * Makes an arm64 system with a package in it, and returns the words that run the package there on
   * an emulated processor. Skips the test where that cannot be.
   *
   * @param root of the system, which is made
   * @param name the package's
   */
  public static List<String> onArm(Path root, String name) throws Exception {
    requireRoot();
    require("mmdebstrap", "qemu-aarch64-static");
    Path deb = get(name + "_VERSION_arm64.deb");
    makeRoot(root, "extract", "--architectures=arm64", "--include=openjdk-17-jre-headless");
    run(Map.of(), "dpkg-deb", "-x", deb.toString(), root.toString());
    Path home = root.resolve("usr/lib/cartostream");
    return List.of(
        "qemu-aarch64-static",
        "-L",
        root.toString(),
        root + "/usr/lib/jvm/java-17-openjdk-arm64/bin/java",
        "-XX:+UseSerialGC",
        "-Dcartostream.root=" + home,
        "-jar",
        home + "/cartostream.jar");
  }

  /** The office's log by the serial engine in this repository's launcher: what all must give. */
  static Answer expected(Path folder, String... words) throws Exception {
    run(
        Map.of(),
        Stream.concat(
                Stream.of(
                    "scripts/cartostream",
                    "replay",
                    "office",
                    "--engine",
                    "serial",
                    "--out",
                    folder.toString()),
                Stream.of(words))
            .toArray(String[]::new));
    return Answer.of(folder);
  }
}
