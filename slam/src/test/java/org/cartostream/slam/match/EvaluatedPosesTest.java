package org.cartostream.slam.match;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class EvaluatedPosesTest {

  private final EvaluatedPoses tried = new EvaluatedPoses();

  @Test
  void aPoseIsNewOnce() {
    assertThat(tried.add(3, -4, 0.5)).isTrue();
    assertThat(tried.add(3, -4, 0.5)).isFalse();
    assertThat(tried.add(-4, 3, 0.5)).isTrue();
    assertThat(tried.add(3, -4, Math.nextUp(0.5))).isTrue();
  }

  @Test
  void nothingIsKnownOfAnotherClimb() {
    tried.add(3, -4, 0.5);
    tried.clear();

    assertThat(tried.add(3, -4, 0.5)).isTrue();
    assertThat(tried.add(3, -4, 0.5)).isFalse();
  }

  @Test
  void neverTakesAPoseForTriedThatIsNot() {
    long seed = 1;
    Random random = new Random(seed);
    Set<List<Number>> added = new HashSet<>();
    int known = 0;
    for (int i = 0; i < 20_000; i++) {
      int x = random.nextInt(20);
      int y = random.nextInt(20);
      double theta = random.nextInt(20) / 8.0;
      boolean isNew = added.add(List.of(x, y, theta));
      if (!tried.add(x, y, theta)) {
        known++;
        assertThat(isNew).as("%d, %d, %s, seed %d", x, y, theta, seed).isFalse();
      }
    }
    assertThat(known).isPositive();
  }
}
