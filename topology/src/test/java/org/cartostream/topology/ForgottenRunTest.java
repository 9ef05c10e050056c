package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.api.Test;

/** Who computes or publishes lets go of a run if nobody says that it lives. */
@Quick
class ForgottenRunTest extends NetworkTest {

  private static final int TASKS = 3;

  /** Where a robot may be silent for 5, and a reading may take 30. */
  private static final int FORGOTTEN_AFTER_SECONDS = 2 * 5 + 30;

  private final List<Reading> readings = Drive.readings(11, 5);

  /** Its dispatcher dies and its robot has left, so that the successor never learns of it. */
  @InEachMode
  void isLetGoOfThoughNoDispatcherKnowsIt(String mode) {
    ServiceSettings settings = settings(TASKS, "robotTimeoutSeconds", "5", "mode", mode);
    Network network = networkAfter(3, readings, checkpointed(settings, 1));
    passUntil(network, () -> network.unacknowledged() == 0); // The broker has nothing of it, too.
    Run run = network.run("r1");
    network.restartDispatcher();

    letPass(network, 5);
    assertThat(tasksThatDoNotKnow(run, network)).isZero();
    letPass(network, FORGOTTEN_AFTER_SECONDS);
    assertThat(tasksThatDoNotKnow(run, network)).isZero();
    letPass(network, FORGOTTEN_AFTER_SECONDS + 1);
    int all = mode.equals("dataflow") ? TASKS + 2 : TASKS + 1;
    assertThat(tasksThatDoNotKnow(run, network)).isEqualTo(all);
  }

  private static void letPass(Network network, int seconds) {
    for (int second = 0; second < seconds; second++) {
      network.tick();
    }
  }

  /** Each is told that the run lives; who does not know it says so. */
  private static int tasksThatDoNotKnow(Run run, Network network) {
    network.send(Streams.KEEP_ALIVE, new Payload.RunKeepAlive(run));
    network.deliverAll();
    return network.delivered(Streams.FAILED);
  }

  /** The others would otherwise hear nothing of it. */
  @Test
  void isSaidToLiveWhileItsRobotStandsStill() {
    ServiceSettings settings = settings(TASKS, "robotTimeoutSeconds", "8");
    Network network = networkAfter(1, readings, settings);
    letPass(network, 3);
    assertThat(network.onItsWay(Streams.KEEP_ALIVE))
        .isNotEmpty()
        .allMatch(word -> word.run().equals(network.run("r1")));
  }
}
