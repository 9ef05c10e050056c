package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.cartostream.run.Logs;
import org.cartostream.testing.Default;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in an installation of its own, whose jar leads to the classes under test, so that no
 * build runs inside the build.
 */
@Default
class LauncherIT {

  private static final long MAX_SECONDS = 120;

  @TempDir private Path folder;
  private Path root;
  private Path launcher;

  private record Ended(int exitCode, String out, String err) {}

  @BeforeEach
  void install() throws IOException {
    root = folder.resolve("a folder with spaces");
    Files.createDirectories(root.resolve("scripts"));
    Files.createDirectories(root.resolve("cli/target/launcher"));
    Files.createDirectories(root.resolve("cli/src/main"));
    Files.writeString(root.resolve("pom.xml"), "<project/>");
    Files.writeString(root.resolve("cli/pom.xml"), "<project/>");
    launcher = root.resolve("scripts/cartostream");
    Files.copy(Logs.ROOT.resolve("scripts/cartostream"), launcher);
    Files.copy(Logs.ROOT.resolve("scripts/build"), root.resolve("scripts/build"));
    Files.createDirectories(root.resolve("deploy/launcher"));
    Files.copy(
        Logs.ROOT.resolve("deploy/launcher/cartostream"),
        root.resolve("deploy/launcher/cartostream"));
    assumeThat(Files.isExecutable(launcher)).isTrue();
    jar(root.resolve("cli/target/launcher/cartostream.jar"));
    Files.writeString(root.resolve("cli/target/launcher/built"), "");
  }

  private static void jar(Path file) throws IOException {
    Manifest manifest = new Manifest();
    Attributes main = manifest.getMainAttributes();
    main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    main.put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    main.put(
        Attributes.Name.CLASS_PATH,
        Stream.of(System.getProperty("java.class.path").split(":"))
            .map(each -> Path.of(each).toUri().toString())
            .collect(Collectors.joining(" ")));
    try (OutputStream out = Files.newOutputStream(file)) {
      new JarOutputStream(out, manifest).close();
    }
  }

  private ProcessBuilder process(Path script, Object... arguments) throws IOException {
    // A signal that whoever started the tests ignores would be ignored by the launcher, too.
    List<String> words =
        Stream.concat(
                Stream.of("env", "--default-signal=INT,TERM,HUP", script.toString()),
                Stream.of(arguments).map(Object::toString))
            .toList();
    Files.writeString(folder.resolve("out.txt"), "");
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve("out.txt").toFile())
            .redirectError(folder.resolve("err.txt").toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS"); // Of it, Java says a word.
    return builder;
  }

  private Ended run(ProcessBuilder builder) throws IOException, InterruptedException {
    return end(builder.start());
  }

  private Ended end(Process process) throws IOException, InterruptedException {
    try {
      assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
      return new Ended(
          process.exitValue(),
          Files.readString(folder.resolve("out.txt")),
          Files.readString(folder.resolve("err.txt")));
    } finally {
      process.destroyForcibly();
    }
  }

  /** A Maven that says what it was asked for, and builds nothing. */
  private ProcessBuilder withMaven(ProcessBuilder builder, int exitCode) throws IOException {
    Path bin = Files.createDirectories(folder.resolve("bin"));
    Path mvn = bin.resolve("mvn");
    Files.writeString(
        mvn, "#!/bin/sh\necho \"mvn $*\" | tee -a '" + bin + "/asked'\nexit " + exitCode + "\n");
    assertThat(mvn.toFile().setExecutable(true)).isTrue();
    builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
    return builder;
  }

  private List<String> askedOfMaven() throws IOException {
    Path asked = folder.resolve("bin/asked");
    return Files.exists(asked) ? Files.readAllLines(asked) : List.of();
  }

