package org.cartostream.run.initialpose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Random;
import org.cartostream.broker.message.Outcome;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.run.settings.RootSettings;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.Recording;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.odometry.CarriedRobotScanCheck.Verdict;
import org.cartostream.slam.preprocess.CarriedRobotDetector;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Drives whose readings get the true poses: what is searched is known to a hair. */
@Quick
class CarriedRobotLogTest {

  private static final RootSettings SETTINGS =
      Settings.build(RootSettings.class, Map.of("localisation.particles", "500"));

  private static final Recording OFFICE =
      SimulatedLog.of(World.office(), Route.office(), SimulatedLog.SEED);

  /** Another building: narrow, where the office is wide. */
  private static final World NARROW =
      new World(
          List.of(
              new World.Wall(0, 0.3, 4.5, 0.3),
              new World.Wall(4.5, 0.3, 4.5, 6),
              new World.Wall(4.5, 6, 3.1, 6),
              new World.Wall(3.1, 6, 3.1, 1.7),
              new World.Wall(3.1, 1.7, 0, 1.7),
              new World.Wall(0, 1.7, 0, 0.3)));

  /** The robot's place in the log when it is carried. */
  private static final int CARRIED = 100;

  /** Where it drove before. */
  private static final int TO = 20;

  private static final int BEHIND = 25;

  private final List<LogEntry> log = new ArrayList<>();
  private final List<Pose> truth = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();

  private CarriedRobotSearch core(boolean isLive) {
    return new CarriedRobotSearch(
        SETTINGS.slam(),
        SETTINGS.localisation(),
        new RayTracedMap(SETTINGS.slam().cellMetres()),
        isLive,
        notices::add);
  }

  private CarriedRobotLog search() {
    return new CarriedRobotLog(log.iterator(), core(false));
  }

  /** Appends a part of a drive, as odometry goes on. */
  private void drive(Recording drive, int from, int to) {
    Pose begin = drive.readings().get(from).odometry();
    Pose end = log.isEmpty() ? Pose.ORIGIN : reading(log.size() - 1).odometry();
    for (int i = from; i < to; i++) {
      Reading reading = drive.readings().get(i);
      Pose odometry = end.then(begin.to(reading.odometry()));
      add(new Reading(log.size() * 500_000_000L, odometry, reading.scan()));
      truth.add(OFFICE.reference().get(0).pose().to(drive.reference().get(i).pose()));
    }
  }

  private void add(Reading reading) {
    log.add(new LogEntry.Usable(log.size() + 1, reading));
  }

  private Reading reading(int place) {
    return ((LogEntry.Usable) log.get(place)).reading();
  }

  private Outcome at(int place) {
    return new Outcome.Processed(new RobotPose(truth.get(place), Correction.NONE, 1, 0), false, 1);
  }

  /** Takes all entries, each with its answer before the next. */
  private List<LogEntry> all(CarriedRobotLog search) {
    List<LogEntry> all = new ArrayList<>();
    while (search.hasNext()) {
      assertThat(search.isHeld()).isFalse();
      LogEntry entry = search.next();
      if (entry instanceof LogEntry.Usable usable) {
        search.answered(usable.reading(), at(all.size()));
      }
      all.add(entry);
    }
    return all;
  }

  @Test
  void aLogOfARobotThatDrivesLeavesAsItIs() {
    drive(OFFICE, 0, CARRIED);
    CarriedRobotLog search = search();

    assertThat(all(search)).isEqualTo(log);
    assertThat(notices).isEmpty();
  }

