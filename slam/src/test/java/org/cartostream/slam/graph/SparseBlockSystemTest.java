package org.cartostream.slam.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SparseBlockSystemTest {

  private static final int SIDE = 3;

  /** The same equations as one large matrix, and Gauss' elimination. */
  private static final class Twin {
    final double[][] matrix;
    final double[] right;

    Twin(int nodes) {
      matrix = new double[SIDE * nodes][SIDE * nodes];
      right = new double[SIDE * nodes];
    }

    void add(int i, int j, double[] block) {
      for (int row = 0; row < SIDE; row++) {
        for (int column = 0; column < SIDE; column++) {
          matrix[SIDE * i + row][SIDE * j + column] += block[SIDE * row + column];
        }
      }
    }

    double[] solve() {
      int count = right.length;
      for (int pivot = 0; pivot < count; pivot++) {
        for (int row = pivot + 1; row < count; row++) {
          double share = matrix[row][pivot] / matrix[pivot][pivot];
          for (int column = pivot; column < count; column++) {
            matrix[row][column] -= share * matrix[pivot][column];
          }
          right[row] -= share * right[pivot];
        }
      }
      double[] solution = new double[count];
      for (int row = count - 1; row >= 0; row--) {
        double sum = right[row];
        for (int column = row + 1; column < count; column++) {
          sum -= matrix[row][column] * solution[column];
        }
        solution[row] = sum / matrix[row][row];
      }
      return solution;
    }
  }

  private static double[] random(Random random) {
    double[] block = new double[SIDE * SIDE];
    for (int k = 0; k < block.length; k++) {
      block[k] = random.nextGaussian();
    }
    return block;
  }

  private static double[] column(Random random) {
    return new double[] {random.nextGaussian(), random.nextGaussian(), random.nextGaussian()};
  }

  /** Adds a positive semidefinite [[AᵀA, AᵀB], [BᵀA, BᵀB]] as an edge of a graph does. */
  private static void tie(int i, int j, Random random, SparseBlockSystem system, Twin twin) {
    double[] a = random(random);
    double[] b = random(random);
    double[] ii = Block3x3.product(Block3x3.transposed(a), a);
    double[] ij = Block3x3.product(Block3x3.transposed(a), b);
    double[] jj = Block3x3.product(Block3x3.transposed(b), b);
    double[] atI = column(random);
    double[] atJ = column(random);
    system.add(i, j, ii, ij, jj, atI, atJ);
    twin.add(i, i, ii);
    twin.add(i, j, ij);
    twin.add(j, i, Block3x3.transposed(ij));
    twin.add(j, j, jj);
    for (int k = 0; k < SIDE; k++) {
      twin.right[SIDE * i + k] += atI[k];
      twin.right[SIDE * j + k] += atJ[k];
    }
  }

  /** The same random graph of up to 31 nodes, twice. */
  private static SparseBlockSystem random(Random random, int nodes, Twin twin) {
    SparseBlockSystem system = new SparseBlockSystem(nodes);
    // Twice from each to the next, lest a block be nearly singular.
    for (int i = 0; i + 1 < nodes; i++) {
      tie(i, i + 1, random, system, twin);
      tie(i, i + 1, random, system, twin);
    }
    for (int loop = random.nextInt(6); loop > 0 && nodes > 3; loop--) {
      int from = random.nextInt(nodes - 2);
      tie(from, from + 2 + random.nextInt(nodes - from - 2), random, system, twin);
    }
    double[] held = random(random);
    double[] atHeld = column(random);
    double[] square = Block3x3.product(Block3x3.transposed(held), held);
    system.add(0, square, atHeld);
    twin.add(0, 0, square);
    for (int k = 0; k < SIDE; k++) {
      twin.right[k] += atHeld[k];
    }
    return system;
  }

  @Property(tries = 100)
  void solvesWhatEliminationSolves(@ForAll long seed) {
    Random random = new Random(seed);
    int nodes = 2 + random.nextInt(30);
    Twin twin = new Twin(nodes);
    SparseBlockSystem system = random(random, nodes, twin);

    double[] solution = system.solve(Long.MAX_VALUE);

    double[] expected = twin.solve();
    double largest = 0;
    for (double value : expected) {
      largest = Math.max(largest, Math.abs(value));
    }
    for (int k = 0; k < expected.length; k++) {
      assertThat(solution[k]).isCloseTo(expected[k], within(1e-6 * largest));
    }
  }

  /** Each column of the inverse solves the equations whose right-hand side is 1 there alone. */
  @Property(tries = 100)
  void theInverseAtTheLastNodeIsThatOfTheWholeMatrix(@ForAll long seed) {
    int nodes = 2 + new Random(seed).nextInt(30);
    double[] inverse = random(new Random(seed), nodes, new Twin(nodes)).inverseAtLast(10_000);
    for (int column = 0; column < SIDE; column++) {
      Twin twin = new Twin(nodes);
      random(new Random(seed), nodes, twin);
      Arrays.fill(twin.right, 0);
      twin.right[SIDE * (nodes - 1) + column] = 1;
      double[] expected = twin.solve();
      for (int row = 0; row < SIDE; row++) {
        double value = expected[SIDE * (nodes - 1) + row];
        assertThat(inverse[SIDE * row + column])
            .isCloseTo(value, within(1e-6 * (1 + Math.abs(value))));
      }
    }
    assertThat(random(new Random(seed), nodes, new Twin(nodes)).inverseAtLast(0)).isNull();
  }

  @Test
  void aBlockTimesItsInverseIsOne() {
    double[] block = random(new Random(1));
    double[] one = Block3x3.product(block, Block3x3.inverse(block));
    for (int k = 0; k < one.length; k++) {
      assertThat(one[k]).isCloseTo(k % 4 == 0 ? 1 : 0, within(1e-12));
    }
  }
}
