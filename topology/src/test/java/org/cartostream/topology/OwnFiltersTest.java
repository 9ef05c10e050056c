package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.FilterFactory;
import org.cartostream.topology.run.RunFilters;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Filters of one's own, named by a folder on the class path. */
@Quick
class OwnFiltersTest extends NetworkTest {

  private static final ServiceSettings SETTINGS = settings(2);

  @TempDir private Path folder;

  private final Thread thread = Thread.currentThread();
  private final ClassLoader usual = thread.getContextClassLoader();

  private void name(String... factories) throws IOException {
    Path file = folder.resolve("META-INF/services/" + FilterFactory.class.getName());
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(factories));
    thread.setContextClassLoader(new URLClassLoader(new URL[] {folder.toUri().toURL()}, usual));
  }

  @AfterEach
  void nameNone() {
    thread.setContextClassLoader(usual);
  }

  @Test
  void takeThePlaceOfMapping() throws IOException {
    assertThat(RunFilters.of(SETTINGS, null)).isInstanceOf(MappingFilters.class);
    name(CountingFilters.Factory.class.getName());
    assertThat(RunFilters.of(SETTINGS, null)).isEqualTo(new CountingFilters(SETTINGS.filter()));
    assertThat(RunFilters.of(LocalisedRuns.few(SETTINGS), LocalisedRuns.MAP))
        .as("a robot with a map of its own is localised in it")
        .isNotInstanceOf(CountingFilters.class);
  }

  /** Their state is in checkpoints, from which another number of tasks goes on. */
  @Test
  void runAndGoOnFromACheckpoint() throws IOException {
    name(CountingFilters.Factory.class.getName());
    List<Reading> readings = Drive.readings(3, 16);
    MemoryStore store = new MemoryStore();
    Network died = network(1, checkpointed(SETTINGS, 1), store);
    for (int sequence = 1; sequence <= 8; sequence++) {
      drive(died, readings, sequence, sequence);
      died.pass(1);
    }
    List<Payload.Arrival> kept = died.unacknowledgedMessages();
    assertThat(kept).as("kept by the broker").hasSizeLessThan(8);

    Network goesOn = network(2, checkpointed(settings(3), 1), store);
    kept.forEach(goesOn::send);
    driveToTheEnd(goesOn, readings, 9);

    List<Double> x =
        of("r1").path().stream().map(PathPose::pose).map(pose -> pose.x()).distinct().toList();
    // Between key frames the pose is odometry's, which moves by centimetres.
    assertThat(x.stream().filter(each -> each == Math.rint(each)))
        .hasSizeGreaterThan(10)
        .startsWith(1.0, 2.0, 3.0)
        .isSorted()
        .hasSize((int) Math.round(x.get(x.size() - 1)));
  }

  @Test
  void areNamedOnce() throws IOException {
    String first = CountingFilters.Factory.class.getName();
    name(first, Other.class.getName());
    assertThatThrownBy(() -> RunFilters.of(SETTINGS, null))
        .isInstanceOf(CheckpointException.class)
        .hasMessage(
            "the class path has 2 factories of filters, [%s, %s]; one would be right"
                .formatted(first, Other.class.getName()));
  }

  @Test
  void mustBeThere() throws IOException {
    name("com.example.Missing");
    assertThatThrownBy(() -> RunFilters.of(SETTINGS, null))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("com.example.Missing not found");
  }

  /** Another factory. */
  public static final class Other implements FilterFactory {
    @Override
    public CountingFilters of(FilterSettings settings) {
      return new CountingFilters(settings);
    }
  }
}
