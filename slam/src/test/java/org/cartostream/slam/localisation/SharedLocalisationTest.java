package org.cartostream.slam.localisation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.SharedRun;
import org.cartostream.slam.preprocess.ReadingFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Localisation by many tasks: what each knows of all is what one task has. */
@Quick
class SharedLocalisationTest {

  private static final GridWorld WORLD =
      new GridWorld(8, 6).wall(2, 2, 3, 3).wall(5, 4, 5.5, 6).wall(6.5, 0, 8, 1);

  private static final FilterSettings FILTER = Settings.defaults(FilterSettings.class);

  private final ReadingFilter readingFilter = new ReadingFilter(FILTER);

  /** A new layout forgets those that are not reported yet. */
  private static final String FORGOTTEN = "evaluations";

  private Pose truth = new Pose(3.5, 3.2, 0.2);
  private Pose odometry = Pose.ORIGIN;

  private static LocalisationFilters filters() {
    ServerMap map = WORLD.map(new Pose(-1, 2, 0.5));
    LocalisationSettings settings =
        Settings.build(
            LocalisationSettings.class, Map.of("particles", "300", "minParticles", "60"));
    return LocalisationFilters.of(settings, FILTER, map);
  }

  private Step next(long sequence) {
    Pose motion = sequence == 1 ? Pose.ORIGIN : new Pose(0.15, 0, 0.11);
    odometry = odometry.then(motion);
    // Carried away once: particles are drawn anew, on whichever task they are.
    truth = sequence == 25 ? new Pose(6, 1.06, 0) : truth.then(motion);
    Reading reading = new Reading(sequence * 500_000_000L, odometry, WORLD.scan(truth));
    return ((ReadingFilter.Decision.Accept) readingFilter.decide(sequence, reading)).step();
  }

  @Test
  void isTheSameToTheLastBitOnAnyNumberOfTasks() {
    List<SharedRun<Void>> runs =
        IntStream.of(1, 2, 4, 3).mapToObj(tasks -> new SharedRun<>(filters(), tasks)).toList();
    int drawnAnew = 0;
    List<Integer> particles = new ArrayList<>();
    for (int sequence = 1; sequence <= 90; sequence++) {
      if (sequence == 80) {
        readingFilter.place(new InitialPose.Anywhere());
      }
      Step step = next(sequence);
      SharedRun.Decided one = runs.get(0).keyFrame(step);
      for (SharedRun<Void> other : runs.subList(1, 4)) {
        assertThat(other.keyFrame(step).values(FORGOTTEN))
            .as("reading %d", sequence)
            .isEqualTo(one.values(FORGOTTEN));
      }
      drawnAnew += one.resampling().drawnAnew() > 0 ? 1 : 0;
      particles.add(one.resampling().parents().length);
      if (sequence == 20) {
        runs.get(3).shareAmong(2);
      }
    }
    assertThat(drawnAnew).isGreaterThan(5);
    assertThat(runs.get(2).moved()).isGreaterThan(100);
    System.out.println("particles: " + particles);
    assertThat(particles.subList(0, 24)).as("they agree").allMatch(count -> count < 200);
    assertThat(particles.subList(24, 40)).as("carried away").contains(300);
    assertThat(particles.get(78)).isLessThan(300);
    assertThat(particles.get(79)).as("nobody knows").isEqualTo(300);
  }
}