  @Test
  void runsFromAnywhereThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), launcher);
    Ended ended = run(withMaven(process(link, "--version"), 0));
    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).contains("cartostream ", "storm ", "rabbitmqClient ");
    assertThat(ended.exitCode()).isZero();
    assertThat(askedOfMaven()).isEmpty();
  }

  @Test
  void handsOnTheExitCode() throws Exception {
    Ended ended = run(process(launcher, "replay", "--sead"));
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.err()).contains("--help");
  }

  @Test
  void buildsWhenASourceIsNewer() throws Exception {
    Path source = Files.writeString(root.resolve("cli/src/main/New.java"), "");
    assertThat(
            source
                .toFile()
                .setLastModified(System.currentTimeMillis() + TimeUnit.HOURS.toMillis(1)))
        .isTrue();
    Ended ended = run(withMaven(process(launcher, "--version"), 0));
    assertThat(askedOfMaven())
        .singleElement()
        .asString()
        .contains("-DmainOnly", "-pl cli -am package");
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void showsWhatMavenSaidWhenTheBuildFails() throws Exception {
    Files.delete(root.resolve("cli/target/launcher/cartostream.jar"));
    Ended ended = run(withMaven(process(launcher, "--version"), 1));
    assertThat(ended.err()).contains("-pl cli -am package", "the build failed");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void saysThatThereIsNoJava() throws Exception {
    ProcessBuilder builder = process(launcher, "--version");
    builder.environment().put("JAVA_HOME", "/nowhere");
    Ended ended = run(builder);
    assertThat(ended.err()).contains("no '/nowhere/bin/java' found", "Java 17");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void saysWhatJavaSaysThatDoesNotStart() throws Exception {
    ProcessBuilder builder = process(launcher, "--version");
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Xnonsense");
    Ended ended = run(builder);
    assertThat(ended.err()).contains("java -version' fails: ", "-Xnonsense");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void takesTheUsersJvmOptions() throws Exception {
    ProcessBuilder builder = process(launcher, "--version");
    builder.environment().put("CARTOSTREAM_JVM_OPTS", "-XX:+UseSerialGC -Xmx200m -Xlog:gc+init");
    Ended ended = run(builder);
    assertThat(ended.out())
        .contains("Heap Initial Capacity: 32M", "Heap Max Capacity: 200M", "cartostream ");
    assertThat(ended.exitCode()).isZero();
  }

  /** Where the small letter of I is another, and the broker would not know its own names. */
  @Nightly
  @Test
  void startsTheBrokerInTurkish() throws Exception {
    ProcessBuilder builder =
        process(
            launcher,
            "replay",
            Logs.OFFICE,
            "--zookeeper",
            "127.0.0.1:1",
            "--set",
            "registry.timeoutSeconds=1");
    builder.environment().put("CARTOSTREAM_JVM_OPTS", "-Duser.language=tr -Duser.country=TR");
    Ended ended = run(builder);
    assertThat(ended.err()).contains("cartostream: no ZooKeeper answers at 127.0.0.1:1");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void takesAFileWithAnUmlautInTheCLocale() throws Exception {
    assumeThat(System.getProperty("sun.jnu.encoding")).isEqualTo("UTF-8");
    assumeThat(hasUnicodeInC()).as("has C.UTF-8").isTrue();
    ProcessBuilder builder = process(launcher, "replay", "b\u00fcro.clf");
    builder.environment().put("LC_ALL", "C");
    Ended ended = run(builder);
    assertThat(ended.err()).startsWith("cartostream: there is no log file 'b\u00fcro.clf'");
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  private static boolean hasUnicodeInC() throws Exception {
    Process locales = new ProcessBuilder("locale", "-a").start();
    return locales.inputReader().lines().anyMatch(name -> name.matches("(?i)C\\.utf-?8"));
  }

  @Nightly
  @Test
  void saysThatTheMemoryIsTooSmall() throws Exception {
    ProcessBuilder builder =
        process(launcher, "replay", Logs.OFFICE, "--engine", "serial", "--particles", 20000);
    builder.environment().put("CARTOSTREAM_JVM_OPTS", "-Xmx40m");
    Ended ended = run(builder);
    assertThat(ended.err()).containsOnlyOnce("cartostream: ").doesNotContain("\tat ");
    assertThat(ended.err()).contains("the heap of", "MiB is full", "--particles", "-Xmx8g");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void failsWhereItsOutputCannotBeWritten() throws Exception {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    Ended ended = run(process(launcher, "settings").redirectOutput(full.toFile()));
    assertThat(ended.err()).startsWith("cartostream: standard output cannot be written: ");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  /** As {@code head} does, which has read enough. */
  @Test
  void doesNotMindAReaderThatLeaves() throws Exception {
    Process process =
        process(launcher, "settings").redirectOutput(ProcessBuilder.Redirect.PIPE).start();
    process.getInputStream().close();
    Ended ended = end(process);
    assertThat(ended.err()).isEmpty();
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void writesTheMapSoFarOnControlC() throws Exception {
    Ended ended = interrupted("INT");
    assertThat(ended.err()).doesNotContain("cartostream:");
    assertThat(ended.err()).containsOnlyOnce("ending; a second Ctrl-C");
    assertThat(ended.out()).contains("interrupted");
    assertThat(ended.exitCode()).isEqualTo(130);
    assertThat(folder.resolve("map/map.png")).exists();
    assertThat(folder.resolve("map/trajectory.tum")).isNotEmptyFile();
  }

  /** Of which it may hear from the shell and from the system. */
  @Nightly
  @Test
  void writesTheMapSoFarWhenItsTerminalIsClosed() throws Exception {
    Ended ended = interrupted("HUP", "HUP");
    assertThat(ended.err()).doesNotContain("cartostream:");
    assertThat(ended.out()).contains("interrupted");
    assertThat(ended.exitCode()).isEqualTo(129);
    assertThat(folder.resolve("map/map.png")).exists();
    assertThat(folder.resolve("map/trajectory.tum")).isNotEmptyFile();
  }

  /** A replay that is sent signals in its midst. */
  private Ended interrupted(String... signals) throws Exception {
    ProcessBuilder replay =
        process(
            launcher,
            "replay",
            Logs.OFFICE,
            "--engine",
            "serial",
            "--particles",
            20000,
            "--out",
            folder.resolve("map"));
    Process process = replay.start();
    awaitWord("err.txt", "/320");
    for (String signal : signals) {
      send(signal, process);
    }
    return end(process);
  }

  private void awaitWord(String file, String word) {
    Awaitility.await()
        .atMost(MAX_SECONDS, TimeUnit.SECONDS)
        .until(() -> Files.readString(folder.resolve(file)).contains(word));
  }

  private static void send(String signal, Process process) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor())
        .isZero();
  }

  @Test
  void endsAtOnceByTheFirstSignalWhereNothingIsToBeBroughtToAnEnd() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      silent.setSoTimeout((int) TimeUnit.SECONDS.toMillis(MAX_SECONDS));
      String address = "127.0.0.1:" + silent.getLocalPort();
      Process process = process(launcher, "robots", "--zookeeper", address).start();
      try (Socket asked = silent.accept()) { // By who waits for a word from now on.
        send("TERM", process);
        Ended ended = end(process);
        assertThat(ended.err()).isEmpty();
        assertThat(ended.exitCode()).isEqualTo(143);
      }
    }
  }
}
