package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.cartostream.cli.OfficeReplay.SCANS;
import static org.cartostream.cli.OfficeReplay.command;
import static org.cartostream.cli.OfficeReplay.paths;
import static org.cartostream.cli.OfficeReplay.replayed;
import static org.cartostream.cli.OfficeReplay.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.rabbitmq.LocalRabbitMq;
import org.cartostream.cli.Cartostream;
import org.cartostream.cli.CartostreamProcess;
import org.cartostream.run.Logs;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole road from a log through broker and topology to the files, by the user's command. */
@Nightly
class StormReplayIT {

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({"dataflow,1", "dataflow,4", "bsp,2", "bsp,8"})
  void anyNumberOfTasksGivesTheSerialTrajectoryByteForByte(String mode, int tasks)
      throws IOException {
    String serial = paths(replayed(folder.resolve("serial"), "--engine", "serial"));
    Path storm = replayed(folder.resolve("storm"), "--mode", mode, "--tasks", tasks);
    assertThat(paths(storm)).isEqualTo(serial);
    assertThat(storm.resolve("map.png")).isNotEmptyFile();
    JsonNode report = report(storm);
    assertThat(report.at("/readings/read").asInt()).isEqualTo(SCANS);
    assertThat(report.at("/readings/processed").asInt()).isEqualTo(SCANS);
    assertThat(report.at("/tasks").asInt()).isEqualTo(tasks);
    assertThat(report.at("/millisPerReading/mean").asDouble()).isPositive();
  }

  /** Those of an earlier run are not taken for its own. */
  @Test
  void aRunWithoutCheckpointsKeepsNoState() {
    Path out = replayed(folder.resolve("out"));
    assertThat(out.resolve("run.state")).exists();
    replayed(out, "--set", "checkpoint.everySeconds=0");
    assertThat(out.resolve("run.state")).doesNotExist();
    Cartostream resumed = Cartostream.run(command(out, "--resume"));
    assertThat(resumed.complaint()).contains("there is nothing to resume");
  }

  @Test
  void mapsThroughARealRabbitMq() throws Exception {
    assumeThat(LocalRabbitMq.missing()).as("needs a RabbitMQ").isEmpty();
    String serial = paths(replayed(folder.resolve("serial"), "--engine", "serial"));
    try (LocalRabbitMq broker = LocalRabbitMq.started()) {
      assertThat(paths(replayed(folder.resolve("storm"), "--broker", broker.uri())))
          .isEqualTo(serial);
    }
  }

  @Test
  void twoRobotsShareABrokerAndOneRobotCannotBeThereTwice() throws Exception {
    String alone =
        paths(replayed(folder.resolve("serial"), "--engine", "serial", "--robot", "two"));
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      Object[] first = {"--broker", broker.uri(), "--robot", "one", "--rate", 0.2};
      // In its own JVM: Storm's local clusters in one would end each other's tasks.
      Process slow =
          CartostreamProcess.start(
              folder.resolve("process.txt"), command(folder.resolve("one"), first));
      Awaitility.await()
          .atMost(Duration.ofSeconds(120))
          .until(() -> Files.exists(folder.resolve("one/map.pgm")));

      Path two = replayed(folder.resolve("two"), "--broker", broker.uri(), "--robot", "two");
      Cartostream again = Cartostream.run(command(folder.resolve("again"), first));

      slow.destroy(); // SIGTERM: 128 + 15
      assertThat(slow.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(slow.exitValue()).isEqualTo(143);
      assertThat(report(folder.resolve("one")).at("/readings/lost").asInt(-1)).isZero();
      assertThat(paths(two)).isEqualTo(alone);
      assertThat(again.complaint()).contains("somebody else already", "answers.one.");
      assertThat(again.exitCode()).isEqualTo(1);
    }
  }

  @Test
  void writesTheMapSoFarWhenInterrupted() throws Exception {
    Path out = folder.resolve("early");
    ShutdownRequest shutdownRequest = new ShutdownRequest();
    Thread user =
        new Thread(
            () -> {
              // The log's own pace: its 320 readings would take minutes.
              Cartostream run =
                  Cartostream.run(
                      shutdownRequest, "replay", Logs.OFFICE, "--rate", 2, "--out", out);
              assertThat(run.exitCode()).isEqualTo(130);
            });
    user.start();
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .until(() -> Files.exists(out.resolve("map.pgm")));
    shutdownRequest.request(130);
    user.join(Duration.ofSeconds(120).toMillis());
    assertThat(user.isAlive()).isFalse();
    assertThat(report(out).at("/end").asText()).isEqualTo("INTERRUPTED");
    assertThat(Files.readAllLines(out.resolve("trajectory.tum")))
        .hasSize(report(out).at("/readings/processed").asInt());
    assertThat(report(out).at("/readings/lost").asInt(-1)).isZero();
  }

  @Test
  void saysThatTheBrokerRefusesTheCredentials() {
    try (EmbeddedBroker broker = EmbeddedBroker.start()) {
      URI right = URI.create(broker.uri());
      String wrong = "amqp://nobody:secret@" + right.getHost() + ":" + right.getPort();
      Cartostream run = Cartostream.run(command(folder, "--broker", wrong));
      assertThat(run.complaint())
          .contains("refuses the user name or the password")
          .doesNotContain("secret");
      assertThat(run.exitCode()).isEqualTo(1);
    }
  }

  @Test
  void notesThatTasksHaveNothingToDo() {
    ShutdownRequest ended = new ShutdownRequest();
    ended.request(130); // Storm is not needed for a word ahead.
    Object[] replay = {"replay", Logs.OFFICE, "--particles", 5, "--out", folder, "--tasks", 8};
    assertThat(Cartostream.run(ended, replay).err())
        .contains("note: of 8 tasks 3 have no particle");
    replay[7] = 5;
    assertThat(Cartostream.run(ended, replay).err()).doesNotContain("note:");
  }
}
