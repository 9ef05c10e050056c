package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.broker.BrokerSettings;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.filter.FilterSettings;
import org.cartostream.slam.filter.Intake;
import org.cartostream.slam.filter.Lineage;
import org.cartostream.slam.filter.Move;
import org.cartostream.slam.filter.Parcel;
import org.cartostream.slam.filter.Partition;
import org.cartostream.slam.filter.SerialFilter;
import org.cartostream.slam.filter.Step;
import org.cartostream.slam.sensor.Reading;
import org.junit.jupiter.api.Test;

/** What moves cost on a recorded log, beside the same moves with whole maps. */
class CheapMovesTest {

  private static final int TASKS = 4;
  private static final int PARTICLES = 100;
  private static final Run RUN = new Run("aces", 1, 1);
  private static final FilterSettings FILTER =
      Settings.build(FilterSettings.class, Map.of("particles", Integer.toString(PARTICLES)));

  private static final ServiceSettings SERVICE =
      new ServiceSettings(
          FILTER, BrokerSettings.defaults(), Settings.defaults(TopologySettings.class));

  private final Council council = new Council(SERVICE, RUN, TASKS);
  private final Lineage lineage = new Lineage(FILTER);
  private final List<Partition> partitions =
      IntStream.range(0, TASKS).mapToObj(CheapMovesTest::partition).toList();

  private int resamplings;
  private int moves;
  private int withMap;
  private long sentBytes;
  private long wholeMapBytes;
  private long nanos;

  private static Partition partition(int task) {
    int[] mine = Assignment.ownedBy(task, Assignment.first(PARTICLES, TASKS));
    return new Partition(FILTER, RUN.robot(), task, TASKS, mine);
  }

  private void keyFrame(Step step) {
    List<Statement> statements =
        partitions.stream().map(part -> new Statement(part.match(step), 0)).toList();
    Council.Decision decision = council.decide(statements);
    resamplings += decision.resampling().resampled() ? 1 : 0;
    List<Parcel> parcels = new ArrayList<>();
    for (Move move : decision.moves()) {
      Parcel parcel = partitions.get(move.from()).send(move);
      Move whole = new Move(move.parent(), move.from(), move.to(), move.children());
      parcels.add(parcel);
      moves++;
      withMap += parcel.map().length > 0 ? 1 : 0;
      sentBytes += parcel.bytes();
      wholeMapBytes += partitions.get(move.from()).send(whole).bytes();
    }
    partitions.forEach(part -> part.resample(decision.resampling(), decision.owners()));
    long start = System.nanoTime();
    for (int task = 0; task < TASKS; task++) {
      int to = task;
      partitions
          .get(task)
          .receive(
              IntStream.range(0, parcels.size())
                  .filter(i -> decision.moves()[i].to() == to)
                  .mapToObj(parcels::get)
                  .toList());
    }
    nanos += System.nanoTime() - start;
    partitions.forEach(part -> part.register(step));
    lineage.keyFrame(step, decision.all(), decision.resampling());
  }

  /** The bound is issue 4's: 10 % of the same moves with whole maps. */
  @Test
  void movesTakeATenthOfWhatWholeMapsWouldAndTheAnswerIsTheSame() {
    List<Reading> readings = Recorded.aces(300);
    Intake intake = new Intake(FILTER);
    SerialFilter serial = new SerialFilter(FILTER, RUN.robot());
    for (int sequence = 1; sequence <= readings.size(); sequence++) {
      Reading reading = readings.get(sequence - 1);
      serial.process(sequence, reading);
      if (intake.decide(sequence, reading) instanceof Intake.Decision.Take take) {
        if (take.step().keyFrame()) {
          keyFrame(take.step());
        } else {
          lineage.between(take.step());
        }
      }
    }

    System.out.printf(
        "%d resamplings, %d moves (%d with maps): %d bytes a resampling, %d with whole maps"
            + " (%.1f %%); %.2f ms a move to take in%n",
        resamplings,
        moves,
        withMap,
        sentBytes / resamplings,
        wholeMapBytes / resamplings,
        100.0 * sentBytes / wholeMapBytes,
        nanos / 1e6 / moves);
    assertThat(lineage.bestPath()).isEqualTo(serial.lineage().bestPath());
    assertThat(moves).isPositive();
    assertThat(sentBytes).isLessThan(wholeMapBytes / 10);
  }
}
