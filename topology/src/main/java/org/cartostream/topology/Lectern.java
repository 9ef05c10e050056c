package org.cartostream.topology;

import java.util.List;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.Message;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;

/**
 * What a publisher tells the robot of one run, as long as it is the one that speaks ({@code
 * Rostrum}).
 *
 * <p>Owns whether it is, and what may have to be said again: the {@link AnswerLog} and, after the
 * end, the {@link Farewell}. Both are kept while another speaks, too, so that it can take that
 * one's place.
 */
final class Lectern {

  /** What a reading was answered. */
  record Answer(long sequence, long stampNanos, OutcomeMessage message) {}

  /** Sends an envelope to its robot. */
  interface Mouth {
    void say(Envelope envelope);
  }

  private final Run run;
  private final Mouth mouth;
  private final AwakeClock clock;
  private final AnswerLog answers = new AnswerLog();

  /** False while another publisher speaks to the robot. */
  private boolean speaks;

  /** Null until the end. */
  private Farewell farewell;

  /**
   * @param clock of the publisher
   * @param speaks whether it speaks to the robot, until it is told
   */
  Lectern(Run run, Mouth mouth, AwakeClock clock, boolean speaks) {
    this.run = run;
    this.mouth = mouth;
    this.clock = clock;
    this.speaks = speaks;
  }

  /** What was answered last. */
  Answer[] answers() {
    return answers.all().stream()
        .map(said -> new Answer(said.sequence(), said.stampNanos(), (OutcomeMessage) said.body()))
        .toArray(Answer[]::new);
  }

  /** Takes over what another has answered. */
  void goOn(Answer[] said) {
    for (Answer each : said) {
      Envelope answer = envelope(each.sequence(), each.stampNanos(), each.message());
      answers.add(each.sequence(), answer);
    }
  }

  boolean speaks() {
    return speaks;
  }

  /** It speaks to the robot from now on, and says again what was answered last; or another does. */
  void speak(boolean toRobot) {
    speaks = toRobot;
    if (speaks) {
      answers.all().forEach(mouth::say);
      sayFarewellAgain();
    }
  }

  private void say(Envelope envelope) {
    if (speaks) {
      mouth.say(envelope);
    }
  }

  /** Says something that is not kept. */
  void say(long sequence, long stampNanos, Message body) {
    say(envelope(sequence, stampNanos, body));
  }

  /**
   * Answers a reading.
   *
   * @return false if it has an answer already: the first one counts
   */
  boolean answer(long sequence, long stampNanos, Outcome outcome) {
    Envelope answer = envelope(sequence, stampNanos, OutcomeMessage.now(outcome));
    boolean first = answers.add(sequence, answer);
    if (first) {
      say(answer);
    }
    return first;
  }

  /**
   * Says again what a reading was answered.
   *
   * @return false if that is not known
   */
  boolean answerAgain(long sequence) {
    Envelope answer = answers.get(sequence);
    if (answer != null) {
      say(answer);
    }
    return answer != null;
  }

  /** True if a reading has an answer, or may have had one that is not known any more. */
  boolean mayHaveAnswered(long sequence) {
    return answers.get(sequence) != null || answers.mayHaveForgotten(sequence);
  }

  /** The greatest number that was answered; 0 if none was. */
  long latestAnswered() {
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
  void bidFarewell(
      long sequence, long stampNanos, List<Message> words, Message afterwards, int keptSeconds) {
    farewell =
        new Farewell(
            words.stream().map(word -> envelope(sequence, stampNanos, word)).toList(),
            envelope(sequence, stampNanos, afterwards),
            keptSeconds);
    sayFarewellAgain();
  }

  boolean hasBidFarewell() {
    return farewell != null;
  }

  /** Says the last words again, or what is left of them; nothing before the end. */
  void sayFarewellAgain() {
    if (farewell != null) {
      farewell.say(this::say, clock.nanos());
    }
  }

  /**
   * Looks at the time: lets go of an old farewell.
   *
   * @return true if the last words are gone
   */
  boolean watch() {
    if (farewell == null) {
      return false;
    }
    farewell.watch(clock.nanos());
    return farewell.isOver();
  }

  private Envelope envelope(long sequence, long stampNanos, Message body) {
    return new Envelope(run.robot(), run.number(), sequence, stampNanos, body);
  }
}
