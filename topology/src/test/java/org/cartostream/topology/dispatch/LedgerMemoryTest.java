package org.cartostream.topology.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.testing.Quick;
import org.cartostream.topology.arrival.PendingAcks;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload.Arrival;

/** Readings of several robots in shared memory, beside plain sets of their numbers. */
@Quick
class LedgerMemoryTest {

  /**
   * With these many beams readings take four times a prime, so that no two robots' take the same,
   * and it is clear whose are more.
   */
  private static final int[] BEAMS = {131 - 125, 227 - 125, 997 - 125};

  private static final TopologySettings SETTINGS = Settings.defaults(TopologySettings.class);
  private static final int STEPS = 400;
  private static final long MAX_BYTES = 30_000;

  /** What one robot has sent, and what of it is to be held. */
  private static final class Twin {
    private final Run run;
    private final Scan scan;
    private final ReadingLedger ledger;
    private final TreeSet<Long> held = new TreeSet<>();
    private long last;
    private long durable;
    private long released;

    Twin(int beams, ReadingLedger.MemoryBudget memory) {
      run = new Run("r" + beams, 1, 0);
      scan = new Scan(Pose.ORIGIN, 0, 0.001, 0, 10, new float[beams]);
      ledger = new ReadingLedger(run, SETTINGS, new PendingAcks(), memory);
    }

    Arrival.OfReading reading(long sequence) {
      return new Arrival.OfReading(
          run, sequence, new Reading(sequence, Pose.ORIGIN, scan), 0, null, null);
    }

    long each() {
      return Float.BYTES * scan.beams() + ReadingLedger.READING_BYTES;
    }

    long bytes() {
      return held.size() * each();
    }
  }

  private static Twin largest(List<Twin> twins) {
    Twin largest = twins.get(0);
    for (Twin twin : twins) {
      largest = twin.bytes() > largest.bytes() ? twin : largest;
    }
    return largest;
  }

  @Property(tries = 100)
  void theLargestLetsGoOfItsEldestAndOnlyWhatIsWholeCanBeRestored(@ForAll long seed) {
    Random random = new Random(seed);
    ReadingLedger.MemoryBudget memory = new ReadingLedger.MemoryBudget(MAX_BYTES);
    List<Twin> twins = new ArrayList<>();
    for (int beams : BEAMS) {
      twins.add(new Twin(beams, memory));
    }
    for (int step = 0; step < STEPS; step++) {
      Twin twin = twins.get(random.nextInt(BEAMS.length));
      switch (random.nextInt(8)) {
        case 0 -> { // A checkpoint of what has come, or of less.
          twin.durable = Math.max(twin.durable, twin.last - random.nextInt(5));
          twin.ledger.forgetTo(twin.durable);
          twin.held.headSet(twin.durable, true).clear();
        }
        case 1 -> { // One that is refused for good.
          twin.ledger.drop(twin.last);
          twin.held.remove(twin.last);
        }
        default -> {
          twin.last++;
          assertThat(twin.ledger.receive(twin.reading(twin.last)))
              .isEqualTo(ReadingLedger.Reply.KEPT);
          twin.held.add(twin.last);
          while (twins.stream().mapToLong(Twin::bytes).sum() > MAX_BYTES) {
            Twin largest = largest(twins);
            largest.released = largest.held.pollFirst();
          }
        }
      }
      for (Twin each : twins) {
        assertThat(each.ledger.after(0))
            .extracting(Arrival.OfReading::sequence)
            .containsExactlyElementsOf(each.held);
        assertThat(each.ledger.isWhole()).isEqualTo(each.released <= each.durable);
      }
    }
    twins.forEach(twin -> twin.ledger.close());
    Twin last = new Twin(1, memory);
    long fit = MAX_BYTES / last.each();
    for (long sequence = 1; sequence <= fit; sequence++) {
      last.ledger.receive(last.reading(sequence));
    }
    assertThat(last.ledger.after(0)).as("after all others have gone").hasSize((int) fit);
    assertThat(last.ledger.isWhole()).isTrue();
  }

  /** A gateway sends an early reading again, for which there is no room any more. */
  @Example
  void whatCameAgainAndWasLetGoOfMakesNoLaterReadingWhole() {
    Twin twin = new Twin(BEAMS[0], new ReadingLedger.MemoryBudget(2L * 4 * 131));
    for (long sequence : new long[] {1, 2, 3, 4, 1}) {
      twin.ledger.receive(twin.reading(sequence));
    }
    twin.ledger.forgetTo(1);
    assertThat(twin.ledger.isWhole()).as("without reading 2").isFalse();
    twin.ledger.forgetTo(2);
    assertThat(twin.ledger.isWhole()).isTrue();
  }

  /** They are to be reported as lost. */
  @Example
  void readingsOfARunThatIsGivenUpStay() {
    ReadingLedger.MemoryBudget memory = new ReadingLedger.MemoryBudget(2L * 4 * 997);
    Twin givenUp = new Twin(BEAMS[2], memory);
    Twin other = new Twin(BEAMS[0], memory);
    givenUp.ledger.receive(givenUp.reading(1));
    givenUp.ledger.receive(givenUp.reading(2));
    givenUp.ledger.giveUp();
    other.ledger.receive(other.reading(1));
    assertThat(givenUp.ledger.after(0)).hasSize(2);
    assertThat(other.ledger.isWhole()).isFalse();
  }
}
