package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;

/** What is broadcast to matchers: tasks of a worker share it, and lost messages are reported. */
@Quick
class BroadcastTest extends NetworkTest {

  private static final int READINGS = 10;

  private final List<Reading> readings = Drive.readings(11, READINGS);

  /** Whoever wrote to an array of a message would change it for all others of its worker. */
  @InEachMode
  void nobodyWritesToAMessage(String mode) {
    ServiceSettings settings = checkpointed(settings(3, "mode", mode), 2);
    Network network = network(1, settings);
    network.held = new ArrayList<>();
    drive(network, readings, 1, READINGS / 2);
    network.restartMatcher(1);
    driveToTheEnd(network, readings, READINGS / 2 + 1);
    assertUndisturbed(settings, readings);
    assertThat(network.held).hasSizeGreaterThan(10 * READINGS).allMatch(network::isUnchanged);

    Links.Held keyFrame =
        network.held.stream()
            .filter(each -> Stream.payload(each.values()) instanceof Payload.KeyFrame)
            .findFirst()
            .orElseThrow();
    ((Payload.KeyFrame) Stream.payload(keyFrame.values())).step().scan().ranges()[0]++;
    assertThat(network.isUnchanged(keyFrame)).as("this test would notice it").isFalse();
  }

  /** Not only when the reading takes too long. */
  @InEachMode
  void aTaskThatMissesMessagesHasItsRunsRestored(String mode) {
    ServiceSettings settings =
        checkpointed(settings(2, "mode", mode, "readingTimeoutSeconds", "600"), 2);
    Network network = networkAfter(READINGS / 2, readings, settings);
    send(network, readings, READINGS / 2 + 1, READINGS / 2 + 1);
    network.deliverAllFromRobots();
    assertThat(network.isOnItsWay(Streams.KEY_FRAMES)).isTrue();
    network.lose(Streams.KEY_FRAMES, 1);
    network.pass(2);
    assertThat(of("r1").answered()).isEqualTo(READINGS / 2);

    network.bolt(Component.Matchers.class, 1).missed("1 message did not arrive");
    network.pass(2);
    assertThat(of("r1").answered()).isEqualTo(READINGS / 2 + 1);
    driveToTheEnd(network, readings, READINGS / 2 + 2);
    assertUndisturbed(settings, readings);
    assertThat(of("r1").report().recovery().times()).isEqualTo(1);
  }

  /** Readings wait at the dispatcher then, and are in no matcher's queue. */
  @InEachMode
  void noKeyFrameIsSentWhileMatchersAreFarBehind(String mode) {
    ServiceSettings settings = settings(2, "mode", mode);
    Network network = networkAfter(3, readings, settings);
    network.hasRoom = false;
    send(network, readings, 4, 4);
    network.pass(3);
    assertThat(of("r1").answered()).isEqualTo(3);
    network.hasRoom = true;
    network.pass(1);
    assertThat(of("r1").answered()).isEqualTo(4);
    driveToTheEnd(network, readings, 5);
    assertUndisturbed(settings, readings);
  }
}
