package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * The disk of the checkpoints, or the broker's, is full for a while: the run goes on, or waits, and
 * its answers are those of a run with room.
 */
class FullServiceDiskIT {

  private static final int READINGS = 120;
  private static final Duration SOON = Duration.ofSeconds(120);

  /** Of a checkpoint: its epoch, and the reading up to which it is. */
  private static final Pattern MANIFEST = Pattern.compile("\\d+-(\\d+)\\.json");

  @TempDir private Path disk;
  private boolean isMounted;
  private ServiceSettings settings;
  private ServiceProcess service;

  @BeforeEach
  void start() throws Exception {
    isMounted = run("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk.toString());
    Assumptions.assumeTrue(isMounted, "a small disk cannot be mounted here: it needs root");
    service = ServiceProcess.start(disk, 512);
    settings = service.settings();
  }

  @AfterEach
  void stop() throws Exception {
    if (service != null) {
      service.close();
    }
    if (isMounted) {
      await().atMost(SOON).until(() -> run("umount", disk.toString()));
    }
  }

  private static boolean run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
  }

  private void fill() throws IOException {
    try (OutputStream out = Files.newOutputStream(disk.resolve("filler"))) {
      byte[] block = new byte[1 << 16];
      for (int i = 0; i < 1 << 10; i++) {
        out.write(block);
      }
      throw new IllegalStateException("the disk took 64 MB");
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }

  /** Up to which reading the last whole checkpoint is; 0 if there is none. */
  private long durable() {
    try (Stream<Path> files = Files.walk(disk)) {
      return files
          .map(file -> MANIFEST.matcher(file.getFileName().toString()))
          .filter(Matcher::matches)
          .mapToLong(numbers -> Long.parseLong(numbers.group(1)))
          .max()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void thatOfTheCheckpoints() throws Exception {
    List<Reading> readings = Drive.readings(21, READINGS);
    try (Robot robot = new Robot("r1", settings.broker())) {
      robot.drive(readings, 1, 40);
      await().atMost(SOON).until(() -> durable() > 0);
      fill();
      robot.drive(readings, 41, 80);
      await()
          .atMost(SOON)
          .until(
              () ->
                  service.hasLogged(
                      "is not durable since reading",
                      disk.toString(),
                      "(tmpfs)",
                      "No space left on device"));
      Files.delete(disk.resolve("filler"));
      robot.drive(readings, 81, READINGS);
      await().atMost(SOON).until(() -> durable() > 80);
      robot.end(READINGS);
      assertThat(robot.answers().result())
          .isEqualTo(Answers.serial(settings.filter(), "r1", readings));
      assertThat(robot.answers().report().recovery().times()).isZero();
    }
    assertThat(service.isAlive()).isTrue();
  }

  private boolean someConnectionIsBlocked() throws Exception {
    service.node().control("list_connections", "state");
    return Files.readString(service.node().folder().resolve("control.log")).contains("blocked");
  }

  /** RabbitMQ takes nothing from those who publish while less is free than its limit. */
  @Test
  void thatOfTheBroker() throws Exception {
    List<Reading> readings = Drive.readings(22, READINGS);
    ListAppender<ILoggingEvent> lines = new ListAppender<>();
    lines.start();
    ((Logger) LoggerFactory.getLogger("org.cartostream.broker.connection")).addAppender(lines);
    try (Robot robot = new Robot("r1", settings.broker())) {
      robot.drive(readings, 1, 40);
      service.node().control("set_disk_free_limit", "1000000GB");
      robot.say(41, readings.get(40));
      robot.say(42, readings.get(41));
      await().atMost(SOON).until(this::someConnectionIsBlocked);
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(List.copyOf(lines.list))
                      .extracting(ILoggingEvent::getFormattedMessage)
                      .anySatisfy(
                          line ->
                              assertThat(line)
                                  .contains("takes no messages at the moment: it is low on disk")));
      service.node().control("set_disk_free_limit", "1MB");
      robot.awaitAnswers(42);
      robot.drive(readings, 43, READINGS);
      robot.end(READINGS);
      assertThat(robot.answers().result())
          .isEqualTo(Answers.serial(settings.filter(), "r1", readings));
    } finally {
      ((Logger) LoggerFactory.getLogger("org.cartostream.broker.connection")).detachAppender(lines);
    }
    assertThat(service.isAlive()).isTrue();
  }
}
