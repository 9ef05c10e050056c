package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.TopologySettings;
import org.junit.jupiter.api.Test;

class RostrumTest {

  private static final Run RUN = new Run("r2d2", 1, 0);

  /** Who was named, one after the other. */
  private final List<Integer> named = new ArrayList<>();

  /** With the usual 30 s for a reading, a publisher may be silent for 5 ticks. */
  private Rostrum rostrum(int workers) {
    return rostrum(workers, 30);
  }

  private Rostrum rostrum(int workers, int readingTimeoutSeconds) {
    Map<String, String> values =
        Map.of(
            "workers",
            Integer.toString(workers),
            "readingTimeoutSeconds",
            Integer.toString(readingTimeoutSeconds));
    TopologySettings settings = Settings.build(TopologySettings.class, values);
    return new Rostrum(RUN, settings, word -> named.add(word.publisher()));
  }

  /** Seconds pass in which these are heard of, and no other. */
  private static void pass(int ticks, Rostrum rostrum, int... following) {
    for (int tick = 0; tick < ticks; tick++) {
      rostrum.tick();
      IntStream.of(following).forEach(each -> hear(rostrum, each, ""));
    }
  }

  /** A publisher says something that knows whether it speaks. */
  private static void hear(Rostrum rostrum, int publisher, String lost) {
    boolean speaks = publisher == rostrum.speaker();
    rostrum.hear(new Payload.Following(RUN, publisher, speaks, lost));
  }

  private static void lose(Rostrum rostrum, int publisher) {
    hear(rostrum, publisher, "the path has a gap");
  }

  @Test
  void waitsForTheSpeakerForEightSecondsHoweverLongAReadingMayTake() {
    Rostrum rostrum = rostrum(2, 150);
    pass(10, rostrum, 0, 1);
    pass(8, rostrum, 1);
    assertThat(named).isEmpty();
    pass(1, rostrum, 1);
    assertThat(named).containsExactly(1);
  }

  @Test
  void hasTheFirstSpeak() {
    Rostrum rostrum = rostrum(3);
    pass(100, rostrum, 0, 1);
    assertThat(named).isEmpty();
    assertThat(rostrum.speaker()).isZero();
  }

  @Test
  void hasTheOtherSpeakIfTheSpeakerIsNotHeardOf() {
    Rostrum rostrum = rostrum(2);
    pass(10, rostrum, 0, 1);
    pass(5, rostrum, 1);
    assertThat(named).isEmpty();
    pass(1, rostrum, 1);
    assertThat(named).containsExactly(1);
    assertThat(rostrum.speaker()).isOne();
    pass(100, rostrum, 0, 1);
    assertThat(named).containsExactly(1);
  }

  @Test
  void keepsTheSpeakerIfNobodyIsHeardOf() {
    Rostrum rostrum = rostrum(2);
    pass(100, rostrum);
    assertThat(named).isEmpty();
    assertThat(rostrum.speaker()).isZero();
  }

  /** A publisher that was started anew has not heard who speaks. */
  @Test
  void namesTheSpeakerAgainToWhoeverTakesItForAnother() {
    Rostrum rostrum = rostrum(2);
    rostrum.hear(new Payload.Following(RUN, 1, true, ""));
    assertThat(named).containsExactly(0);
    rostrum.hear(new Payload.Following(RUN, 0, false, ""));
    assertThat(named).containsExactly(0, 0);
    rostrum.hear(new Payload.Following(RUN, 0, true, ""));
    assertThat(named).containsExactly(0, 0);
  }

  @Test
  void hasNoneSpeakThatHasLostThePaths() {
    Rostrum rostrum = rostrum(2);
    rostrum.hear(new Payload.Following(RUN, 0, false, "the path has a gap"));
    assertThat(rostrum.isHopeless()).isFalse();
    assertThat(named).containsExactly(1);
    pass(100, rostrum, 1);
    assertThat(named).containsExactly(1);
    rostrum.hear(new Payload.Following(RUN, 1, false, "the path has a gap"));
    assertThat(rostrum.isHopeless()).isTrue();
    assertThat(named).as("somebody has to say so").containsExactly(1, 1);
  }

  /** It takes as long as a reading may. */
  @Test
  void hasOneThatHasLostThePathsSaySoIfTheOtherIsGone() {
    Rostrum rostrum = rostrum(2);
    pass(100, rostrum);
    assertThat(rostrum.isHopeless()).isFalse();
    pass(1, rostrum, 0, 1);
    rostrum.hear(new Payload.Following(RUN, 0, false, "the path has a gap"));
    assertThat(named).containsExactly(1);
    for (int tick = 0; tick < 30; tick++) {
      pass(1, rostrum);
      lose(rostrum, 0);
    }
    assertThat(rostrum.isHopeless()).isFalse();
    assertThat(named).containsExactly(1);
    for (int tick = 0; tick < 100; tick++) {
      pass(1, rostrum);
      lose(rostrum, 0);
      assertThat(rostrum.isHopeless()).isTrue();
      assertThat(named).containsExactly(1, 0);
      assertThat(rostrum.speaker()).isZero();
    }
  }

  @Test
  void hasNoOtherWhereThereIsOneProcess() {
    Rostrum rostrum = rostrum(1);
    pass(100, rostrum);
    lose(rostrum, 0);
    assertThat(rostrum.isHopeless()).isTrue();
    assertThat(named).isEmpty();
  }
}
