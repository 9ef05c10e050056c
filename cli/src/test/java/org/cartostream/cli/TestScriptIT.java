package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.run.Logs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How {@code scripts/test} installs packages on a machine that has a policy of its own for starting
 * services, and how it counts. Nothing is installed and nothing is built: the tools for it are
 * others, and only that part of the script runs.
 */
class TestScriptIT {

  /** Maven compiles and packages all. */
  private static final String PACKAGED = "case \"$*\" in *\" package \"*) exit 0;; esac; ";

  @TempDir private Path folder;
  private Path pid;

  /** What Maven prints. */
  private String lines =
      """
      [INFO] Tests run: 2, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 1.5 s -- in A
      [INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.25 s -- in A
      [INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 0
      [ERROR] Tests run: 40, Failures: 1, Errors: 2, Skipped: 4, Time elapsed: 2 s <<< FAILURE! -- in B
      [ERROR] Tests run: 40, Failures: 1, Errors: 2, Skipped: 4
      """;

  @BeforeEach
  void pretend() throws IOException {
    pid = folder.resolve("pid");
    Files.writeString(folder.resolve("policy"), "");
    tool("id", "echo 0");
    tool("service", "echo \"$@\" >>" + folder.resolve("asked"));
    tool("apt-get", "case \"$*\" in *rabbitmq-server*) touch " + pid + ";; esac");
  }

  private void tool(String name, String does) throws IOException {
    Path tool = Files.writeString(folder.resolve(name), "#!/bin/sh\n" + does + "\n");
    assertThat(tool.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void leavesTheMachinesOwnRabbitMqAlone() throws Exception {
    Files.writeString(pid, "");
    install("nftables");
    install("rabbitmq-server");
    assertThat(folder.resolve("asked")).doesNotExist();
  }

  @Test
  void leavesARabbitMqAloneThatWasStartedMeanwhile() throws Exception {
    tool("apt-get", "touch " + pid);
    install("nftables");
    assertThat(folder.resolve("asked")).doesNotExist();
  }

  @Test
  void stopsTheServiceThatItsPackageHasStarted() throws Exception {
    install("rabbitmq-server");
    assertThat(folder.resolve("asked")).hasContent("rabbitmq-server stop");
  }

  /** A class with tests of two engines has one report, of the engine that ran last. */
  @Test
  void countsTheTestsOfAllEngines() throws Exception {
    assertThat(ended("yes", 7, "exit 7"))
        .contains("test: 45 tests, 3 failed, 4 skipped, 4 s in tests");
  }

  /** The quick ones, and five groups. */
  @Test
  void countsTheTestsOfAllGroups() throws Exception {
    assertThat(ended("no", 7, PACKAGED + "exit 7"))
        .contains("test: 270 tests, 18 failed, 24 skipped, 22 s in tests");
  }

  /** A quick test that fails is told by Maven's words, not by its exit code. */
  @Test
  void failsThoughOnlyAQuickTestFailed() throws Exception {
    assertThat(ended("no", 1, "echo '[ERROR] There are test failures.'; exit 0"))
        .contains("test: FAILED");
  }

  /** Groups at the same module at the same time write one summary, and only one of them counts. */
  @Test
  void failsIfTheLastTryOfATestDid() throws Exception {
    assertThat(ended("no", 1, "exit 0")).contains("test: FAILED");
  }

  @Test
  void succeedsIfAllDo() throws Exception {
    lines = "[WARNING] Tests run: 40, Failures: 0, Errors: 0, Skipped: 4, Flakes: 3\n";
    assertThat(ended("no", 0, "exit 0"))
        .contains("test: 240 tests, 0 failed, 24 skipped")
        .doesNotContain("test: FAILED");
  }

  @Test
  void runsNoGroupsOfWhatWasNotCompiled() throws Exception {
    assertThat(ended("no", 7, "exit 7"))
        .contains("*IT and *AccuracyTest are not run", "test: 45 tests,");
  }

  /**
   * What the end of the script says if Maven prints the same each time, and it ends with that code.
   *
   * @param maven how Maven ends
   */
  private String ended(String fast, int exitCode, String maven) throws Exception {
    Path printed = Files.writeString(folder.resolve("lines"), lines);
    tool("mvn", "cat " + printed + "; " + maven);
    String part =
        """
        eval "$(sed -n '/^say()/p; /^take_back_policy()/,/^}/p' "$1")"
        fast=$3
        code=$(sed -n '/^logs=/,$p' "$1")
        shift 3
        eval "$code"
        """;
    Process script = bash(part, fast).redirectOutput(folder.resolve("said").toFile()).start();
    assertThat(script.waitFor()).isEqualTo(exitCode);
    return Files.readString(folder.resolve("said"));
  }

  private void install(String what) throws IOException, InterruptedException {
    String part =
        """
        eval "$(sed -n '/^say()/p; /^# Where Debian keeps/,/^has_rabbitmq()/p' "$1")"
        policy=$2/policy rabbitmq_pid=$2/pid
        install "$3"
        """;
    assertThat(bash(part, what).inheritIO().start().waitFor()).isZero();
  }

  /** Has bash run a part of the script, with the tools of this test first. */
  private ProcessBuilder bash(String part, String... more) {
    List<String> command = new ArrayList<>(List.of("bash", "-c", part, "bash"));
    command.add(Logs.ROOT.resolve("scripts/test").toString());
    command.add(folder.toString());
    command.addAll(List.of(more));
    ProcessBuilder script = new ProcessBuilder(command);
    script.environment().merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
    return script;
  }
}
