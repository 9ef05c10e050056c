package org.cartostream.topology.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.Drive;
import org.cartostream.topology.arrival.PendingAcks;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload.Arrival;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@Quick
class ReadingLedgerTest {

  private static final Run RUN = new Run("r2d2", 1, 0);
  private static final int MAX_WAITING = 4;
  private static final List<Reading> READINGS = Drive.readings(11, 20);
  private static final TopologySettings SETTINGS =
      Settings.build(
          TopologySettings.class, Map.of("waitingReadings", Integer.toString(MAX_WAITING)));

  /** What came of each reading, in the order in which it did. */
  private final List<String> fates = new ArrayList<>();

  private ReadingLedger ledger = open(0, new long[0], false);

  private static ReadingLedger open(long durable, long[] refused, boolean mayBeAnswered) {
    ReadingLedger.MemoryBudget enough = new ReadingLedger.MemoryBudget(Long.MAX_VALUE);
    ReadingLedger ledger = new ReadingLedger(RUN, SETTINGS, new PendingAcks(), enough);
    ledger.forgetTo(durable);
    ledger.resume(refused, mayBeAnswered);
    return ledger;
  }

  /** Another dispatcher goes on after a checkpoint. */
  private void restore(long durable, long... refused) {
    ledger = open(durable, refused, true);
  }

  /** Readings arrive while none is being processed, and those whose turn it is have it. */
  private void arrive(long... numbers) {
    for (long number : numbers) {
      Reading reading = READINGS.get((int) number - 1);
      switch (ledger.receive(new Arrival.OfReading(RUN, number, reading, 0, null, null))) {
        case KEPT -> {}
        case REPEATED -> fates.add(number + " again");
        case AFTER_THE_END -> fates.add(number + " after the end");
        case DROPPED -> fates.add(number + " dropped");
        case REFUSED -> fates.add(number + " too many");
      }
      takeTurns();
    }
  }

  private void takeTurns() {
    for (Arrival.OfReading next = ledger.next(); next != null; next = ledger.next()) {
      fates.add(next.sequence() + " next");
      ledger.settleNext();
    }
  }

  private void end(long number) {
    ledger.receive(new Arrival.OfEnd(RUN, number, 0, 0));
  }

  private boolean isAtEnd() {
    return ledger.lastTurn() >= ledger.end().sequence();
  }

  @RepeatedTest(100)
  void givesEachReadingOneTurnInTheOrderOfNumbersHoweverTheyOvertakeEachOther() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (long first = 1; first <= READINGS.size(); first += MAX_WAITING) {
      List<Long> ahead =
          new ArrayList<>(LongStream.range(first, first + MAX_WAITING).boxed().toList());
      Collections.shuffle(ahead, random);
      ahead.forEach(this::arrive);
    }

