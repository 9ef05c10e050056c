package org.cartostream.bench.played;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.cartostream.bench.sequential.SequentialTasks;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.mapping.MappingFilters;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.Filters;
import org.cartostream.topology.run.FilterFactory;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class PlayedFiltersTest {

  private static final int PARTICLES = 12;
  private static final int READINGS = 25;

  @TempDir private Path folder;

  private final List<Reading> readings = Drive.readings(7, READINGS);
  private final ServiceSettings settings = settings(PARTICLES);

  private static ServiceSettings settings(int particles) {
    return new ServiceSettings(
        Filters.restless(particles),
        BrokerSettings.defaults(),
        Settings.defaults(TopologySettings.class));
  }

  /** By a clock that says how often it was asked, a piece of work takes 1. */
  private FilterRecording recorded(int passes) {
    AtomicLong asked = new AtomicLong();
    return FilterRecorder.mapping(
        settings, "r1", readings, asked::getAndIncrement, passes, () -> false);
  }

  private List<ReadingTimes> run(ParticleFilters<?> filters, AtomicLong clock, int tasks) {
    SequentialTasks all = new SequentialTasks(settings, filters, "r1", tasks, clock::get);
    return IntStream.range(0, READINGS)
        .mapToObj(i -> all.process(i + 1L, readings.get(i)))
        .flatMap(Optional::stream)
        .toList();
  }

  private List<ReadingTimes> played(FilterRecording recording, double slower, int tasks) {
    AtomicLong clock = new AtomicLong();
    return run(
        new PlayedFilters(recording, slower, settings.filter(), () -> clock::addAndGet),
        clock,
        tasks);
  }

  /** Whatever was computed on: that only one of two runs has its particles for itself. */
  @Test
  void areResampledWhereTheFilterIs() {
    List<Boolean> real =
        run(new MappingFilters(settings.filter()), new AtomicLong(), 3).stream()
            .map(ReadingTimes::resampled)
            .toList();
    assertThat(real).contains(true, false);
    for (int tasks : new int[] {1, 3}) {
      List<ReadingTimes> played = played(recorded(1), 1, tasks);
      assertThat(played.stream().map(ReadingTimes::resampled)).isEqualTo(real);
      assertThat(played.stream().anyMatch(each -> !each.transfers().isEmpty()))
          .isEqualTo(tasks > 1);
    }
  }

  /** Each particle's matching, and what each task does once; slower by a factor. */
  @Test
  void takeTheTimeThatWasRecorded() {
    FilterRecording recording = recorded(2);
    for (ReadingTimes each : played(recording, 10, 3)) {
      if (each.keyFrame()) {
        assertThat(each.matchNanos()).containsOnly(10 * (1 + PARTICLES / 3));
        long entered = LongStream.of(each.aheadNanos()).sum() + sum(each.mapUpdateNanos());
        assertThat(entered).isBetween(10L, 10L * PARTICLES);
      }
    }
  }

  private static long sum(long[] nanos) {
    return Arrays.stream(nanos).sum();
  }

  @Test
  void refuseAnotherNumberOfParticles() {
    assertThatThrownBy(
            () -> new PlayedFilters(recorded(1), 1, settings(13).filter(), () -> nanos -> {}))
        .hasMessage(
            "slam.particles is 13, and the recording has 12 at each key frame; as many would be right");
  }

  @Test
  void refuseReadingsThatWereNotRecorded() {
    FilterRecording recording = recorded(1);
    assertThatThrownBy(() -> recording.at(READINGS + 1))
        .hasMessageContaining("reading 26 is no key frame of the recording, which has ");
  }

  /** Uses no processor meanwhile, and makes up for timers that ring late. */
  @Test
  void waitByATimer() {
    PlayedTimer timer = new PlayedTimer();
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long start = System.nanoTime();
    for (int i = 0; i < 500; i++) {
      timer.accept(400_000);
    }
    assertThat(System.nanoTime() - start).isGreaterThan(199_900_000);
    assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu)
        .isLessThan(100_000_000);
  }

  /** A worker has our classes by its class path, and this folder beside them. */
  @Test
  void areFoundInTheirFolder() throws Exception {
    FilterRecording recording = recorded(1);
    Path slower = Files.writeString(folder.resolve("slower"), "2.5");
    URL[] places = PlayedFactory.write(recording, slower, folder.resolve("jar")).getURLs();
    String own = PlayedFactory.class.getPackageName() + ".";
    ClassLoader usual = getClass().getClassLoader();
    ClassLoader others =
        new ClassLoader(usual) {
          @Override
          protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (name.startsWith(own)) {
              throw new ClassNotFoundException(name);
            }
            return super.loadClass(name, resolve);
          }
        };
    try (URLClassLoader worker = new URLClassLoader(places, others)) {
      FilterFactory factory = ServiceLoader.load(FilterFactory.class, worker).findFirst().get();
      ParticleFilters<?> filters = factory.of(settings.filter());
      assertThat(filters.getClass().getClassLoader()).isSameAs(worker);
      assertThat(filters.particles()).isEqualTo(PARTICLES);
      assertThat(filters.toString()).contains("slower=2.5");
      Files.writeString(slower, "7");
      assertThat(factory.of(settings.filter()).toString()).contains("slower=7.0");
    }
  }
}
