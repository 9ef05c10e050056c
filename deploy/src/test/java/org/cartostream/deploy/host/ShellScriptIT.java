package org.cartostream.deploy.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;

/** Scripts that reach a shell by its standard input. */
@Default
class ShellScriptIT {

  private static final ShellScript HERE = new ShellScript(List.of("sh", "-s"), "here");

  @Test
  void returnsWhatIsPrintedButNoComplaint() {
    assertThat(HERE.run("echo warning >&2\necho 42\n", 10)).isEqualTo("42\n");
  }

  @Test
  void saysWhatAFailedScriptComplainedOf() {
    assertThatThrownBy(() -> HERE.run("echo no room >&2\nexit 3\n", 10))
        .isInstanceOf(ClusterException.class)
        .hasMessage("here fails with 3: no room");
  }

  @Test
  void waitsNoLongerThanItMayForAShellThatHangs() {
    assertThatThrownBy(() -> HERE.run("sleep 600\n", 1))
        .isInstanceOf(ClusterException.class)
        .hasMessage("here does not answer within 1 s");
  }

  /** A process with as many threads for common jobs as there are on a machine of three cores. */
  @Test
  void reachesItsShellOnAMachineOfThreeCores() throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.util.concurrent.ForkJoinPool.common.parallelism=2",
                "-cp",
                System.getProperty("java.class.path"),
                Asks.class.getName())
            .redirectErrorStream(true);
    command.environment().remove("JAVA_TOOL_OPTIONS"); // Of it, Java says a word.
    Process process = command.start();
    try {
      assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("42\n");
    } finally {
      process.destroyForcibly();
    }
  }

  /** A process that has a script run. */
  static final class Asks {

    private Asks() {}

    public static void main(String[] arguments) {
      System.out.print(HERE.run("echo 42\n", 10));
    }
  }

  @Test
  void namesAShellThatIsNotThere() {
    assertThatThrownBy(() -> new ShellScript(List.of("no-such-shell"), "there").run("true\n", 10))
        .isInstanceOf(ClusterException.class)
        .hasMessageStartingWith("there cannot be reached");
  }
}
