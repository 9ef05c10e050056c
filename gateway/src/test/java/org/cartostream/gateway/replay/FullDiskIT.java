package org.cartostream.gateway.replay;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.InMemoryBroker;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.Logs;
import org.cartostream.gateway.ManualClock;
import org.cartostream.gateway.NoReplayListener;
import org.cartostream.gateway.TestBroker;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** A log's results go to a small disk of their own, which is full for a while. */
@Default
class FullDiskIT {

  private static final int READINGS = 2000;

  private final InMemoryBroker memory = new InMemoryBroker();
  private final TestBroker broker = TestBroker.of(memory);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @TempDir private Path disk;
  private boolean isMounted;

  @BeforeEach
  void mount() throws Exception {
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk.toString());
    Assumptions.assumeTrue(isMounted, "a small disk cannot be mounted here: it needs root");
    lines.start();
    ((Logger) LoggerFactory.getLogger(LogResults.class)).addAppender(lines);
  }

  @AfterEach
  void unmount() throws Exception {
    ((Logger) LoggerFactory.getLogger(LogResults.class)).detachAppender(lines);
    if (isMounted) {
      assertThat(run("umount", disk.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
  }

  @Test
  void costsOnlyTheMapThatCannotBeWrittenAndSaysWhereThereIsNoRoom() throws Exception {
    ReplayReport report;
    try (FakeService service = new FakeService(broker.open("service", BrokerListener.NONE));
        LogGateway gateway =
            LogGateway.open(
                new LogGateway.Options(
                    "r1",
                    Pace.MAX,
                    new GatewaySettings(2, 45, 50, 64),
                    new FileSink(disk),
                    new NoReplayListener(),
                    Optional.empty()),
                outages -> broker.open("gateway", outages),
                new ManualClock())) {
      service.serve();
      fill();
      report = gateway.run(Logs.of(READINGS, i -> roomIsMade(service, i)), Optional.empty());
    }

    assertThat(report.failure()).isEmpty();
    assertThat(report.counts().processed()).isEqualTo(READINGS);
    assertThat(lines.list)
        .singleElement()
        .satisfies(
            line ->
                assertThat(line.getFormattedMessage())
                    .contains(disk.resolve("map.pgm") + " on the disk " + disk + " (tmpfs)")
                    .contains("No space left on device"));
    try (Stream<Path> files = Files.list(disk)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains("map.pgm", "map.yaml", "trajectory.tum")
          .noneMatch(name -> name.endsWith(".part"));
    }
  }

  /**
   * A map comes while the disk is full; when it is said that it cannot be written, room is made.
   */
  private LogEntry roomIsMade(FakeService service, long i) {
    if (i == 10) {
      service.sends(MapMessage.of(FakeService.MAP, 0));
    }
    if (!lines.list.isEmpty() || i == READINGS) {
      disk.resolve("filler").toFile().delete();
    }
    return Logs.taken(i);
  }

  private void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
      for (int i = 0; i < 1 << 20; i++) {
        out.write(0);
      }
      throw new IllegalStateException("the disk took a megabyte");
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }
}
