package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.MonteCarloLocalisation;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.topology.settings.ServiceSettings;

/** Runs of robots that are localised in the room of {@link Drive}, and what one thread answers. */
final class LocalisedRuns {

  static final PackedMap MAP = PackedMap.of(Drive.map());

  /** By reading: said to be beside where it is; then nobody knows. */
  private static final Map<Long, InitialPose> SAID =
      Map.of(
          1L,
          near(1),
          6L,
          near(6),
          9L,
          new InitialPose.Anywhere(),
          16L,
          new InitialPose.Unmoved()); // Nearly where it was at the one before.

  private LocalisedRuns() {}

  private static InitialPose near(int reading) {
    Pose truth = Drive.truth(reading);
    return new InitialPose.At(new Pose(truth.x() + 0.2, truth.y(), truth.theta()), 0.3, 0.2, 0.1);
  }

  /** A service's settings with few particles, of which some are drawn anew. */
  static ServiceSettings few(ServiceSettings settings) {
    return new ServiceSettings(
        settings.filter(),
        Settings.build(LocalisationSettings.class, Map.of("particles", "60")),
        settings.broker(),
        settings.topology(),
        settings.registry(),
        settings.checkpoint());
  }

  /** What the robot sends. */
  static ReadingMessage message(long sequence, Reading reading) {
    return new ReadingMessage(reading, 0, sequence == 1 ? MAP : null, SAID.get(sequence));
  }

  static Envelope sent(String robot, long sequence, List<Reading> readings) {
    Reading reading = readings.get((int) sequence - 1);
    return NetworkTest.envelope(robot, NetworkTest.RUN, sequence, message(sequence, reading));
  }

  /** What was said with a reading; null for nothing. */
  static InitialPose said(long sequence) {
    return SAID.get(sequence);
  }

  /** The robot was answered what one thread has it. */
  static void assertAnswered(
      Answers answers, ServiceSettings settings, String robot, List<Reading> readings) {
    assertAnswered(answers, settings, robot, readings, Set.of());
  }

  /**
   * The same where the service has failed at some readings; what was said with them counts.
   *
   * @param failed their numbers
   */
  static void assertAnswered(
      Answers answers,
      ServiceSettings settings,
      String robot,
      List<Reading> readings,
      Set<Long> failed) {
    Map<Long, String> outcomes = new TreeMap<>();
    List<PathPose> path = new ArrayList<>();
    MonteCarloLocalisation filter =
        new MonteCarloLocalisation(
            settings.localisation(), settings.filter(), robot, Drive.map(), Optional.empty());
    for (long sequence = 1; sequence <= readings.size(); sequence++) {
      Reading reading = readings.get((int) sequence - 1);
      if (SAID.containsKey(sequence)) {
        filter.place(SAID.get(sequence));
      }
      if (failed.contains(sequence)) {
        assertThat(answers.outcome(sequence)).startsWith("Refused[");
        outcomes.put(sequence, answers.outcome(sequence));
        continue;
      }
      MonteCarloLocalisation.Result result = filter.process(sequence, reading);
      if (result instanceof MonteCarloLocalisation.Result.Localised found) {
        path.add(new PathPose(sequence, reading.stampNanos(), found.pose().inMap()));
        outcomes.put(sequence, found.pose().toString());
      } else if (result instanceof MonteCarloLocalisation.Result.Refused refused) {
        outcomes.put(sequence, Outcome.Refused.of(refused.why()).toString());
      }
    }
    assertThat(answers.report().failure()).isEmpty();
    answers
        .result()
        .outcomes()
        .forEach((number, outcome) -> assertThat(outcome).isEqualTo(outcomes.get(number)));
    assertThat(answers.path()).isEqualTo(path);
    assertThat(answers.report().processed()).isEqualTo(path.size());
    assertThat(answers.report().drivenMetres()).isEqualTo(filter.drivenMetres());
  }
}
