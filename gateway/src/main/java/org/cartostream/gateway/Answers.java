package org.cartostream.gateway;

import java.io.IOException;
import java.util.Optional;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.FinishedMessage;
import org.cartostream.broker.MapMessage;
import org.cartostream.broker.Message;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.broker.TrajectoryMessage;
import org.cartostream.slam.map.OccupancyGrid;

/**
 * What the service says in one run, and where it goes: outcomes to the tally, maps to the sink, the
 * last map, the path and the report to the {@link Ending}. A pose says no more than its outcome.
 *
 * <p>Owns the ending, the count of duplicates and the first loss.
 */
final class Answers {

  private final Outgoing outgoing;
  private final Tally tally;
  private final Sink sink;
  private final ReplayListener listener;
  private final Ending ending = new Ending();
  private long duplicates;
  private String loss;

  Answers(Outgoing outgoing, Tally tally, Sink sink, ReplayListener listener) {
    this.outgoing = outgoing;
    this.tally = tally;
    this.sink = sink;
    this.listener = listener;
  }

  /**
   * Takes an answer.
   *
   * @return true if the run came further by it: it was no outcome for the second time
   * @throws IOException if the sink cannot take it
   * @throws org.cartostream.broker.RefusedMessageException if a map is none
   */
  boolean take(Envelope envelope) throws IOException {
    Message body = envelope.body();
    if (body instanceof OutcomeMessage outcome) {
      return takeOutcome(envelope.sequence(), outcome.outcome());
    }
    if (body instanceof MapMessage map) {
      takeMap(map, envelope.sequence());
    } else if (body instanceof TrajectoryMessage part) {
      ending.take(part);
    } else if (body instanceof FinishedMessage finished) {
      ending.take(finished);
    }
    return true;
  }

  private void takeMap(MapMessage map, long version) throws IOException {
    Optional<OccupancyGrid> grid = outgoing.map().take(map, version);
    if (grid.isPresent() && map.last()) {
      ending.take(grid.get());
    } else if (grid.isPresent()) {
      sink.map(grid.get());
    }
  }

  private boolean takeOutcome(long sequence, Outcome outcome) {
    if (outgoing.unanswered().answered(sequence) == null) {
      duplicates++;
      return false;
    }
    if (outcome instanceof Outcome.Processed) {
      tally.processed();
    } else if (outcome instanceof Outcome.Refused refused) {
      tally.refused(refused.refusal());
    } else if (outcome instanceof Outcome.Lost lost) {
      tally.lost();
      loss = loss == null ? "reading " + sequence + " was lost: " + lost.sentence() : loss;
    }
    listener.onOutcome(outcome);
    return true;
  }

  /** The first reading that was lost and how, for people. */
  Optional<String> loss() {
    return Optional.ofNullable(loss);
  }

  Ending ending() {
    return ending;
  }

  long duplicates() {
    return duplicates;
  }
}
