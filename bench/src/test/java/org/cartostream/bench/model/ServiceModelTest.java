package org.cartostream.bench.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.bench.sequential.SequentialTasks.Transfer;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ResamplingMode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Quick
class ServiceModelTest {

  private static final int READINGS = 50;

  /** So many cores that nobody waits for one, and messages that cost nothing. */
  private static final MachineModel IDEAL =
      new MachineModel(100, 1, 0, MessageCost.NONE, MessageCost.NONE);

  private static ReadingTimes turn(long decide, List<Transfer> transfers, long... match) {
    long[] none = new long[match.length];
    boolean resampled = !transfers.isEmpty();
    return new ReadingTimes(
        0, true, match, none, false, decide, none, none, 0, 1000, resampled, transfers);
  }

  private static long[] equal(int tasks, long nanos) {
    long[] each = new long[tasks];
    Arrays.fill(each, nanos);
    return each;
  }

  private static double time(ResamplingMode mode, ReadingTimes each, MachineModel machineModel) {
    List<ReadingTimes> readingTimeses = Collections.nCopies(READINGS, each);
    return ServiceModel.nanosPerReading(
        mode, readingTimeses, each.matchNanos().length, machineModel);
  }

  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void equalTasksTakeWhatOneOfThemTakes(ResamplingMode mode) {
    for (int tasks : new int[] {1, 2, 3, 8, 9, 20, 64}) {
      assertThat(time(mode, turn(0, List.of(), equal(tasks, 1000)), IDEAL))
          .isCloseTo(1000, within(1e-6));
    }
  }

  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void aStragglerHoldsUpAll(ResamplingMode mode) {
    assertThat(time(mode, turn(0, List.of(), 1000, 1700, 900), IDEAL))
        .isCloseTo(1700, within(1e-6));
  }

  /** Every other reading the one task takes a millisecond and the other longer, else vice versa. */
  private static double inTurns(ResamplingMode mode, long slow, boolean ahead) {
    ReadingTimes one = entering(ahead, 0, 1_000_000, slow);
    ReadingTimes other = entering(ahead, 0, slow, 1_000_000);
    List<ReadingTimes> readingTimeses =
        IntStream.range(0, READINGS).mapToObj(i -> i % 2 == 0 ? one : other).toList();
    return ServiceModel.nanosPerReading(mode, readingTimeses, 2, IDEAL);
  }

  /** Of two tasks that take half a millisecond to enter the scan. */
  private static ReadingTimes entering(boolean ahead, long decide, long... match) {
    long[] none = new long[2];
    long[] half = equal(2, 500_000);
    return new ReadingTimes(
        0,
        true,
        match,
        ahead ? half : none,
        ahead,
        decide,
        none,
        ahead ? none : half,
        0,
        0,
        false,
        List.of());
  }

  /** By as much as it takes to enter the scan, and to match the next. */
  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void whoWasFastIsAheadAndMayBeSlowNextTime(ResamplingMode mode) {
    for (long slow : new long[] {1_300_000, 2_000_000}) {
      assertThat(inTurns(mode, slow, false)).isCloseTo(slow + 500_000, within(1e-3));
      assertThat(inTurns(mode, slow, true))
          .isCloseTo((1_000_000 + slow) / 2.0 + 500_000, within(1e-3));
    }
  }

  @Test
  void whatTheResamplerDecidesMeanwhileCostsNothingUnlessItTakesLonger() {
    for (long decide : new long[] {300_000, 700_000, 2_000_000}) {
      ReadingTimes readingTimes = entering(true, decide, 1_000_000, 1_000_000);
      double total = READINGS * time(ResamplingMode.DATAFLOW, readingTimes, IDEAL);
      long tasks = (READINGS - 1) * 1_500_000 + Math.max(500_000, decide);
      assertThat(total).isCloseTo(1_000_000 + Math.max(tasks, READINGS * decide), within(1e-3));
      // Who decides for itself has that to do, too.
      assertThat(time(ResamplingMode.BSP, readingTimes, IDEAL))
          .isCloseTo(1_500_000 + decide, within(1e-3));
    }
  }

  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void nothingElseIsDoneWhileItIsDecided(ResamplingMode mode) {
    assertThat(time(mode, turn(300, List.of(), 1000, 1000), IDEAL)).isCloseTo(1300, within(1e-6));
  }

  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void coresAreSharedFairly(ResamplingMode mode) {
    MachineModel two = new MachineModel(2, 1, 0, MessageCost.NONE, MessageCost.NONE);
    MachineModel one = new MachineModel(1, 1, 0, MessageCost.NONE, MessageCost.NONE);
    ReadingTimes four = turn(0, List.of(), 1000, 1000, 1000, 1000);
    assertThat(time(mode, four, two)).isCloseTo(2000, within(1e-6));
    assertThat(time(mode, four, one)).isCloseTo(4000, within(1e-6));
    // Two run at half a core each until the shorter is done at 800, then the other has it alone.
    assertThat(time(mode, turn(0, List.of(), 400, 1000), one)).isCloseTo(1400, within(1e-6));
  }

