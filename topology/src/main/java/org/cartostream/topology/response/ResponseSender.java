package org.cartostream.topology.response;

import java.util.List;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.slam.motion.Step;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * Sender of a publisher's answers to the robot of one run.
 *
 * <p>Owns the messages that may have to be sent again: the {@link ResponseCache} and, after the
 * run's end, the {@link FinalResult}.
 */
public final class ResponseSender {

  /**
   * Answer to a reading.
   *
   * @param sequence number of the reading
   * @param stampNanos stamp of the reading, nanoseconds since 1970-01-01 UTC by the robot's clock
   * @param message outcome of the reading
   */
  public record Response(long sequence, long stampNanos, OutcomeMessage message) {}

  /** Sender of envelopes to their robots. */
  public interface EnvelopeSink {
    void send(Envelope envelope);
  }

  private final Run run;
  private final EnvelopeSink envelopeSink;
  private final PauseTolerantClock clock;

  /** Number of a run's latest readings that are answered again if their robot asks. */
  public static final int ANSWERED_AGAIN = ResponseCache.KEPT;

  private final ResponseCache answers = new ResponseCache();

  private long durable;

  /** Final result; null until the run's end. */
  private FinalResult finalResult;

  /**
   * @param clock clock of the publisher
   */
  public ResponseSender(Run run, EnvelopeSink envelopeSink, PauseTolerantClock clock) {
    this.run = run;
    this.envelopeSink = envelopeSink;
    this.clock = clock;
  }

  /** Returns the responses that are kept, for a checkpoint. */
  public Response[] answers() {
    return answers.all().stream()
        .map(sent -> new Response(sent.sequence(), sent.stampNanos(), (OutcomeMessage) sent.body()))
        .toArray(Response[]::new);
  }

  /** Restores the responses of a checkpoint. */
  public void restore(Response[] sent) {
    for (Response each : sent) {
      Envelope answer = envelope(each.sequence(), each.stampNanos(), each.message());
      answers.add(each.sequence(), answer);
    }
  }

  /**
   * Sets the number up to which the robot need never send readings again; each later outcome tells
   * the robot so.
   */
  public void durableTo(long sequence) {
    durable = sequence;
  }

  /** Sends a message about a reading, which is not kept to be sent again. */
  public void send(Step at, Message body) {
    send(at.sequence(), at.stampNanos(), body);
  }

  /** Sends a message that is not kept to be sent again. */
  public void send(long sequence, long stampNanos, Message body) {
    envelopeSink.send(envelope(sequence, stampNanos, body));
  }

  /**
   * Answers a reading.
   *
   * @return false if the reading has an answer already: the first one counts
   */
  public boolean answer(long sequence, long stampNanos, Outcome outcome) {
    Envelope answer = envelope(sequence, stampNanos, OutcomeMessage.now(outcome, durable));
    boolean first = answers.add(sequence, answer);
    if (first) {
      envelopeSink.send(answer);
    }
    return first;
  }

  /**
   * Sends the answer to a reading again.
   *
   * @return false if there is no answer, or it is no longer kept
   */
  public boolean resendAnswer(long sequence) {
    Envelope answer = answers.get(sequence);
    if (answer != null) {
      envelopeSink.send(answer);
    }
    return answer != null;
  }

  /** Returns true if a reading has an answer, or may have had one that is no longer kept. */
  public boolean mayHaveAnswered(long sequence) {
    return answers.get(sequence) != null || answers.mayHaveForgotten(sequence);
  }

  /**
   * Sends the final result of the run.
   *
   * @param sequence number of the last reading
   * @param stampNanos stamp of the robot's message that the run has ended
   * @param messages path, map and report
   * @param afterwards report that is sent when these messages are gone
   * @param keptSeconds time for which the messages are kept after they were sent last
   */
  public void sendFinalResult(
      long sequence, long stampNanos, List<Message> messages, Message afterwards, int keptSeconds) {
    finalResult =
        new FinalResult(
            messages.stream().map(each -> envelope(sequence, stampNanos, each)).toList(),
            envelope(sequence, stampNanos, afterwards),
            keptSeconds);
    resendFinalResult();
  }

  public boolean hasSentFinalResult() {
    return finalResult != null;
  }

  /** Sends the final result again, or the report that it is gone; nothing before the run's end. */
  public void resendFinalResult() {
    if (finalResult != null) {
      finalResult.send(envelopeSink, clock.nanos());
    }
  }

  /**
   * Drops the final result if its time is over.
   *
   * @return true if the final result is gone
   */
  public boolean watch() {
    if (finalResult == null) {
      return false;
    }
    finalResult.watch(clock.nanos());
    return finalResult.hasExpired();
  }

  private Envelope envelope(long sequence, long stampNanos, Message body) {
    return new Envelope(run.robot(), run.number(), sequence, stampNanos, body);
  }
}
