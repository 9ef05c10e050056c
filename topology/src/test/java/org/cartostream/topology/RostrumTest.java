package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.slam.config.Settings;
import org.junit.jupiter.api.Test;

class RostrumTest {

  /** With the usual 30 s for a reading, a publisher may be silent for 5 ticks. */
  private static Rostrum rostrum(int workers) {
    return rostrum(workers, 30);
  }

  private static Rostrum rostrum(int workers, int readingTimeoutSeconds) {
    Map<String, String> values =
        Map.of(
            "workers",
            Integer.toString(workers),
            "readingTimeoutSeconds",
            Integer.toString(readingTimeoutSeconds));
    return new Rostrum(Settings.build(TopologySettings.class, values));
  }

  @Test
  void waitsForTheSpeakerForEightSecondsHoweverLongAReadingMayTake() {
    Rostrum rostrum = rostrum(2, 150);
    pass(10, rostrum, 0, 1);
    pass(8, rostrum, 1);
    assertThat(rostrum.changes()).isFalse();
    pass(1, rostrum, 1);
    assertThat(rostrum.changes()).isTrue();
  }

  /** Seconds pass in which these are heard of, and no other. */
  private static void pass(int ticks, Rostrum rostrum, int... following) {
    for (int tick = 0; tick < ticks; tick++) {
      rostrum.tick();
      IntStream.of(following).forEach(rostrum::following);
    }
  }

  @Test
  void hasTheFirstSpeak() {
    Rostrum rostrum = rostrum(3);
    pass(100, rostrum, 0, 1);
    assertThat(rostrum.changes()).isFalse();
    assertThat(rostrum.speaker()).isZero();
  }

  @Test
  void hasTheOtherSpeakIfTheSpeakerIsNotHeardOf() {
    Rostrum rostrum = rostrum(2);
    pass(10, rostrum, 0, 1);
    pass(5, rostrum, 1);
    assertThat(rostrum.changes()).isFalse();
    pass(1, rostrum, 1);
    assertThat(rostrum.changes()).isTrue();
    assertThat(rostrum.speaker()).isOne();
    pass(100, rostrum, 0, 1);
    assertThat(rostrum.changes()).isFalse();
  }

  @Test
  void keepsTheSpeakerIfNobodyIsHeardOf() {
    Rostrum rostrum = rostrum(2);
    pass(100, rostrum);
    assertThat(rostrum.changes()).isFalse();
    assertThat(rostrum.speaker()).isZero();
  }

  @Test
  void hasNoneSpeakThatHasLostThePaths() {
    Rostrum rostrum = rostrum(2);
    rostrum.lost(0);
    assertThat(rostrum.isHopeless()).isFalse();
    assertThat(rostrum.changes()).isTrue();
    assertThat(rostrum.speaker()).isOne();
    pass(100, rostrum, 1);
    assertThat(rostrum.changes()).isFalse();
    rostrum.lost(1);
    assertThat(rostrum.isHopeless()).isTrue();
    assertThat(rostrum.changes()).isFalse();
  }

  /** It takes as long as a reading may. */
  @Test
  void hasOneThatHasLostThePathsSaySoIfTheOtherIsGone() {
    Rostrum rostrum = rostrum(2);
    pass(100, rostrum);
    assertThat(rostrum.isHopeless()).isFalse();
    pass(1, rostrum, 0, 1);
    rostrum.lost(0);
    assertThat(rostrum.changes()).isTrue();
    for (int tick = 0; tick < 30; tick++) {
      pass(1, rostrum);
      rostrum.lost(0);
    }
    assertThat(rostrum.isHopeless()).isFalse();
    assertThat(rostrum.changes()).isFalse();
    for (int tick = 0; tick < 100; tick++) {
      pass(1, rostrum);
      rostrum.lost(0);
      assertThat(rostrum.isHopeless()).isTrue();
      assertThat(rostrum.changes()).isEqualTo(tick == 0);
      assertThat(rostrum.speaker()).isZero();
    }
  }

  @Test
  void hasNoOtherWhereThereIsOneProcess() {
    Rostrum rostrum = rostrum(1);
    pass(100, rostrum);
    assertThat(rostrum.changes()).isFalse();
    rostrum.lost(0);
    assertThat(rostrum.isHopeless()).isTrue();
    assertThat(rostrum.changes()).isFalse();
  }
}