  @Test
  void coresThatSlowEachOtherDownTakeLonger() {
    MachineModel two = new MachineModel(2, 0.8, 0, MessageCost.NONE, MessageCost.NONE);
    assertThat(time(ResamplingMode.BSP, turn(0, List.of(), 1000, 1000), two))
        .isCloseTo(1250, within(1e-6));
    // 625 at 0.8 of the speed, until the shorter is done; then 500 alone.
    assertThat(time(ResamplingMode.BSP, turn(0, List.of(), 500, 1000), two))
        .isCloseTo(1125, within(1e-6));
  }

  @ParameterizedTest
  @EnumSource(ResamplingMode.class)
  void whatElseTheMachineComputesTakesCoresFromTheTasksUnlessThereAreEnough(ResamplingMode mode) {
    ReadingTimes two = turn(0, List.of(), 1000, 1000);
    MachineModel one = new MachineModel(1, 1, 500, MessageCost.NONE, MessageCost.NONE);
    MachineModel many = new MachineModel(100, 1, 500, MessageCost.NONE, MessageCost.NONE);
    assertThat(time(mode, two, one)).isCloseTo(2500, within(1e-6));
    assertThat(time(mode, two, many)).isCloseTo(1000, within(1e-6));
  }

  /** To the resampler and back; the way to the dispatcher and from it is covered by the work. */
  @Test
  void aReadingInDataflowWaitsForTwoWords() {
    MachineModel slow = new MachineModel(100, 1, 0, new MessageCost(50, 0, 0), MessageCost.NONE);
    double total = READINGS * time(ResamplingMode.DATAFLOW, turn(0, List.of(), 1000, 1000), slow);
    // The first reading's way to the tasks, and the last one's back, are nobody's work.
    assertThat(total).isCloseTo(READINGS * 1100.0 + 2 * 50, within(1e-3));
  }

  @Test
  void fewMembersGatherInOneStepAndManyInTheLogarithmOfTheirNumber() {
    MachineModel wire = new MachineModel(100, 1, 0, MessageCost.NONE, new MessageCost(50, 0, 0));
    assertThat(time(ResamplingMode.BSP, turn(0, List.of(), equal(8, 1000)), wire))
        .isCloseTo(1050, within(1e-6));
    assertThat(time(ResamplingMode.BSP, turn(0, List.of(), equal(16, 1000)), wire))
        .isCloseTo(1000 + 4 * 50, within(1e-6));
    assertThat(time(ResamplingMode.BSP, turn(0, List.of(), equal(20, 1000)), wire))
        .isCloseTo(1000 + 5 * 50, within(1e-6));
  }

  /** 1, 2 and 4 statements of 1,000 bytes on the three steps of doubling, the last one cut to 1. */
  @Test
  void whatWasGatheredGoesOnWithTheRest() {
    MachineModel wire = new MachineModel(100, 1, 0, MessageCost.NONE, new MessageCost(0, 0, 0.01));
    assertThat(time(ResamplingMode.BSP, turn(0, List.of(), equal(9, 1000)), wire))
        .isCloseTo(1000 + 10 * (1 + 2 + 4 + 1), within(1e-6));
  }

  @Test
  void resamplingAtEveryReadingCostsOneMoreExchange() {
    List<Transfer> moves = List.of(new Transfer(0, 1, 500));
    MachineModel wire = new MachineModel(100, 1, 0, MessageCost.NONE, new MessageCost(50, 0, 0.1));
    assertThat(time(ResamplingMode.BSP, turn(0, moves, 1000, 1000), wire))
        .isCloseTo(1000 + (50 + 100) + (50 + 50), within(5.0));
    MachineModel storm = new MachineModel(100, 1, 0, new MessageCost(40, 0, 0), MessageCost.NONE);
    double total = READINGS * time(ResamplingMode.DATAFLOW, turn(0, moves, 1000, 1000), storm);
    assertThat(total).isCloseTo(READINGS * (1000 + 3 * 40.0) + 2 * 40, within(READINGS * 5.0));
  }

  /** The check of a reading is done while the tasks are busy with the one before. */
  @Test
  void theDispatchersWorkIsHiddenUnlessItIsTheLongest() {
    long[] none = new long[2];
    ReadingTimes readingTimes =
        new ReadingTimes(
            600, true, equal(2, 1000), none, false, 0, none, none, 0, 0, false, List.of());
    assertThat(READINGS * time(ResamplingMode.BSP, readingTimes, IDEAL))
        .isCloseTo(600 + READINGS * 1000.0, within(1e-3));
    ReadingTimes busy =
        new ReadingTimes(
            1600, true, equal(2, 1000), none, false, 0, none, none, 0, 0, false, List.of());
    assertThat(READINGS * time(ResamplingMode.BSP, busy, IDEAL))
        .isCloseTo(READINGS * 1600.0 + 1000, within(1e-3));
  }
}
