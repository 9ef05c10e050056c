package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.Payload.Arrival;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ReorderBufferTest {

  private static final Run RUN = new Run("r2d2", 1, 0);
  private static final int MOST_WAITING = 4;
  private static final List<Reading> READINGS = Drive.readings(11, 20);

  /** What came of each reading, in the order in which it did. */
  private final List<String> fates = new ArrayList<>();

  private final ReorderBuffer reorderBuffer =
      new ReorderBuffer(
          RUN,
          Settings.build(
              TopologySettings.class, Map.of("waitingReadings", Integer.toString(MOST_WAITING))),
          new DispatcherOutputs(
              new StreamPorts<>((stream, to, values) -> hear(Stream.payload(values)))));

  private void hear(Payload word) {
    if (word instanceof Payload.ReadingLost readingLost) {
      fates.add(readingLost.sequence() + " missing");
    } else if (word instanceof Payload.ReadingRefused readingRefused) {
      fates.add(readingRefused.sequence() + " turned");
    } else if (word instanceof Payload.ReadingRepeated readingRepeated) {
      fates.add(readingRepeated.sequence() + " again");
    }
  }

  /** Readings arrive while none is being processed, and those whose turn it is have it. */
  private void arrive(long... numbers) {
    for (long number : numbers) {
      Reading reading = READINGS.get((int) number - 1);
      reorderBuffer.receive(new Arrival.OfReading(RUN, number, reading, 0), 0);
      takeTurns();
    }
  }

  private void takeTurns() {
    while (reorderBuffer.hasNext()) {
      fates.add(reorderBuffer.next().sequence() + " next");
    }
  }

  private void end(long number) {
    reorderBuffer.receive(new Arrival.OfEnd(RUN, number, 0, 0), 0);
  }

  private boolean isAtEnd() {
    return reorderBuffer.end().isPresent();
  }

  @RepeatedTest(100)
  void givesEachReadingOneTurnInTheOrderOfNumbersHoweverTheyOvertakeEachOther() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (long first = 1; first <= READINGS.size(); first += MOST_WAITING) {
      List<Long> ahead =
          new ArrayList<>(LongStream.range(first, first + MOST_WAITING).boxed().toList());
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

  @Test
  void saysAgainWhatHadItsTurnAndNothingOfWhatWaits() {
    arrive(1, 3, 3, 1);

    assertThat(fates).containsExactly("1 next", "1 again");
  }

  @Test
  void waitsForNoneThatIsStillMissingWhenAGapIsGivenUp() {
    arrive(1, 4);
    end(6);
    reorderBuffer.giveUpGap();
    takeTurns();
    assertThat(fates).containsExactly("1 next", "2 missing", "3 missing", "4 next");
    assertThat(isAtEnd()).isFalse();

    reorderBuffer.giveUpGap();
    assertThat(fates).endsWith("5 missing", "6 missing");
    assertThat(isAtEnd()).isTrue();
  }

  /**
   * The credit is used up by what cannot have its turn; only the one that all wait for may come.
   */
  @Test
  void turnsAwayWhatExceedsTheCreditAndWaitsForNoneBeforeIt() {
    arrive(2, 3, 4, 5, 6);

    assertThat(fates).startsWith("1 missing", "6 turned", "2 next").endsWith("5 next");
  }

  @Test
  void turnsAwayWhatComesAfterTheEnd() {
    end(2);
    arrive(3);

    assertThat(fates).containsExactly("1 missing", "2 missing", "3 turned");
    assertThat(isAtEnd()).isTrue();
  }

  /** So far ahead is no robot that was answered from the first reading on. */
  @Test
  void takesALeapForASignThatTheRunBeganElsewhere() {
    arrive(MOST_WAITING + 1);
    assertThat(reorderBuffer.leap()).isEmpty();
    arrive(MOST_WAITING + 2);

    assertThat(reorderBuffer.leap()).startsWith("Number 6 came when 1 was next");
  }

  /** It would be turned away, and what is missing before it forgotten: too far back to be told. */
  @Test
  void takesALeapForThatSignThoughNothingMoreMayWait() {
    arrive(2, 3, 4, 5, 7);
    assertThat(reorderBuffer.leap()).startsWith("Number 7 came when 1 was next");
    reorderBuffer.close();
    takeTurns();

    assertThat(fates)
        .containsExactly(
            "1 missing", "2 next", "3 next", "4 next", "5 next", "6 missing", "7 next");
  }

  @Test
  void waitsForNothingOnceItIsClosed() {
    arrive(1);
    end(5);
    reorderBuffer.close();
    assertThat(isAtEnd()).isTrue();
    arrive(3);

    assertThat(fates).containsExactly("1 next", "2 missing", "3 turned");
  }
}
