package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In bsp every matcher comes to the decision by itself, and the first says it to the publisher.
 * Somebody dies when not all have come to it, or it was not said: nothing is lost of it.
 */
@Quick
class BspAgreementTest extends NetworkTest {

  private static final int READINGS = 16;
  private static final int DYING = 8;
  private static final int TASKS = 3;

  private final ServiceSettings settings = settings(TASKS, "mode", "bsp");
  private final List<Reading> readings = Drive.readings(11, READINGS);

  /** The dispatcher dies when one matcher is behind by a decision, and the next is on its way. */
  @Test
  void leavesNoMatcherBehindThatWasBehindByADecision() {
    dieWithTheFirstMatcherBehind(DYING + 1);
  }

  /** Two matchers went by the decision; the one that is to say so has it still in its queue. */
  @Test
  void losesNoDecisionThatAMatcherIsYetToHear() {
    dieWithTheFirstMatcherBehind(DYING);
  }

  /** All went by the decision; the one matcher that had said it dies, and its word with it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void losesNoDecisionThatDiesOnItsWayToThePublisher(boolean withTheMatcherThatSaidIt) {
    Network network = networkAfter(DYING - 1, readings, settings);
    send(network, readings, DYING, DYING);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.deliverAllOf(Streams.KEY_FRAMES);
    stepUntil(
        () -> network.onItsWay(Streams.READY).size() == TASKS,
        () ->
            IntStream.of(1, 2, 0).forEach(i -> network.deliverAllTo(Component.Matchers.class, i)));
    assertThat(network.lose(Streams.RESAMPLING_RESULTS)).isTrue();
    if (withTheMatcherThatSaidIt) {
      network.restartMatcher(0);
    }
    endAfter(network, DYING);
    assertThat(of("r1").report().recovery().times()).isOne();
  }

  /** All but the first matcher, which is to say what was decided, went by the decision. */
  private void dieWithTheFirstMatcherBehind(int last) {
    Network network = networkAfter(DYING - 1, readings, settings);
    send(network, readings, DYING, last);
    network.deliverAllFromRobots();
    network.deliverAllOf(Streams.ADMITTED);
    network.deliverAllOf(Streams.KEY_FRAMES);
    network.deliverAllTo(Component.Matchers.class, 1);
    network.deliverAllTo(Component.Matchers.class, 2);
    network.restartDispatcher();
    endAfter(network, last);
  }

  private void endAfter(Network network, int last) {
    awaitAnswers(network, last);
    driveToTheEnd(network, readings, last + 1);
    assertUndisturbed(settings, readings);
  }
}
