package org.cartostream.broker.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Default
class EmbeddedBrokerLifecycleIT {

  private static final long MAX_SECONDS = 60;

  @Test
  void leavesNothingBehind() {
    String uri;
    Path folder;
    try (EmbeddedBroker second = EmbeddedBroker.start()) {
      uri = second.uri();
      folder = second.folder();
      assertThat(folder).isDirectory();
    }
    assertThat(folder).doesNotExist();
    assertThatThrownBy(
            () ->
                BrokerConnection.open(
                    BrokerSettings.defaults().withUri(uri), "late", BrokerListener.NONE))
        .hasMessageContaining("no broker answers at 127.0.0.1:");
  }

  /** Qpid does not know its own names in Turkish, where the small letter of I is another. */
  static final class InTurkish {
    private InTurkish() {}

    public static void main(String[] unused) {
      EmbeddedBroker.start();
    }
  }

  /** An Error is no exception: its threads would keep the process, and nobody would get a word. */
  @Test
  void leavesNothingBehindWhereAnErrorKeepsItFromStarting(@TempDir Path folder) throws Exception {
    Path said = folder.resolve("said");
    Path temporary = Files.createDirectory(folder.resolve("tmp"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=tr",
                "-Duser.country=TR",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                InTurkish.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    try {
      assertThat(process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)).as("ended in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(said).content().contains("ExceptionInInitializerError");
    assertThat(temporary).isEmptyDirectory();
  }
}
