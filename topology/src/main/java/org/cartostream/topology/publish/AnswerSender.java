package org.cartostream.topology.publish;

import java.util.List;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * Sends a publisher's answers to the robot of one run, as long as it is the active publisher
 * ({@code Rostrum}).
 *
 * <p>Owns whether it is, and what may have to be sent again: the {@link AnswerCache} and, after the
 * end, the {@link FinalResult}. Both are kept while another publisher is active, too, so that it
 * can take that one's place.
 */
public final class AnswerSender {

  /** What a reading was answered. */
  public record Answer(long sequence, long stampNanos, OutcomeMessage message) {}

  /** Sends an envelope to its robot. */
  public interface EnvelopeSink {
    void send(Envelope envelope);
  }

  private final Run run;
  private final EnvelopeSink envelopeSink;
  private final PauseTolerantClock clock;
  private final AnswerCache answers = new AnswerCache();

  /** False while another publisher sends to the robot. */
  private boolean isActive;

  /** Null until the end. */
  private FinalResult finalResult;

  /**
   * @param clock of the publisher
   * @param active whether it sends to the robot, until that changes
   */
  public AnswerSender(
      Run run, EnvelopeSink envelopeSink, PauseTolerantClock clock, boolean active) {
    this.run = run;
    this.envelopeSink = envelopeSink;
    this.clock = clock;
    this.isActive = active;
  }

  /** What was answered last. */
  public Answer[] answers() {
    return answers.all().stream()
        .map(sent -> new Answer(sent.sequence(), sent.stampNanos(), (OutcomeMessage) sent.body()))
        .toArray(Answer[]::new);
  }

  /** Takes over what another has answered. */
  public void restore(Answer[] sent) {
    for (Answer each : sent) {
      Envelope answer = envelope(each.sequence(), each.stampNanos(), each.message());
      answers.add(each.sequence(), answer);
    }
  }

  public boolean isActive() {
    return isActive;
  }

  /** It sends to the robot from now on, beginning with the latest answers; or another does. */
  public void setActive(boolean toRobot) {
    isActive = toRobot;
    if (isActive) {
      answers.all().forEach(envelopeSink::send);
      resendFinalResult();
    }
  }

  private void send(Envelope envelope) {
    if (isActive) {
      envelopeSink.send(envelope);
    }
  }

  /** Sends something that is not kept. */
  public void send(long sequence, long stampNanos, Message body) {
    send(envelope(sequence, stampNanos, body));
  }

  /**
   * Answers a reading.
   *
   * @return false if it has an answer already: the first one counts
   */
  public boolean answer(long sequence, long stampNanos, Outcome outcome) {
    Envelope answer = envelope(sequence, stampNanos, OutcomeMessage.now(outcome));
    boolean first = answers.add(sequence, answer);
    if (first) {
      send(answer);
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
      send(answer);
    }
    return answer != null;
  }

  /** True if a reading has an answer, or may have had one that is not known any more. */
  public boolean mayHaveAnswered(long sequence) {
    return answers.get(sequence) != null || answers.mayHaveForgotten(sequence);
  }

  /** The greatest number that was answered; 0 if none was. */
  public long latestAnswered() {
    return answers.latest();
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
      finalResult.send(this::send, clock.nanos());
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
