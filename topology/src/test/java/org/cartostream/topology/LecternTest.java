package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.Envelope;
import org.cartostream.broker.Outcome;
import org.cartostream.broker.OutcomeMessage;
import org.cartostream.broker.PoseMessage;
import org.cartostream.slam.geometry.Pose;
import org.junit.jupiter.api.Test;

class LecternTest {

  private static final Run RUN = new Run("r2d2", 1, 0);
  private static final Payload.Ended END = new Payload.Ended(RUN, 2, 0, 0, "");
  private static final int KEPT_SECONDS = 10;

  /** The robot hears numbers, and words. */
  private final List<String> heard = new ArrayList<>();

  private final AtomicLong nanoTime = new AtomicLong();
  private final AwakeClock clock = new AwakeClock(nanoTime::get);

  private Lectern lectern(boolean speaks) {
    return new Lectern(RUN, envelope -> heard.add(describe(envelope)), clock, speaks);
  }

  private static String describe(Envelope envelope) {
    assertThat(envelope.robot()).isEqualTo("r2d2");
    assertThat(envelope.run()).isEqualTo(1);
    String what =
        envelope.body() instanceof OutcomeMessage message
            ? ((Outcome.Lost) message.outcome()).sentence()
            : Double.toString(((PoseMessage) envelope.body()).pose().x());
    return envelope.sequence() + ": " + what;
  }

  private static boolean answer(Lectern lectern, long sequence, String sentence) {
    return lectern.answer(sequence, 0, new Outcome.Lost(sentence));
  }

  private static PoseMessage at(double x) {
    return new PoseMessage(new Pose(x, 0, 0));
  }

  private static void bidFarewell(Lectern lectern) {
    lectern.bidFarewell(
        END.sequence(), END.stampNanos(), List.of(at(3), at(4)), at(5), KEPT_SECONDS);
  }

  @Test
  void givesEachReadingOneAnswerTheFirst() {
    Lectern lectern = lectern(true);

    assertThat(answer(lectern, 1, "one")).isTrue();
    assertThat(answer(lectern, 1, "another")).isFalse();
    assertThat(lectern.answerAgain(1)).isTrue();
    assertThat(lectern.answerAgain(2)).isFalse();

    assertThat(heard).containsExactly("1: one", "1: one");
  }

  @Test
  void givesNoSecondAnswerToWhatItHasForgotten() {
    Lectern lectern = lectern(false);
    for (int sequence = 1; sequence <= 300; sequence++) {
      assertThat(answer(lectern, sequence, "once")).isTrue();
    }
    assertThat(answer(lectern, 1, "twice")).isFalse();
    assertThat(lectern.answerAgain(300)).isTrue();
  }

  /** Poses are of no use any more. */
  @Test
  void saysAnswersAndLastWordsInThePlaceOfAnotherThatSaidThem() {
    Lectern lectern = lectern(false);
    lectern.say(1, 0, at(1));
    answer(lectern, 1, "one");
    answer(lectern, 2, "two");
    bidFarewell(lectern);
    assertThat(heard).isEmpty();

    lectern.speak(true);
    assertThat(heard).containsExactly("1: one", "2: two", "2: 3.0", "2: 4.0");
  }

  @Test
  void isSilentAsSoonAsAnotherSpeaks() {
    Lectern lectern = lectern(true);
    lectern.say(1, 0, at(1));
    lectern.speak(false);
    lectern.say(2, 0, at(2));
    answer(lectern, 1, "one");
    bidFarewell(lectern);

    assertThat(heard).containsExactly("1: 1.0");
  }

  @Test
  void keepsItsLastWordsForAWhileAndThenSaysThatTheyAreGone() {
    Lectern lectern = lectern(true);
    bidFarewell(lectern);
    for (int second = 0; second < KEPT_SECONDS; second++) {
      assertThat(lectern.watch()).isFalse();
      nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
      clock.tick();
    }
    assertThat(lectern.watch()).isFalse();
    nanoTime.incrementAndGet();
    assertThat(lectern.watch()).isTrue();
    lectern.sayFarewellAgain();

    assertThat(heard).containsExactly("2: 3.0", "2: 4.0", "2: 5.0");
  }
}