  @Test
  void aRobotThatWasCarriedIsFoundWhereItWentOn() {
    drive(OFFICE, 0, CARRIED);
    drive(OFFICE, TO, TO + BEHIND);
    CarriedRobotLog search = search();

    List<LogEntry> all = all(search);

    assertThat(all).hasSize(log.size());
    for (int i = 0; i < all.size(); i++) {
      LogEntry.Usable usable = (LogEntry.Usable) all.get(i);
      assertThat(usable.reading()).isSameAs(reading(i));
      assertThat(usable.carriedTo() != null).as("scan %d", i + 1).isEqualTo(i == CARRIED);
    }
    Pose found = ((LogEntry.Usable) all.get(CARRIED)).carriedTo().pose();
    assertThat(found.distance(truth.get(CARRIED))).isLessThan(0.2);
    assertThat(notices).hasSize(1);
    assertThat(notices.get(0)).contains("from scan " + (CARRIED + 1) + " on");
  }

  /** A service answers a reading that it refuses at once, while an earlier one is in work. */
  @Test
  void aRobotIsFoundThoughAnswersComeOutOfOrder() {
    drive(OFFICE, 0, CARRIED);
    drive(OFFICE, TO, TO + BEHIND);
    CarriedRobotLog search = search();
    Reading first = ((LogEntry.Usable) search.next()).reading();
    Reading refused = ((LogEntry.Usable) search.next()).reading();
    search.answered(refused, Outcome.Refused.of(ReadingRefusal.ROBOT_CARRIED.because("a test")));
    search.answered(first, at(0));

    for (int i = 2; search.hasNext(); i++) {
      assertThat(search.isHeld()).isFalse();
      search.answered(((LogEntry.Usable) search.next()).reading(), at(i));
    }
    assertThat(notices).hasSize(1);
    assertThat(notices.get(0)).contains("it was found in the map");
  }

  /** Takes all entries that are pushed, each with its answer as late as may be. */
  private List<LogEntry> pushed(CarriedRobotSearch search) {
    List<LogEntry> all = new ArrayList<>();
    int answered = 0;
    for (int i = 0; i < log.size() || !search.isEmpty(); i++) {
      if (i < log.size()) {
        search.offer(log.get(i));
      } else {
        search.end();
      }
      for (LogEntry entry = search.poll(); entry != null; entry = search.poll()) {
        all.add(entry);
      }
      for (; search.isHeld() && answered < all.size(); answered++) {
        search.answered(reading(answered), at(answered));
      }
    }
    return all;
  }

  @Test
  void whatIsPushedComesBackAsWhatIsPulled() {
    drive(OFFICE, 0, CARRIED);
    drive(OFFICE, TO, TO + BEHIND);

    assertThat(pushed(core(false))).isEqualTo(all(search()));
    assertThat(pushed(core(true))).isEqualTo(all(search()));
  }

  /** It was in another building meanwhile, for longer than most searches take. */
  @Test
  void aLiveRobotThatIsLostIsSearchedForUntilItIsFound() {
    drive(OFFICE, 0, CARRIED);
    Recording elsewhere = SimulatedLog.of(NARROW, Route.office(), SimulatedLog.SEED);
    for (int i = 0; i < 6; i++) {
      drive(elsewhere, 0, 24);
    }
    drive(OFFICE, TO, TO + 2 * BEHIND);
    CarriedRobotSearch search = core(true);

    List<LogEntry> all = pushed(search);

    assertThat(all).hasSize(log.size());
    assertThat(notices).hasSize(2);
    assertThat(notices.get(0)).contains("From scan " + (CARRIED + 1), "cartostream/new_map");
    int found = CARRIED;
    while (all.get(found) instanceof LogEntry.Refused) {
      found++;
    }
    assertThat(found).isGreaterThanOrEqualTo(CARRIED + 6 * 24);
    Pose there = ((LogEntry.Usable) all.get(found)).carriedTo().pose();
    assertThat(there.distance(truth.get(found))).isLessThan(0.2);
    assertThat(search.sentence()).isEmpty();
  }

