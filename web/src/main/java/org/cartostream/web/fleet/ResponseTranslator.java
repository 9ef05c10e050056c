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
 * Translator of a service's answers to one robot into calls of an observer. If it begins late, it
 * lacks earlier answers: until a whole map comes, it shows only the tiles that change. Owns the map
 * put together so far, and the numbers of the readings whose outcome was told. Not thread-safe.
 */
final class ResponseTranslator {

  /**
   * Maximum number of outcomes remembered: after a restore a service repeats the outcomes since its
   * checkpoint, some thousand.
   */
  private static final int MAX_ANSWERED = 50_000;

  private final RunObserver observer;
  private boolean begun;
  private long run;

  /** Numbers of the readings with the latest outcomes, {@value #MAX_ANSWERED} at most. */
  private TreeSet<Long> answered = new TreeSet<>();

  private OccupancyGrid map;
  private long mapVersion;

  /** Parts of the corrected path by their numbers; a part may be sent twice. */
  private TreeMap<Integer, TrajectoryMessage> path = new TreeMap<>();

  ResponseTranslator(RunObserver observer) {
    this.observer = observer;
  }

  /**
   * Translates the next answer.
   *
   * @throws org.cartostream.broker.RefusedMessageException if the bytes of a map are malformed
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

  /** Tells an outcome, unless it was told before: after a restore a service repeats outcomes. */
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
      return; // A newer map has come already.
    }
    boolean isFirst = map == null || map.resolution() != message.resolution();
    OccupancyGrid held =
        isFirst ? new OccupancyGrid(0, 0, message.resolution(), 0, 0, new byte[0]) : map;
    map = message.isWhole() ? message.grid() : message.applyTo(held);
    mapVersion = envelope.sequence();
    observer.map(map, message.correction(), envelope.stampNanos());
  }
}
