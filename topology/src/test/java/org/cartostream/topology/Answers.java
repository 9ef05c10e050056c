package org.cartostream.topology;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.RecordedPath;

/**
 * What one robot was told, and what it should have been told. Of what it is told twice the first
 * counts, as in the gateway.
 */
public final class Answers {

  /** What is the same whatever way the filter runs; poses and cells to the last bit. */
  public record Result(Map<Long, String> outcomes, List<PathPose> path, List<Object> map) {}

  private record Work(
      FilterSettings settings, String robot, List<Reading> readings, Set<Long> refused) {}

  private static final Map<Work, Result> SERIAL = new ConcurrentHashMap<>();

  private record Key(long run, long sequence) {}

  private final Map<Key, String> first = new HashMap<>();
  private final List<String> contradictions = new ArrayList<>();

  /** Of the latest run, where runs have had the same numbers. */
  private final Map<Long, String> outcomes = new TreeMap<>();

  private final List<PathPose> path = new ArrayList<>();
  private final List<Envelope> all = new ArrayList<>();
  private OccupancyGrid map;
  private FinishedMessage report;

  synchronized void hear(Envelope envelope) {
    all.add(envelope);
    if (envelope.body() instanceof OutcomeMessage message) {
      hear(new Key(envelope.run(), envelope.sequence()), line(message.outcome()));
    } else if (envelope.body() instanceof TrajectoryMessage part && report == null) {
      path.addAll(part.poses());
    } else if (envelope.body() instanceof MapMessage message && message.last()) {
      map = message.grid();
    } else if (envelope.body() instanceof FinishedMessage finished) {
      report = finished;
    }
  }

  private void hear(Key reading, String outcome) {
    String before = first.putIfAbsent(reading, outcome);
    if (before == null) {
      outcomes.put(reading.sequence(), outcome);
    } else if (!before.equals(outcome)) {
      contradictions.add(reading + ": first " + before + ", then " + outcome);
    }
  }

  /** Of readings whose outcome was said twice, and not the same each time. */
  synchronized List<String> contradictions() {
    return List.copyOf(contradictions);
  }

  private static String line(Outcome outcome) {
    if (outcome instanceof Outcome.Processed processed) {
      return processed.pose().toString();
    }
    return outcome.toString();
  }

  public synchronized FinishedMessage report() {
    return report;
  }

  synchronized int answered() {
    return outcomes.size();
  }

  public synchronized String outcome(long sequence) {
    return outcomes.get(sequence);
  }

  public synchronized List<Envelope> all() {
    return List.copyOf(all);
  }

  synchronized List<PathPose> path() {
    return List.copyOf(path);
  }

  public synchronized Result result() {
    return new Result(new TreeMap<>(outcomes), List.copyOf(path), describe(map));
  }

  /** What the serial filter makes of the readings; worked out once for all tests that ask. */
  public static Result serial(FilterSettings settings, String robot, List<Reading> readings) {
    return serialWithout(Set.of(), settings, robot, readings);
  }

  /**
   * The same without some of them.
   *
   * @param refused their numbers
   */
  public static Result serialWithout(
      Set<Long> refused, FilterSettings settings, String robot, List<Reading> readings) {
    return SERIAL.computeIfAbsent(
        new Work(settings, robot, List.copyOf(readings), refused), Answers::filtered);
  }

  private static Result filtered(Work work) {
    SerialFilter filter = new SerialFilter(work.settings(), work.robot());
    Map<Long, String> outcomes = new TreeMap<>();
    long sequence = 0;
    for (Reading reading : work.readings()) {
      sequence++;
      if (work.refused().contains(sequence)) {
        continue;
      }
      SerialFilter.Result result = filter.process(sequence, reading);
      if (result instanceof SerialFilter.Result.Processed processed) {
        outcomes.put(sequence, processed.pose().toString());
      } else if (result instanceof SerialFilter.Result.Refused refused) {
        outcomes.put(sequence, Outcome.Refused.of(refused.why()).toString());
      }
    }
    RecordedPath recordedPath = filter.trajectoryTree().bestPath().withLoopsClosed();
    return new Result(outcomes, recordedPath.path(), describe(recordedPath.map().grid()));
  }

  /** Nothing of none: a robot that is localised is sent none. */
  static List<Object> describe(OccupancyGrid map) {
    if (map == null) {
      return List.of();
    }
    return List.of(
        map.width(),
        map.height(),
        map.originX(),
        map.originY(),
        java.util.Arrays.hashCode(map.cells()));
  }
}
