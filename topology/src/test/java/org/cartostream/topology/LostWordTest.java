package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is on its way is lost, as behind a link that is cut for a while; nobody dies. */
class LostWordTest extends NetworkTest {

  private static final int READINGS = 14;
  private static final int LOSING = 7;
  private static final int TASKS = 3;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  @ParameterizedTest
  @CsvSource({
    "dataflow, key-frames",
    "dataflow, weights",
    "dataflow, decisions",
    "dataflow, particles",
    "dataflow, ready",
    "bsp, key-frames",
    "bsp, ready"
  })
  void goesOnWhenWhatIsOnItsWayIsLost(String mode, String name) {
    ServiceSettings settings = settings(TASKS, "mode", mode);
    Network network = networkAfter(1, readings, settings);
    boolean lost = false;
    for (int sequence = 2; sequence <= READINGS; sequence++) {
      network.say(reading("r1", sequence, readings));
      boolean delivered = true;
      while (delivered && !lost) {
        lost = network.lose(stream(name));
        delivered = network.deliverOne();
      }
      awaitAnswers(network, sequence);
    }
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(lost).isTrue();
    assertWentOn(settings, readings);
  }

  private static Stream<?, ?, ?> stream(String name) {
    return java.util.stream.Stream.of(
            Streams.KEY_FRAMES,
            Streams.WEIGHTS,
            Streams.RESAMPLING_DECISIONS,
            Streams.PARTICLES,
            Streams.READY)
        .filter(each -> each.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The word that a reading is served; its robot sends it again, or is done. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void answersAReadingWhoseServiceThePublisherHasNotHeardOf(boolean last) {
    int silent = last ? READINGS : LOSING;
    ServiceSettings settings = settings(TASKS);
    Network network = networkAfter(silent - 1, readings, settings);
    network.say(reading("r1", silent, readings));
    network.deliverAllBut(Streams.SERVED);
    assertThat(of("r1").answered()).isEqualTo(silent - 1);
    if (!last) {
      network.say(reading("r1", silent, readings));
      network.deliverAll();
      assertThat(of("r1").answered()).isEqualTo(silent);
    }
    drive(network, readings, silent + 1, READINGS);
    network.say(end("r1", READINGS));
    network.deliverAll();

    assertUndisturbed(settings, readings);
  }

  /** The paths cannot go on without; it must not stand still. */
  @ParameterizedTest
  @CsvSource({"dataflow, false", "dataflow, true", "bsp, false"})
  void givesUpARunWhoseVerdictThePublisherHasNotHeard(String mode, boolean withTheWordOfItsEnd) {
    ServiceSettings settings = settings(TASKS, "mode", mode);
    Network network = networkAfter(LOSING - 1, readings, settings);
    network.say(reading("r1", LOSING, readings));
    Stream<?, ?, ?> verdict =
        mode.equals("bsp") ? Streams.BSP_RESAMPLING_RESULTS : Streams.RESAMPLING_RESULTS;
    network.deliverAllBut(verdict, withTheWordOfItsEnd ? Streams.SERVED : verdict);
    network.say(reading("r1", LOSING + 1, readings));
    network.say(reading("r1", LOSING, readings));
    awaitAnswers(network, LOSING + 1);
    network.say(end("r1", LOSING + 1));
    awaitReport(network, "r1");

    String sentence = "the decision on reading " + LOSING + " did not come within 30 s";
    assertThat(of("r1").outcome(LOSING)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").report().failure()).contains(sentence);
    assertThat(of("r1").report().processed()).isEqualTo(LOSING - 1);
  }

  @Test
  void givesUpARunOfWhichThePublisherHasNotHeardAKeyFrame() {
    Network network = networkAfter(LOSING - 1, readings, settings(TASKS));
    network.say(reading("r1", LOSING, readings));
    network.deliverAllBut(Streams.ADMITTED);
    network.say(reading("r1", LOSING + 1, readings));
    network.say(end("r1", LOSING + 1));
    awaitReport(network, "r1");

    String sentence = "nothing is known of reading " + LOSING;
    assertThat(of("r1").outcome(LOSING + 1)).startsWith("Lost").contains(sentence);
    assertThat(of("r1").report().failure()).contains(sentence);
  }
}
