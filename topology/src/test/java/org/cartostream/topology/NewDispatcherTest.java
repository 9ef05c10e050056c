package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.slam.filter.PathPose;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The dispatcher's worker dies, with what was on its way to it and from it; its successor has the
 * others say what they know of the run. The robot sends again what is not answered.
 */
class NewDispatcherTest extends NetworkTest {

  private static final int READINGS = 16;
  private static final int DYING = 8;

  /** Metres, as in {@link MendingTest}. */
  private static final double NEAR = 0.15;

  /** Whatever has come of two readings before it dies, and whoever dies with it. */
  @ParameterizedTest
  @CsvSource({
    "dataflow, nobody, 0",
    "dataflow, nobody, 1",
    "dataflow, nobody, 2",
    "dataflow, nobody, 4",
    "dataflow, nobody, 7",
    "dataflow, nobody, 11",
    "dataflow, nobody, 15",
    "dataflow, nobody, 19",
    "dataflow, nobody, 24",
    "dataflow, nobody, 30",
    "dataflow, matcher and resampler, 2",
    "dataflow, matcher and resampler, 9",
    "dataflow, matcher and resampler, 17",
    "bsp, nobody, 0",
    "bsp, nobody, 3",
    "bsp, nobody, 8",
    "bsp, nobody, 14",
    "bsp, matcher, 6"
  })
  void goesOn(String mode, String others, int deliveriesBefore) {
    List<Reading> readings = Drive.readings(11, READINGS);
    ServiceSettings settings = settings(3, "readingTimeoutSeconds", "2", "mode", mode);
    Network network = network(deliveriesBefore, settings);
    for (int sequence = 1; sequence < DYING; sequence++) {
      network.say(reading("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
    network.say(reading("r1", DYING, readings));
    network.say(reading("r1", DYING + 1, readings));
    for (int i = 0; i < deliveriesBefore; i++) {
      network.deliverOne();
    }
    network.restartDispatcher(settings);
    if (others.contains("matcher")) {
      network.restartMatcher(1, settings);
    }
    if (others.contains("resampler")) {
      network.restartResampler(settings);
    }
    network.say(reading("r1", DYING, readings));
    network.say(reading("r1", DYING + 1, readings));
    for (int sequence = DYING + 1; sequence <= READINGS; sequence++) {
      network.say(reading("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
    network.say(end("r1", READINGS));
    awaitReport(network, "r1");

    assertThat(of("r1").report().failure()).isEmpty();
    assertThat(of("r1").report().processed()).isEqualTo(READINGS);
    assertThat(of("r1").report().lost()).isZero();
    List<PathPose> path = of("r1").path();
    List<PathPose> undisturbed = Answers.serial(settings.filter(), "r1", readings).path();
    assertThat(path).hasSameSizeAs(undisturbed);
    for (int i = 0; i < path.size(); i++) {
      assertThat(path.get(i).sequence()).isEqualTo(undisturbed.get(i).sequence());
      assertThat(path.get(i).pose().distance(undisturbed.get(i).pose())).isLessThan(NEAR);
    }
  }
}
