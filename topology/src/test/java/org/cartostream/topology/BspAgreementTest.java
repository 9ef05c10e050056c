package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;

/**
 * In bsp every matcher comes to the verdict by itself, and the first says it to the publisher.
 * Somebody dies when not all have come to it, or it was not said: nothing is lost of it.
 */
class BspAgreementTest extends NetworkTest {

  private static final int READINGS = 16;
  private static final int DYING = 8;
  private static final int TASKS = 3;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  /**
   * One matcher is behind by a verdict when all are asked to settle. What it then hears must not
   * have it begin the next key frame, by which the others would go, and leave it behind.
   */
  @Test
  void leavesNoMatcherBehindThatWasBehindByAVerdict() {
    Network network = dieWithTheFirstMatcherBehind(DYING + 1);
    endAfter(network, DYING + 1);

    assertThat(of("r1").report().rebuilt()).isZero();
  }

  /** Two matchers went by what all believe; the one that is to say so has it still in its queue. */
  @Test
  void losesNoVerdictThatAMatcherIsYetToHear() {
    endAfter(dieWithTheFirstMatcherBehind(DYING), DYING);
  }

  /** All went by the verdict; the one matcher that had said it dies, and its word with it. */
  @Test
  void losesNoVerdictThatDiesWithTheMatcherThatSaidIt() {
    ServiceSettings settings = stillSettings();
    Network network = networkAfter(DYING - 1, readings, settings);
    say(network, readings, DYING, DYING);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.deliverAllOf(Streams.KEY_FRAMES);
    goOnUntil(
        () -> network.onItsWay(Streams.READY).size() == TASKS,
        () ->
            IntStream.of(1, 2, 0).forEach(i -> network.deliverAllTo(Component.Matchers.class, i)));
    assertThat(network.lose(Streams.BSP_RESAMPLING_RESULTS)).isTrue();
    network.loseMatcher(0);
    network.restartMatcher(0, settings);
    awaitAnswers(network, DYING);
    endAfter(network, DYING);
  }

  /** All but the first matcher, which is to say what was decided, went by the verdict. */
  private Network dieWithTheFirstMatcherBehind(int last) {
    ServiceSettings settings = stillSettings();
    Network network = networkAfter(DYING - 1, readings, settings);
    say(network, readings, DYING, last);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.deliverAllOf(Streams.KEY_FRAMES);
    network.deliverAllTo(Component.Matchers.class, 1);
    network.deliverAllTo(Component.Matchers.class, 2);
    network.restartDispatcher(settings);
    say(network, readings, DYING, last);
    goOnUntil(
        () -> network.delivered(Streams.REBIRTHS) > 0, () -> goOnWithoutMatchersOwnWords(network));
    return network;
  }

  private static void goOnWithoutMatchersOwnWords(Network network) {
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.KEY_FRAMES);
    network.deliverAllOf(Streams.READY);
    network.deliverAllTo(Component.Publisher.class, 0);
    network.deliverAllOf(Streams.FOLLOWING);
    network.tick();
  }

  private void endAfter(Network network, int last) {
    driveToTheEnd(network, readings, last + 1);
    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
  }

  /** Nothing moves, so that nobody waits for another matcher's particles. */
  private static ServiceSettings stillSettings() {
    ServiceSettings settings = settings(TASKS, "mode", "bsp");
    return new ServiceSettings(
        Settings.build(FilterSettings.class, Map.of("particles", "12")),
        settings.broker(),
        settings.topology());
  }
}
