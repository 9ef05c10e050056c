package org.cartostream.web.fleet;

import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;

/**
 * Translator of a service's answers to one robot into calls of an observer. An observer that comes
 * late lacks what was sent before: of the map it gets the tiles that change from then on, until a
 * whole one comes. Owns the map that was put together, and which readings have had their outcome.
 * Not thread-safe.
 */
final class ResponseTranslator {

  /** A service repeats what is in no checkpoint: some thousand readings. */
  private static final int MAX_ANSWERED = 50_000;

  private final RunObserver observer;
  private boolean begun;
  private long run;

  /** Numbers of the latest outcomes, {@value #MAX_ANSWERED} at most. */
  private TreeSet<Long> answered = new TreeSet<>();

  private OccupancyGrid map;
  private long mapVersion;

  /** Parts of the path by their numbers, which may come again. */
  private TreeMap<Integer, TrajectoryMessage> path = new TreeMap<>();

  ResponseTranslator(RunObserver observer) {
    this.observer = observer;
  }

  /**
   * The next answer.
   *
   * @throws org.cartostream.broker.RefusedMessageException if a map's bytes are none
   */
  void take(Envelope envelope) {
    if (!begun || envelope.run() != run) {
      begin(envelope);
    }
    if (envelope.body() instanceof OutcomeMessage message) {
      take(envelope.sequence(), message);
    } else if (envelope.body() instanceof MapMessage message) {
      take(envelope, message);
    } else if (envelope.body() instanceof MapMessage.ForObservers message) {
      take(envelope, message.map());
    } else if (envelope.body() instanceof ParticlesMessage message) {
      observer.particles(message, envelope.stampNanos());
    } else if (envelope.body() instanceof LoopsMessage message) {
      observer.loops(message.loops(), envelope.stampNanos());
    } else if (envelope.body() instanceof TrajectoryMessage message) {
      path.put(message.part(), message);
    } else if (envelope.body() instanceof FinishedMessage message) {
      observer.end(message.failure());
    }
  }

  private void begin(Envelope envelope) {
    begun = true;
    run = envelope.run();
    answered = new TreeSet<>();
    map = null;
    mapVersion = 0;
    path = new TreeMap<>();
    observer.begin(envelope.robot(), 0);
  }

  /** After a restore outcomes come again. */
  private void take(long number, OutcomeMessage message) {
    boolean isForgotten = answered.size() == MAX_ANSWERED && number < answered.first();
    if (!isForgotten && answered.add(number)) {
      observer.outcome(number, null, message.outcome());
    }
    if (answered.size() > MAX_ANSWERED) {
      answered.pollFirst();
    }
  }

  private void take(Envelope envelope, MapMessage message) {
    if (message.last()) {
      List<PathPose> whole = path.values().stream().flatMap(each -> each.poses().stream()).toList();
      observer.result(message.grid(), whole);
      return;
    }
    if (envelope.sequence() < mapVersion) {
      return; // A later one has come before it.
    }
    boolean isFirst = map == null || map.resolution() != message.resolution();
    OccupancyGrid held =
        isFirst ? new OccupancyGrid(0, 0, message.resolution(), 0, 0, new byte[0]) : map;
    map = message.isWhole() ? message.grid() : message.applyTo(held);
    mapVersion = envelope.sequence();
    observer.map(map, message.correction(), envelope.stampNanos());
  }
}
