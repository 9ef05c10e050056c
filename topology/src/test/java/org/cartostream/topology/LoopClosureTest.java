package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** At the end of a run the loops of its path are closed; that may take long. */
@Quick
class LoopClosureTest extends NetworkTest {

  private static final int READINGS = 8;
  private static final ServiceSettings ALONE = settings(2);
  private static final int FORGOTTEN_AFTER_SECONDS = 30;
  private static final ServiceSettings FORGETFUL =
      settings(2, "robotTimeoutSeconds", Integer.toString(FORGOTTEN_AFTER_SECONDS));

  /** So long a word and what follows from it are on their way, at most, while nobody is busy. */
  private static final int SECONDS = 10;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  /**
   * A network in which the robot r1 has said that nothing follows, and its path is being closed.
   */
  private Network closing(ServiceSettings settings) {
    return closing(settings, new MemoryStore());
  }

  private Network closing(ServiceSettings settings, CheckpointStore store) {
    Network network = network(1, settings, store);
    drive(network, readings, 1, READINGS);
    network.closings.hold(true);
    network.send(end("r1", READINGS));
    network.pass(SECONDS);
    assertThat(of("r1").report()).isNull();
    assertThat(network.closings.waiting()).isOne();
    return network;
  }

  /** Where the robot r1 has been, before loops are closed. */
  private static RecordedPath open(List<Reading> readings) {
    SerialFilter filter = new SerialFilter(ALONE.filter(), "r1");
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      filter.process(sequence, readings.get(sequence - 1));
    }
    return filter.trajectoryTree().bestPath();
  }

  private long poses() {
    return of("r1").all().stream().filter(said -> said.body() instanceof PoseMessage).count();
  }

  private long lastMaps() {
    return of("r1").all().stream()
        .filter(said -> said.body() instanceof MapMessage map && map.last())
        .count();
  }

  /** The latest that came before the last map. */
  private List<ClosedLoop> loops() {
    List<ClosedLoop> latest = null;
    for (Envelope each : of("r1").all()) {
      if (each.body() instanceof LoopsMessage message) {
        latest = message.loops();
      } else if (each.body() instanceof MapMessage map && map.last()) {
        return latest;
      }
    }
    throw new AssertionError("there is no last map");
  }

  @InEachMode
  void theLastWordsAreThePathAndTheMapWithTheirLoopsClosed(String mode) {
    RecordedPath closed = open(Drive.readings(12, READINGS)).withLoopsClosed();
    List<RecordedPath> open = new ArrayList<>();
    Network network = network(1, settings(2, "mode", mode));
    network.closeBy(
        recordedPath -> {
          open.add(recordedPath);
          return closed;
        });
    driveToTheEnd(network, readings, 1);

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().loops()).isEqualTo(closed.loopsClosed());
    assertThat(closed.loopsClosed().nanos()).isPositive();
    assertThat(of("r1").path()).isEqualTo(closed.path());
    assertThat(loops()).as("those of the whole path").isEqualTo(closed.loops());
    assertThat(of("r1").result().map()).isEqualTo(Answers.describe(closed.map().grid()));
    assertThat(open).hasSize(1);
    assertThat(open.get(0).path()).isEqualTo(open(readings).path()).isNotEqualTo(closed.path());
  }

  @Test
  void posesOfAnotherRobotGoOutMeanwhile() {
    Network network = closing(ALONE);
    for (int sequence = 1; sequence <= READINGS; sequence++) {
      network.send(reading("r2", sequence, readings));
      network.deliverAll();
    }
    assertThat(of("r2").answered()).isEqualTo(READINGS);
    assertThat(of("r1").report()).isNull();

    network.closings.hold(false);
    network.deliverAll();
    assertUndisturbed(ALONE, readings);
  }

  /** A gateway asks again when it has not heard anything for long, and gives up after a while. */
  @Test
  void whoAsksAgainMeanwhileHearsThatItIsThereAndWaitsForTheSame() {
    Network network = closing(ALONE);
    assertThat(poses()).isEqualTo(READINGS);
    for (int again = 1; again <= 2; again++) {
      network.send(end("r1", READINGS));
      network.pass(SECONDS);
      assertThat(poses()).isEqualTo(READINGS + again);
    }
    assertThat(network.closings.waiting()).isOne();
    assertThat(lastMaps()).isZero();

    network.closings.hold(false);
    network.deliverAll();
    assertUndisturbed(ALONE, readings);
    assertThat(lastMaps()).isOne();
  }

  /** It is found at the next tick. */
  @Test
  void theLastWordsAreSaidThoughThePublisherWasNotToldThatTheyAreThere() {
    Network network = closing(ALONE);
    network.closings.hold(false);
    network.failAt(Streams.BACKGROUND_DONE);
    network.pass(SECONDS);
    assertThat(network.hasFailed()).isTrue();

    assertUndisturbed(ALONE, readings);
  }

  static List<UnaryOperator<RecordedPath>> failures() {
    return List.of(
        recordedPath -> {
          throw new IllegalStateException("in a test");
        },
        recordedPath -> {
          throw new OutOfMemoryError("in a test");
        });
  }

  @ParameterizedTest
  @MethodSource("failures")
  void whatCannotBeClosedIsSaidAsItWas(UnaryOperator<RecordedPath> failure) {
    Network network = network(1, ALONE);
    network.closeBy(failure);
    driveToTheEnd(network, readings, 1);

    RecordedPath open = open(readings);
    assertThat(of("r1").report().failure()).contains("not closed").endsWith("in a test");
    assertThat(of("r1").path()).isEqualTo(open.path());
    assertThat(of("r1").result().map()).isEqualTo(Answers.describe(open.map().grid()));
  }

  @Test
  void aPublisherThatFailsMeanwhileBeginsAgain() {
    Network network = closing(ALONE);
    network.send(
        Streams.RESAMPLING_RESULTS,
        new Payload.ResamplingResult(network.run("r1"), null, null, null, 0));
    network.closings.hold(false);
    awaitReport(network, "r1");

    assertThat(of("r1").report().recovery().times()).isOne();
    assertUndisturbed(ALONE, readings);
  }

  @Test
  void ofARunThatIsReplacedMeanwhileNothingIsClosed() {
    Network network = closing(ALONE);
    network.send(envelope("r1", RUN + 1, 1, reading("r1", 1, readings).body()));
    network.deliverAll();
    assertThat(of("r1").report()).isNull();
    isClosedInVain(network);
    assertThat(of("r1").report()).isNull();
  }

  /** Its robot is forgotten. */
  @Test
  void ofARunThatIsOverMeanwhileNothingIsClosed() {
    Network network = closing(FORGETFUL);
    network.pass(FORGOTTEN_AFTER_SECONDS + 1);
    isClosedInVain(network);
    assertThat(of("r1").report()).isNull();
  }

  @Test
  void ofARunThatIsOverBeforeItIsClosedNothingIsSaid() {
    Network network = closing(FORGETFUL);
    network.closeBy(
        recordedPath -> {
          for (int second = 0; second <= FORGOTTEN_AFTER_SECONDS; second++) {
            network.tick();
          }
          network.deliverAllTo(Component.Publisher.class, 0);
          return recordedPath;
        });
    network.closings.hold(false);
    network.deliverAll();
    assertThat(network.delivered(Streams.BACKGROUND_DONE)).isOne();
    assertThat(of("r1").report()).isNull();
  }

  private static void isClosedInVain(Network network) {
    List<RecordedPath> closed = new ArrayList<>();
    network.closeBy(
        recordedPath -> {
          closed.add(recordedPath);
          return recordedPath;
        });
    network.closings.hold(false);
    network.deliverAll();
    assertThat(network.closings.waiting()).isZero();
    assertThat(closed).isEmpty();
  }

  /** It begins again with the run's checkpoint, or with nothing, and closes the same. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPublisherThatDiesMeanwhileHasASuccessorThatSaysTheLastWords(boolean stores) {
    Network network = closing(ALONE, stores ? new MemoryStore() : null);
    network.restartPublisher();
    network.closings.hold(false);
    awaitReport(network, "r1");

    assertThat(of("r1").report().recovery().times()).isOne();
    assertUndisturbed(ALONE, readings);
  }

  /** The broker sends again what is not in the checkpoint, and the robot that nothing follows. */
  @Test
  void aDispatcherThatDiesMeanwhileChangesNothing() {
    Network network = closing(ALONE);
    network.restartDispatcher();
    network.send(end("r1", READINGS));
    network.pass(SECONDS);
    network.closings.hold(false);
    awaitReport(network, "r1");

    assertUndisturbed(ALONE, readings);
  }
}