    assertThat(fates)
        .as("seed " + seed)
        .isEqualTo(
            LongStream.rangeClosed(1, READINGS.size()).mapToObj(each -> each + " next").toList());
  }

  @Test
  void letsTheEndWaitForReadingsThatItCounts() {
    end(2);
    arrive(2);
    assertThat(isAtEnd()).isFalse();
    arrive(1);
    assertThat(isAtEnd()).isTrue();
  }

  /** However often it is asked: who sent it sends it again. */
  @Test
  void waitsForAGapForAsLongAsItTakes() {
    arrive(1, 4);
    end(4);
    for (int i = 0; i < 100; i++) {
      takeTurns();
    }
    assertThat(fates).containsExactly("1 next");
    assertThat(isAtEnd()).isFalse();
    arrive(3, 2);

    assertThat(fates).containsExactly("1 next", "2 next", "3 next", "4 next");
    assertThat(isAtEnd()).isTrue();
  }

  /** The one that waits has no answer that could be repeated. */
  @Test
  void repeatsTheAnswerOfWhatHadItsTurn() {
    arrive(1, 3, 3, 1);

    assertThat(fates).containsExactly("1 next", "1 again");
  }

  /**
   * To answer each of a flood would cost more than the filter does; what is missing is asked for.
   */
  @Test
  void turnsAwayTenWithAnAnswerAndTheRestWithoutUntilAnotherHasItsTurn() {
    arrive(LongStream.rangeClosed(2, 17).toArray());
    assertThat(fates.subList(0, 10)).allMatch(fate -> fate.endsWith(" too many"));
    assertThat(fates.subList(10, fates.size())).containsExactly("16 dropped", "17 dropped");
    arrive(1);
    assertThat(ledger.lastTurn()).isEqualTo(15);
    arrive(16, 17);
    assertThat(fates).endsWith("16 next", "17 next");
  }

  /** The credit is used up by what cannot have its turn; the one that all wait for may come. */
  @Test
  void turnsAwayWhatExceedsTheCreditAndSkipsItLater() {
    arrive(2, 3, 4, 5, 6, 6, 1);
    assertThat(fates)
        .containsExactly("6 too many", "6 again", "1 next", "2 next", "3 next", "4 next", "5 next");
    assertThat(ledger.lastTurn()).isEqualTo(6);
    arrive(7);

    assertThat(fates).endsWith("7 next");
  }

  @Test
  void turnsAwayWhatComesAfterTheEnd() {
    end(2);
    arrive(3, 2, 1);

    assertThat(fates).containsExactly("3 after the end", "1 next", "2 next");
    assertThat(isAtEnd()).isTrue();
  }

  @Test
  void knowsWhatIsMissing() {
    assertThat(ledger.gap()).isEmpty();
    arrive(1, 2);
    assertThat(ledger.gap()).isEmpty();
    arrive(5, 6);
    assertThat(ledger.gap()).contains(new ReadingLedger.Gap(3, 4));
    arrive(3);
    assertThat(ledger.gap()).contains(new ReadingLedger.Gap(4, 4));
    arrive(4);
    assertThat(ledger.gap()).isEmpty();
    end(9);
    assertThat(ledger.gap()).contains(new ReadingLedger.Gap(7, 9));
  }

  @Test
  void asksForSoManyAtATime() {
    arrive(1);
    end(10_000);
    assertThat(ledger.gap()).contains(new ReadingLedger.Gap(2, 501));
  }

  /** Else they would be turned away where they wait for the first of them. */
  @Test
  void turnsNothingAwayThatItHasAskedFor() {
    end(12);
    assertThat(ledger.gapToAskFor(0)).as("it may be on its way").isEmpty();
    assertThat(ledger.gapToAskFor(1)).contains(new ReadingLedger.Gap(1, 12));
    assertThat(ledger.gapToAskFor(2)).as("so soon again").isEmpty();
    arrive(12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);

    assertThat(fates).startsWith("1 next", "2 next").endsWith("12 next").hasSize(12);
  }

  /** What it was answered before is only repeated now, and it may be far ahead of that. */
  @Test
  void turnsNothingAwayOfARobotWhoseRunWasRestored() {
    restore(2);
    arrive(1, 2, 4, 5, 6, 7, 8, 9, 10, 11);
    assertThat(fates).containsExactly("1 again", "2 again");
    arrive(3);

    assertThat(fates).endsWith("9 next", "10 next", "11 next").doesNotContain("9 too many");
  }

  @Test
  void knowsAfterARestoreWhatWasTurnedAwayBefore() {
    arrive(2, 3, 4, 5, 6);
    assertThat(ledger.refusedAhead()).containsExactly(6);
    assertThat(ledger.lastTurn()).isZero();
    restore(ledger.lastTurn(), ledger.refusedAhead());
    arrive(6, 2, 3, 4, 5, 1, 7);

    assertThat(fates).startsWith("6 too many", "6 again", "1 next").endsWith("5 next", "7 next");
  }
}
