package org.cartostream.bench.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.run.Logs;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Command lines in the documentation, run as a reader types them, one after another in one folder:
 * those that need no more than this repository has. {@code my.clf} and {@code more.clf} are parts
 * of its log there.
 */
@Nightly
class DocumentedCommandsIT {

  /** Why the others are not run, by what is in them; the first that is found counts. */
  private static final Map<String, String> NOT_RUN = new LinkedHashMap<>();

  static {
    NOT_RUN.put("killian|LOG|FOLDER|aces", "needs a public log, which is fetched or not passed on");
    NOT_RUN.put("gateway|--ros|\\.bag|rosbag2", "needs a robot, or a bag of one");
    NOT_RUN.put("monday|tuesday|afternoon", "needs two logs of one place");
    NOT_RUN.put(
        "cluster|submit|service|robots|s3:|--broker", "needs servers, which other ITs start");
    NOT_RUN.put("cartostream view", "shows a page until it is ended");
    NOT_RUN.put("sim --world", "takes minutes: SimCommandAccuracyTest, OfficeLocaliseAccuracyTest");
    NOT_RUN.put("scripts/bench |collectives", "measures for minutes to hours");
    NOT_RUN.put(
        "scripts/(test|build|golden|bench-kernels|package)", "builds, or runs tests, itself");
    NOT_RUN.put("network-hosts", "needs root: NetworkHostsIT");
    NOT_RUN.put("/maps", "writes outside its folder: MapsCommandTest");
  }

  private static final int SCANS = 80;
  private static final long MAX_SECONDS = 120;

  @TempDir private static Path folder;

  /** What readers have: launchers, which lead to the classes under test, and logs. */
  @BeforeAll
  static void install() throws IOException {
    Path scripts = Files.createDirectory(folder.resolve("scripts"));
    Files.createSymbolicLink(folder.resolve("datasets"), Logs.ROOT.resolve("datasets"));
    Files.createSymbolicLink(
        scripts.resolve("count-lines"), Logs.ROOT.resolve("scripts/count-lines"));
    Files.writeString(
        scripts.resolve("cartostream"),
        "exec '%s/bin/java' -XX:TieredStopAtLevel=1 -Dcartostream.root='%s' -cp '%s' org.cartostream.cli.Main \"$@\"\n"
            .formatted(
                System.getProperty("java.home"), Logs.ROOT, System.getProperty("java.class.path")));
    Files.setPosixFilePermissions(
        scripts.resolve("cartostream"), PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> log = Files.readAllLines(Logs.OFFICE);
    Files.write(folder.resolve("my.clf"), log.subList(0, SCANS));
    Files.write(folder.resolve("more.clf"), log.subList(SCANS, 2 * SCANS));
    List<String> truth = Files.readAllLines(Logs.OFFICE_REFERENCE);
    Files.write(folder.resolve("true.tum"), truth.subList(0, SCANS));
  }

  private static Stream<DocumentedCommand> whole() throws IOException {
    return DocumentedCommand.all().stream()
        .filter(command -> command.text().matches("(scripts/|cartostream ).*"))
        .filter(command -> command.isWhole() && !command.words().isEmpty());
  }

  static Stream<String> commands() throws IOException {
    return whole()
        .map(command -> command.text().replaceAll(" +#.*", ""))
        .filter(text -> NOT_RUN.keySet().stream().noneMatch(each -> has(text, each)))
        .distinct();
  }

  private static boolean has(String text, String pattern) {
    return text.matches(".*(" + pattern + ").*");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void runs(String command) throws IOException, InterruptedException {
    Path output = folder.resolve("output.txt");
    // Any free port in place of the usual one, which somebody may have.
    ProcessBuilder builder =
        new ProcessBuilder("bash", "-c", command.replace("--web", "--web=0"))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    // "cartostream" alone is the installed one.
    builder.environment().merge("PATH", folder + "/scripts:", (path, own) -> own + path);
    Process process = builder.start();
    try {
      assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).as("ends").isTrue();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
  }

  @Test
  void eachReasonIsThatOfACommand() throws IOException {
    List<String> texts = whole().map(DocumentedCommand::text).toList();
    assertThat(NOT_RUN.keySet()).allMatch(each -> texts.stream().anyMatch(text -> has(text, each)));
  }
}
