package org.cartostream.bench.sequential;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.cartostream.bench.sequential.SequentialTasks.ReadingTimes;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class StragglerRatioTest {

  private static final long[] NONE = {0, 0};

  private static final ReadingTimes FIRST = turn(true, false, 1, 99);

  /** Two particles; what they do besides matching takes each 10. */
  private static ReadingTimes turn(boolean keyFrame, boolean resampled, long... match) {
    long[] updateMap = {4, 4};
    long[] ahead = {6, 6};
    return new ReadingTimes(
        1, keyFrame, match, ahead, true, 7, NONE, updateMap, 1, 10, resampled, List.of());
  }

  /** 30 over a mean of 20, 50 over 30, 20 over 20. */
  @Test
  void theWholeWorkOfTheSlowestIsComparedWithTheMean() {
    StragglerRatio found =
        StragglerRatio.of(
            List.of(
                FIRST,
                turn(true, false, 20, 0),
                turn(true, false, 0, 40),
                turn(true, false, 10, 10)));

    assertThat(found).isEqualTo(new StragglerRatio(30.0 / 20, 50.0 / 30));
  }

  @Test
  void resamplingsAndReadingsBetweenKeyFramesDoNotCount() {
    ReadingTimes usual = turn(true, false, 20, 0);
    List<ReadingTimes> more = List.of(FIRST, turn(true, true, 0, 80), turn(false, false, 0, 80));

    assertThat(StragglerRatio.of(more)).isNull();
    assertThat(StragglerRatio.of(Stream.concat(more.stream(), Stream.of(usual)).toList()))
        .isEqualTo(new StragglerRatio(1.5, 1.5));
  }

  @Test
  void whatWasStoppedHasNone() {
    assertThat(StragglerRatio.of(List.of())).isNull();
  }
}
