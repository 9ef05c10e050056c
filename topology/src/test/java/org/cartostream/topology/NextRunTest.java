package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs whose beginning the dispatcher fails at, as where it has no thread to look for them. */
@Quick
class NextRunTest extends NetworkTest {

  private static final String[] FIGURES = {"cartostream.checkpoint.bytes", "cartostream.maps"};

  private static final AtomicInteger ROBOTS = new AtomicInteger();

  /** The figures of one process are those of all tests in it: no other has this robot. */
  private final String robot = "next-" + ROBOTS.incrementAndGet();

  private final List<Reading> readings = Drive.readings(11, 8);
  private final ServiceSettings settings = checkpointed(settings(2), 1);
  private final Network network = network(1, settings);
  private final SimpleMeterRegistry shown = new SimpleMeterRegistry();

  @BeforeEach
  void show() {
    Metrics.addRegistry(shown);
  }

  @AfterEach
  void showNoMore() {
    Metrics.removeRegistry(shown);
  }

  private void send(long run, int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      network.send(envelope(robot, run, sequence, reading(robot, sequence, readings).body()));
    }
  }

  private void awaitAnswers(int count) {
    passUntil(network, () -> of(robot).answered() >= count);
  }

  private void assertFiguresAreShown() {
    for (String figure : FIGURES) {
      assertThat(shown.get(figure).tag("robot", robot).gauge().value())
          .as(figure)
          .isPositive()
          .isFinite();
    }
  }

  /** Not those of an attempt that came to nothing. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void showsTheFiguresOfTheRunThatBegins(int failures) {
    network.writings.refuse(failures, network.dispatcher::equals);
    send(RUN, 1, 4);
    awaitAnswers(4);
    network.pass(3);
    assertFiguresAreShown();
  }

  /** The robot may have no other for long, if its next does not begin. */
  @Test
  void leavesTheRunBeforeAloneUntilTheNextBegins() {
    send(RUN, 1, 4);
    awaitAnswers(4);
    network.pass(3); // All is in a checkpoint, and nothing else asks for a thread.
    network.writings.refuse(2, network.dispatcher::equals);
    send(RUN + 1, 1, 2);
    network.pass(1);
    assertThat(network.delivered(Streams.RUN_CLOSED)).isZero();
    assertThat(network.run(robot).number()).isEqualTo(RUN);
    assertFiguresAreShown();

    passUntil(network, () -> network.run(robot).number() == RUN + 1);
    for (int sequence = 3; sequence <= readings.size(); sequence++) {
      send(RUN + 1, sequence, sequence);
      network.pass(1);
    }
    awaitAnswers(readings.size());
    network.pass(3);
    assertThat(network.delivered(Streams.RUN_CLOSED)).isPositive();
    assertFiguresAreShown();
    network.send(envelope(robot, RUN + 1, 8, end(robot, 8).body()));
    awaitReport(network, robot);
    assertUndisturbed(settings, robot, readings);
  }
}
