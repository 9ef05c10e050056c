package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.run.RunFilters;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Robots that a service localises in a map that they bring. */
@Quick
class LocalisedRunTest extends NetworkTest {

  private static final int READINGS = 16;

  private void drive(Network network, List<Reading> readings, int from) {
    for (int sequence = from; sequence <= readings.size(); sequence++) {
      network.send(LocalisedRuns.sent("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
    finish(network, "r1", readings.size());
  }

  @ParameterizedTest
  @CsvSource({"dataflow, 1", "dataflow, 2", "dataflow, 3", "bsp, 1", "bsp, 2", "bsp, 3"})
  void haveTheAnswersOfOneThread(String mode, int tasks) {
    ServiceSettings settings = LocalisedRuns.few(settings(tasks, "mode", mode));
    List<Reading> readings = Drive.readings(3, READINGS);
    readings.set(0, Drive.blind(readings.get(0))); // What was said with it counts for the next.
    drive(network(1, settings), readings, 1);
    LocalisedRuns.assertAnswered(of("r1"), settings, "r1", readings);
    assertThat(of("r1").all()).noneMatch(each -> each.body() instanceof MapMessage);
  }

  private List<ParticlesMessage> clouds(String robot) {
    return of(robot).all().stream()
        .filter(each -> each.body() instanceof ParticlesMessage)
        .map(each -> (ParticlesMessage) each.body())
        .toList();
  }

  private List<Envelope> knownMaps() {
    return of("r1").all().stream()
        .filter(each -> each.body() instanceof MapMessage.ForObservers)
        .toList();
  }

  /** One reading each 5 s; the interval is of 4 s, and of three such. */
  @ParameterizedTest
  @ValueSource(ints = {3, 0})
  void observersGetTheKnownMapNowAndThen(int observerMaps) {
    ServiceSettings settings =
        LocalisedRuns.few(
            settings(1, "mapIntervalSeconds", "4", "observerMaps", "" + observerMaps));
    List<Reading> readings = Drive.readings(3, READINGS);
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= READINGS; sequence++) {
      network.clock.pass(5);
      network.send(LocalisedRuns.sent("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
    finish(network, "r1", READINGS);
    LocalisedRuns.assertAnswered(of("r1"), settings, "r1", readings);
    if (observerMaps == 0) {
      assertThat(knownMaps()).isEmpty();
      return;
    }
    assertThat(knownMaps()).hasSizeBetween(READINGS * 5 / 15 - 1, READINGS * 5 / 12 + 1);
    for (Envelope each : knownMaps()) {
      OccupancyGrid shown = ((MapMessage.ForObservers) each.body()).map().grid();
      assertThat(shown.cells()).isEqualTo(Drive.map().grid().cells());
      assertThat(shown.originX()).isEqualTo(Drive.map().origin().x());
      assertThat(shown.originY()).isEqualTo(Drive.map().origin().y());
    }
  }

  @Test
  void areToldWhereTheirParticlesAre() {
    ServiceSettings settings =
        LocalisedRuns.few(settings(2, "cloudParticles", "40", "cloudIntervalSeconds", "0"));
    List<Reading> readings = Drive.readings(9, READINGS);
    drive(network(1, settings), readings, 1);

    List<Envelope> clouds =
        of("r1").all().stream().filter(each -> each.body() instanceof ParticlesMessage).toList();
    assertThat(clouds).hasSizeBetween(8, READINGS);
    for (Envelope each : clouds) {
      List<Pose> poses = ((ParticlesMessage) each.body()).poses();
      assertThat(poses).hasSize(40);
      Pose truth = Drive.truth((int) each.sequence());
      if (each.sequence() < 9) { // Then nobody knows where the robot is.
        assertThat(poses).allMatch(pose -> pose.distance(truth) < 1.5);
        double x = poses.stream().mapToDouble(Pose::x).average().orElseThrow();
        double y = poses.stream().mapToDouble(Pose::y).average().orElseThrow();
        assertThat(Math.hypot(x - truth.x(), y - truth.y())).isLessThan(0.3);
      }
    }
    assertThat(clouds.stream().map(Envelope::sequence))
        .as("weighed for nothing but that somebody asked")
        .contains(16L);
  }

  @Test
  void areToldSoMuchAsTheServiceAllows() {
    List<Reading> readings = Drive.readings(9, READINGS);
    drive(network(1, LocalisedRuns.few(settings(1, "cloudIntervalSeconds", "86400"))), readings, 1);
    assertThat(clouds("r1")).hasSize(1);
  }

  @Test
  void areToldNothingOfParticlesWhereNoneAreToBeSent() {
    List<Reading> readings = Drive.readings(9, READINGS);
    drive(network(1, LocalisedRuns.few(settings(1, "cloudParticles", "0"))), readings, 1);
    assertThat(clouds("r1")).isEmpty();
  }

  @Test
  void liveBesideThoseThatMap() {
    ServiceSettings settings = LocalisedRuns.few(settings(2));
    List<Reading> readings = Drive.readings(4, READINGS);
    Network network = network(2, settings);
    for (int sequence = 1; sequence <= READINGS; sequence++) {
      network.send(LocalisedRuns.sent("r1", sequence, readings));
      network.send(reading("r2", sequence, readings));
      network.deliverAll();
    }
    network.send(end("r1", READINGS));
    network.send(end("r2", READINGS));
    awaitReport(network, "r1");
    awaitReport(network, "r2");
    LocalisedRuns.assertAnswered(of("r1"), settings, "r1", readings);
    assertUndisturbed(settings, "r2", readings);
    assertThat(clouds("r2"))
        .as("by the count of readings, of the 12 particles on 2 tasks")
        .hasSizeBetween(1, 1 + READINGS / 10)
        .allMatch(each -> each.poses().size() == 12 && Set.of(0, 1).containsAll(each.tasks()));
  }

  /** Its first reading, with the map, is behind the second, as where a broker delivers anew. */
  @Test
  void beginAnewWhenTheMapComesLate() {
    ServiceSettings settings = LocalisedRuns.few(settings(2));
    List<Reading> readings = Drive.readings(5, READINGS);
    Network network = network(3, settings);
    network.send(LocalisedRuns.sent("r1", 2, readings));
    network.pass(3);
    network.send(LocalisedRuns.sent("r1", 1, readings));
    awaitAnswers(network, 2);
    drive(network, readings, 3);
    LocalisedRuns.assertAnswered(of("r1"), settings, "r1", readings);
  }

  @ParameterizedTest
  @CsvSource({"4, dataflow, 1, bsp", "1, bsp, 3, dataflow", "2, dataflow, 2, dataflow"})
  void goOnWithMoreOrFewerTasksFromACheckpoint(
      int before, String modeBefore, int after, String modeAfter) {
    List<Reading> readings = Drive.readings(6, READINGS);
    MemoryStore store = new MemoryStore();
    ServiceSettings first =
        LocalisedRuns.few(checkpointed(settings(before, "mode", modeBefore), 2));
    Network died = network(1, first, store);
    for (int sequence = 1; sequence <= 11; sequence++) {
      died.send(LocalisedRuns.sent("r1", sequence, readings));
      awaitAnswers(died, sequence);
      died.pass(1);
    }
    List<Payload.Arrival> kept = died.unacknowledgedMessages();
    assertThat(kept).as("kept by the broker").hasSizeLessThan(8);
    ServiceSettings second = LocalisedRuns.few(checkpointed(settings(after, "mode", modeAfter), 2));
    Network goesOn = network(2, second, store);
    kept.forEach(goesOn::send);
    drive(goesOn, readings, 12);
    LocalisedRuns.assertAnswered(of("r1"), second, "r1", readings);
    assertThat(of("r1").report().recovery().times()).isPositive();
  }

  /** The service fails at a reading that says where the robot is: that is regarded all the same. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void areWhereTheyAreSaidToBeThoughTheReadingCannotBeUsed(boolean diesThen) {
    ServiceSettings settings = LocalisedRuns.few(checkpointed(settings(2), 1));
    List<Reading> readings = Drive.readings(10, READINGS);
    Network network = network(1, settings);
    for (int sequence = 1; sequence <= 5; sequence++) {
      network.send(LocalisedRuns.sent("r1", sequence, readings));
      awaitAnswers(network, sequence);
    }
    assertThat(LocalisedRuns.said(6)).isNotNull();
    network.send(
        new Payload.Arrival.OfReading(
            new Run("r1", RUN, 0), 6, new Reading(0, null, null), 0, null, LocalisedRuns.said(6)));
    awaitAnswers(network, 6);
    assertThat(of("r1").outcome(6)).startsWith("Refused[refusal=FAILS,");
    if (diesThen) {
      passUntil(network, () -> network.unacknowledged() == 0); // So the checkpoint has it.
      network.restartDispatcher();
    }
    drive(network, readings, 7);
    LocalisedRuns.assertAnswered(of("r1"), settings, "r1", readings, Set.of(6L));
  }

  /** One before it is late, and the dispatcher dies before that comes. */
  @Test
  void areWhereTheyAreSaidToBeThoughTheReadingWasRefusedAheadOfItsTurn() {
    ServiceSettings settings = LocalisedRuns.few(checkpointed(settings(2), 1));
    List<Reading> readings = Drive.readings(10, READINGS);
    Network network = network(1, settings);
    for (int sequence : new int[] {1, 2, 4, 5, 6}) {
      network.send(LocalisedRuns.sent("r1", sequence, readings));
      network.deliverAll(); // No time passes: there is no checkpoint before all have come.
    }
    assertThat(LocalisedRuns.said(6)).isNotNull();
    assertThat(of("r1").outcome(6)).startsWith("Refused[refusal=TOO_MANY_WAITING");
    passUntil(network, () -> network.unacknowledged() == 2);
    network.restartDispatcher();
    network.send(LocalisedRuns.sent("r1", 3, readings));
    awaitAnswers(network, 6);
    drive(network, readings, 7);
    LocalisedRuns.assertAnswered(of("r1"), settings, "r1", readings, Set.of(6L));
  }

  private String failureWith(PackedMap map, ServiceSettings settings) {
    List<Reading> readings = Drive.readings(7, 3);
    Network network = network(4, settings);
    Runnable asks = // As a gateway does, of which a message was lost while the run was given up.
        () -> {
          for (int i = 1; i <= 3; i++) {
            Reading reading = readings.get(i - 1);
            PackedMap brought = i == 1 ? map : null;
            network.send(
                envelope(
                    "r1",
                    RUN,
                    i,
                    new ReadingMessage(reading, 0, brought, new InitialPose.Anywhere())));
          }
          network.pass(1);
        };
    stepUntil(() -> of("r1").answered() >= 3, asks);
    finish(network, "r1", 3);
    assertThat(of("r1").report().lost()).isEqualTo(3);
    return of("r1").report().failure();
  }

  @Test
  void areToldWhatIsWrongWithTheirMap() {
    ServiceSettings settings = LocalisedRuns.few(settings(2));
    PackedMap map = LocalisedRuns.MAP;
    byte[] cut = Arrays.copyOf(map.deflated(), map.deflated().length / 2);
    PackedMap damaged =
        new PackedMap(map.width(), map.height(), map.resolution(), map.origin(), 65, 19, cut);
    assertThat(failureWith(damaged, settings)).contains("250 x 170 cells", "too early");
  }

  @Test
  void areToldThatTheirMapIsTooLarge() {
    ServiceSettings settings = settings(1);
    ServiceSettings small =
        new ServiceSettings(
            settings.filter(),
            Settings.with(settings.localisation(), Map.of("maxMapCells", "10000")),
            settings.broker(),
            settings.topology(),
            settings.registry(),
            settings.checkpoint());
    assertThat(failureWith(LocalisedRuns.MAP, small))
        .contains("42500 in all", "at most 10000", "localisation.maxMapCells", "0.11 m per cell");
  }

  /** It takes 0.34 MB in each of four processes, of which a run may have 0.25. */
  @Test
  void areToldThatTheirMapTakesMoreThanTheirShareOfMemory() {
    ServiceSettings small = settings(1, "robotMegabytes", "1", "workers", "4");
    assertThat(failureWith(LocalisedRuns.MAP, small))
        .contains("42500 in all", "at most 32768", "topology.robotMegabytes", "0.06 m per cell");
  }

  @Test
  void bringTheirMapWithTheFirstReadingOnly() {
    Network network = network(5, settings(1));
    ReadingMessage late =
        new ReadingMessage(Drive.readings(8, 2).get(1), 0, LocalisedRuns.MAP, null);
    assertThatThrownBy(() -> network.send(envelope("r1", RUN, 2, late)))
        .isInstanceOf(RefusedMessageException.class)
        .hasMessageContaining("a known map with reading 2; a run has it with its first");
  }

  /** One copy in a process, however many tasks and robots have it. */
  @Test
  void shareTheirMap() throws Exception {
    ServiceSettings settings = LocalisedRuns.few(settings(2));
    PackedMap copy =
        new PackedMap(
            250,
            170,
            0.05,
            LocalisedRuns.MAP.origin(),
            65,
            19,
            LocalisedRuns.MAP.deflated().clone());
    Object one = RunFilters.of(settings, LocalisedRuns.MAP);
    assertThat(RunFilters.of(settings, copy)).isSameAs(one);
    LocalisationSettings more = Settings.with(settings.localisation(), Map.of("particles", "61"));
    ServiceSettings others =
        new ServiceSettings(
            settings.filter(),
            more,
            settings.broker(),
            settings.topology(),
            settings.registry(),
            settings.checkpoint());
    assertThat(RunFilters.of(others, copy)).isNotSameAs(one);
  }
}
