package org.cartostream.bench.latency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PoseLatencyTest {

  @Test
  void aQuantileIsTheSmallestValueThatIsNotBelowItsShare() {
    long[] nanos = LongStream.rangeClosed(1, 100).map(millis -> millis * 1_000_000).toArray();
    PoseLatency latency = new PoseLatency("tasks alike", "all", nanos, new long[] {7_000_000}, 0);

    assertThat(latency.poseMillis(0.5)).isEqualTo(50);
    assertThat(latency.poseMillis(0.95)).isEqualTo(95);
    assertThat(latency.poseMillis(0.99)).isEqualTo(99);
    assertThat(latency.outcomeMillis(0.99)).isEqualTo(7);
  }

  @Test
  void withoutPosesThereIsNoQuantile() {
    assertThat(new PoseLatency("", "", new long[0], new long[0], 3).poseMillis(0.5)).isNull();
  }
}
