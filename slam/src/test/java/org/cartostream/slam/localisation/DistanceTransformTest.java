package org.cartostream.slam.localisation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class DistanceTransformTest {

  @Test
  void isWhatTryingEachCellGives() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int width = 1 + random.nextInt(25);
      int height = 1 + random.nextInt(25);
      boolean[] inSet = new boolean[width * height];
      int members = random.nextInt(8);
      for (int i = 0; i < members; i++) {
        inSet[random.nextInt(inSet.length)] = true;
      }

      assertThat(DistanceTransform.squaredCells(width, height, i -> inSet[i]))
          .as("seed %d", seed)
          .isEqualTo(tried(width, height, inSet));
    }
  }

  private static int[] tried(int width, int height, boolean[] inSet) {
    int[] squared = new int[width * height];
    for (int i = 0; i < squared.length; i++) {
      squared[i] = DistanceTransform.NONE;
      for (int j = 0; j < squared.length; j++) {
        int across = i % width - j % width;
        int up = i / width - j / width;
        if (inSet[j]) {
          squared[i] = Math.min(squared[i], across * across + up * up);
        }
      }
    }
    return squared;
  }
}
