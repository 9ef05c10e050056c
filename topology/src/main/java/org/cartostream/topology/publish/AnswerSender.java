package org.cartostream.topology.publish;

import java.util.List;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.PauseTolerantClock;

/**
 * What a publisher tells the robot of one run, as long as it is the one that speaks ({@code
 * Rostrum}).
 *
 * <p>Owns whether it is, and what may have to be said again: the {@link AnswerCache} and, after the
 * end, the {@link FinalResult}. Both are kept while another speaks, too, so that it can take that
 * one's place.
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

  /** False while another publisher speaks to the robot. */
  private boolean isActive;

  /** Null until the end. */
  private FinalResult finalResult;

  /**
   * @param clock of the publisher
   * @param speaks whether it speaks to the robot, until it is told
   */
  public AnswerSender(
      Run run, EnvelopeSink envelopeSink, PauseTolerantClock clock, boolean speaks) {
    this.run = run;
    this.envelopeSink = envelopeSink;
    this.clock = clock;
    this.isActive = speaks;
  }

  /** What was answered last. */
  public Answer[] answers() {
    return answers.all().stream()
        .map(said -> new Answer(said.sequence(), said.stampNanos(), (OutcomeMessage) said.body()))
        .toArray(Answer[]::new);
  }

  /** Takes over what another has answered. */
  public void restore(Answer[] said) {
    for (Answer each : said) {
      Envelope answer = envelope(each.sequence(), each.stampNanos(), each.message());
      answers.add(each.sequence(), answer);
    }
  }

  public boolean isActive() {
    return isActive;
  }

  /** It speaks to the robot from now on, and says again what was answered last; or another does. */
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

  /** Says something that is not kept. */
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
   * Says again what a reading was answered.
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
   * Says the last words of the run.
   *
   * @param sequence the last reading's number
   * @param stampNanos of the robot's word that nothing follows
   * @param afterwards what is said when they are gone
   * @param keptSeconds how long they are kept after they were asked for
   */
  public void sendFinalResult(
      long sequence, long stampNanos, List<Message> words, Message afterwards, int keptSeconds) {
    finalResult =
        new FinalResult(
            words.stream().map(word -> envelope(sequence, stampNanos, word)).toList(),
            envelope(sequence, stampNanos, afterwards),
            keptSeconds);
    resendFinalResult();
  }

  public boolean hasSentFinalResult() {
    return finalResult != null;
  }

  /** Says the last words again, or what is left of them; nothing before the end. */
  public void resendFinalResult() {
    if (finalResult != null) {
      finalResult.send(this::send, clock.nanos());
    }
  }

  /**
   * Looks at the time: lets go of an old farewell.
   *
   * @return true if the last words are gone
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
