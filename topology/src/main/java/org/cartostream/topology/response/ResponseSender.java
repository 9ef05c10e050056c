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
 * <p>Owns what may have to be sent again: the {@link ResponseCache} and, after the end, the {@link
 * FinalResult}.
 */
public final class ResponseSender {

  /** Answer to a reading. */
  public record Response(long sequence, long stampNanos, OutcomeMessage message) {}

  /** Sends an envelope to its robot. */
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

  /** Null until the end. */
  private FinalResult finalResult;

  /**
   * @param clock of the publisher
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

  /** Goes on after these answers. */
  public void restore(Response[] sent) {
    for (Response each : sent) {
      Envelope answer = envelope(each.sequence(), each.stampNanos(), each.message());
      answers.add(each.sequence(), answer);
    }
  }

  /** Readings up to this one need never be sent again: each later outcome says so. */
  public void durableTo(long sequence) {
    durable = sequence;
  }

  /** Sends something at a reading that is not kept. */
  public void send(Step at, Message body) {
    send(at.sequence(), at.stampNanos(), body);
  }

  /** Sends something that is not kept. */
  public void send(long sequence, long stampNanos, Message body) {
    envelopeSink.send(envelope(sequence, stampNanos, body));
  }

  /**
   * Answers a reading.
   *
   * @return false if it has an answer already: the first one counts
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
   * @return false if that is not known
   */
  public boolean resendAnswer(long sequence) {
    Envelope answer = answers.get(sequence);
    if (answer != null) {
      envelopeSink.send(answer);
    }
    return answer != null;
  }

  /** True if a reading has an answer, or may have had one that is not known any more. */
  public boolean mayHaveAnswered(long sequence) {
    return answers.get(sequence) != null || answers.mayHaveForgotten(sequence);
  }

  /**
   * Sends the final result of the run.
   *
   * @param sequence the last reading's number
   * @param stampNanos of the robot's message that nothing follows
   * @param afterwards what is sent when they are gone
   * @param keptSeconds how long they are kept after they were asked for
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

  /** Sends the final result again, or what is left of it; nothing before the end. */
  public void resendFinalResult() {
    if (finalResult != null) {
      finalResult.send(envelopeSink, clock.nanos());
    }
  }

  /**
   * Looks at the time: drops an old final result.
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
