package org.cartostream.web.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class DecimatorTest {

  private final Decimator samples = new Decimator(8);
  private final List<Double> held = new ArrayList<>();
  private Decimator.Seen seen = Decimator.Seen.NOTHING;

  /** As a viewer does. */
  private List<Double> look() {
    Decimator.Missing missing = samples.missing(seen);
    held.subList(missing.from(), held.size()).clear();
    missing.rows().forEach(row -> held.add(row[0]));
    seen = missing.seen();
    return held;
  }

  @Test
  void aViewerGetsWhatItLacks() {
    samples.add(1);
    samples.add(2);
    assertThat(look()).containsExactly(1.0, 2.0);
    samples.add(3);
    assertThat(samples.missing(seen).rows()).hasSize(1);
    assertThat(look()).containsExactly(1.0, 2.0, 3.0);
    assertThat(samples.missing(seen).rows()).isEmpty();
  }

  @Test
  void ofManyEveryOtherOneIsKeptAndTheFirst() {
    for (int i = 0; i <= 8; i++) {
      look();
      samples.add(i);
    }
    assertThat(look()).containsExactly(0.0, 2.0, 4.0, 6.0, 8.0);
    for (int i = 9; i <= 16; i++) {
      look();
      samples.add(i);
    }
    assertThat(look()).containsExactly(0.0, 4.0, 8.0, 12.0, 16.0);
  }

  @Test
  void otherRowsReplaceThem() {
    samples.add(1);
    look();
    samples.clear();
    samples.add(7);
    assertThat(look()).containsExactly(7.0);
  }
}
