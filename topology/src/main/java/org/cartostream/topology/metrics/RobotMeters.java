package org.cartostream.topology.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.topology.timing.KeyFrameTiming;

/**
 * Meters of one robot's run, shown by {@link MetricsEndpoint}; they disappear with the run.
 *
 * <p>Owns the meters, which cost next to nothing if nobody reads them. The process shows at most
 * {@link #MAX_ROBOTS} robots at a time; further robots are not shown.
 */
public final class RobotMeters implements AutoCloseable {

  static final String READINGS = "cartostream.readings";
  static final String SERVICE = "cartostream.reading.service";
  static final String NEFF = "cartostream.neff";
  static final String PARTICLES = "cartostream.particles";
  static final String MOVED = "cartostream.moved";
  static final String RESAMPLINGS = "cartostream.resamplings";
  static final String CORRECTIONS = "cartostream.corrections";
  static final String RESTORES = "cartostream.restores";

  /** Maximum number of robots that are shown; each takes some 50 lines. */
  private static final int MAX_ROBOTS = 1000;

  /**
   * Upper bounds of the histogram's buckets, milliseconds; a driving robot's times should be in the
   * first few.
   */
  private static final long[] BUCKETS = {
    1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000
  };

  private static final AtomicInteger SHOWN = new AtomicInteger();

  private final MeterRegistry registry;
  private final Tags robot;
  private final List<Meter> meters = new ArrayList<>();
  private final List<AtomicInteger> particles = new ArrayList<>();
  private final AtomicLong neffBits = new AtomicLong(Double.doubleToLongBits(Double.NaN));
  private final Timer service;
  private final Counter moved;
  private final Counter resamplings;
  private final Counter corrections;
  private final Counter restores;

  /** Meters of localisation; null until the robot has a pose in a known map. */
  private LocalisationMeters localisation;

  private boolean shown;

  /**
   * @param id the robot's id
   * @param tasks number of tasks that hold particles
   */
  public RobotMeters(String id, int tasks) {
    shown = SHOWN.getAndUpdate(n -> Math.min(n + 1, MAX_ROBOTS)) < MAX_ROBOTS;
    registry = shown ? Metrics.globalRegistry : new CompositeMeterRegistry();
    robot = Tags.of("robot", id);
    service = service();
    moved = counter(MOVED, "bytes", "Size of particles that changed tasks");
    resamplings = counter(RESAMPLINGS, null, "Resamplings of the particles");
    corrections = counter(CORRECTIONS, null, "Corrections of the pose by closed loops");
    restores = counter(RESTORES, null, "Restores of the run from a checkpoint");
    gauge(
        Gauge.builder(NEFF, () -> Double.longBitsToDouble(neffBits.get()))
            .description("Effective number of particles at the last reading"),
        robot);
    for (int task = 0; task < tasks; task++) {
      AtomicInteger count = new AtomicInteger();
      particles.add(count);
      gauge(
          Gauge.builder(PARTICLES, count::get).description("Number of particles on each task"),
          robot.and("task", Integer.toString(task)));
    }
  }

  private Timer service() {
    Duration[] buckets = new Duration[BUCKETS.length];
    for (int i = 0; i < buckets.length; i++) {
      buckets[i] = Duration.ofMillis(BUCKETS[i]);
    }
    return kept(
        Timer.builder(SERVICE)
            .tags(robot)
            .description("Time from a reading's admission until every task was ready again")
            .serviceLevelObjectives(buckets)
            .register(registry));
  }

  private Counter counter(String name, String unit, String description) {
    return kept(
        Counter.builder(name)
            .tags(robot)
            .baseUnit(unit)
            .description(description)
            .register(registry));
  }

  private void gauge(Gauge.Builder<?> gauge, Tags tags) {
    kept(gauge.tags(tags).strongReference(true).register(registry));
  }

  private <M extends Meter> M kept(M meter) {
    meters.add(meter);
    return meter;
  }

  /** Counts the outcome of a reading. */
  public void outcome(Outcome outcome) {
    if (outcome instanceof Outcome.Processed processed) {
      count("processed", "");
      neffBits.set(Double.doubleToLongBits(processed.pose().effectiveSampleSize()));
      corrections.increment(
          Math.max(0, processed.pose().correction().number() - corrections.count()));
      service.record(Duration.ofNanos(processed.serviceNanos()));
      if (processed.pose().quality() != null) {
        localised(processed.pose().quality());
      }
    } else if (outcome instanceof Outcome.Refused refused) {
      count("refused", refused.refusal());
    } else {
      count("lost", "");
    }
  }

  private void localised(LocalisationQuality quality) {
    if (localisation == null) {
      localisation = new LocalisationMeters(robot, this::gauge);
    }
    localisation.show(quality);
  }

  private void count(String outcome, String reason) {
    Counter counter =
        Counter.builder(READINGS)
            .tags(robot.and("outcome", outcome, "reason", reason))
            .description("Readings by outcome")
            .register(registry);
    if (!meters.contains(counter)) {
      meters.add(counter);
    }
    counter.increment();
  }

  /** Records that a task is done with a key frame. */
  public void done(KeyFrameTiming keyFrameTiming) {
    particles.get(keyFrameTiming.task()).set(keyFrameTiming.particles());
    moved.increment(keyFrameTiming.bytesMoved());
  }

  public void resampled() {
    resamplings.increment();
  }

  /** Sets the number of times that the run went on from a checkpoint. */
  public void restored(long times) {
    restores.increment(times - restores.count());
  }

  @Override
  public void close() {
    meters.forEach(registry::remove);
    meters.clear();
    if (shown) {
      SHOWN.decrementAndGet();
    }
    shown = false;
  }
}