  /** What it would be searched in is not known before. */
  @Test
  void nothingLeavesBehindTheGapBeforeAllBeforeHasAnAnswer() {
    drive(OFFICE, 0, CARRIED);
    drive(OFFICE, TO, TO + BEHIND);
    CarriedRobotLog search = search();
    List<LogEntry> taken = new ArrayList<>();
    while (!search.isHeld()) {
      taken.add(search.next());
      if (taken.size() < CARRIED) {
        search.answered(reading(taken.size() - 1), at(taken.size() - 1));
      }
    }

    assertThat(taken).isEqualTo(log.subList(0, CARRIED));
    assertThat(search.hasNext()).isTrue();
    assertThatThrownBy(search::next).isInstanceOf(NoSuchElementException.class);
    search.answered(reading(CARRIED - 1), at(CARRIED - 1));
    assertThat(search.isHeld()).isFalse();
    assertThat(((LogEntry.Usable) search.next()).carriedTo()).isNotNull();
  }

  /** Scans of people contradict each other as much as what was seen before. */
  @Test
  void peopleAllAroundDoNotCarryARobot() {
    CarriedRobotDetector detector = new CarriedRobotDetector(SETTINGS.slam());
    Random random = new Random(1);
    List<Verdict> verdicts = new ArrayList<>();
    for (Reading reading : OFFICE.readings()) {
      boolean isCrowded = verdicts.size() >= CARRIED;
      Reading next = isCrowded ? crowded(reading, random) : reading;
      verdicts.add(detector.judge(next).verdict());
    }

    assertThat(verdicts).as("seed 1").contains(Verdict.IN_DOUBT).doesNotContain(Verdict.CARRIED);
  }

  /** A third of the beams end in people. */
  private static Reading crowded(Reading reading, Random random) {
    float[] ranges = reading.scan().ranges().clone();
    for (int i = 0; i + 18 <= ranges.length; i += 18) {
      int first = i + random.nextInt(12);
      float share = 0.2f + 0.7f * random.nextFloat();
      for (int beam = first; beam < first + 6; beam++) {
        ranges[beam] *= share;
      }
    }
    Scan hidden = reading.scan().withRanges(ranges);
    return new Reading(reading.stampNanos(), reading.odometry(), hidden);
  }

  @Test
  void odometryThatBeginsAnewInPlaceNamesThePlace() {
    drive(OFFICE, 0, CARRIED);
    Pose begin = OFFICE.readings().get(CARRIED).odometry();
    for (int i = CARRIED; i < CARRIED + 20; i++) {
      Reading reading = OFFICE.readings().get(i);
      Pose odometry = begin.to(reading.odometry());
      add(new Reading(log.size() * 500_000_000L, odometry, reading.scan()));
      truth.add(OFFICE.reference().get(0).pose().to(OFFICE.reference().get(i).pose()));
    }
    CarriedRobotLog search = search();

    List<LogEntry> all = all(search);

    assertThat(all).hasSize(log.size()).allMatch(LogEntry.Usable.class::isInstance);
    for (int i = 0; i < all.size(); i++) {
      LogEntry.Usable usable = (LogEntry.Usable) all.get(i);
      if (usable.carriedTo() != null) {
        assertThat(usable.carriedTo().pose().distance(truth.get(i))).isLessThan(0.1);
      }
    }
  }

  @Test
  void theMapEndsWhereARobotIsInAnotherBuilding() {
    Recording elsewhere = SimulatedLog.of(NARROW, Route.office(), SimulatedLog.SEED);
    drive(OFFICE, 0, CARRIED);
    drive(elsewhere, 0, 24);
    CarriedRobotLog search = search();

    List<LogEntry> all = all(search);

    assertThat(all.subList(0, CARRIED)).isEqualTo(log.subList(0, CARRIED));
    assertThat(all).hasSize(log.size());
    for (LogEntry entry : all.subList(CARRIED, log.size())) {
      LogEntry.Refused refused = (LogEntry.Refused) entry;
      assertThat(refused.why().refusal()).isEqualTo(ReadingRefusal.ROBOT_CARRIED);
      assertThat(refused.why().detail()).contains("scan " + (CARRIED + 1));
    }
    assertThat(notices.get(0)).contains("the map ends there");
  }
}
