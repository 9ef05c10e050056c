package org.cartostream.slam.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Linear equations of a path's nodes, three unknowns each, where each node has to do with the next,
 * and a few with others far along the path: a symmetric, positive definite matrix of blocks.
 *
 * <p>Solved by conjugate gradients. The chain alone is solved exactly (block by block from one end
 * to the other and back, as Thomas' algorithm does) to guide them: what is left to be found is what
 * the few others change, which takes some iterations for each loop (Saad, Iterative Methods for
 * Sparse Linear Systems, 2003, section 9.2: preconditioning). Sums run in a fixed order.
 */
final class SparseBlockSystem {

  /** Where the residual has become so small a share of what it was, squared, it is solved. */
  private static final double SOLVED = 1e-8;

  private static final int MOST_ITERATIONS = 2000;

  private record Far(int row, int column, double[] block) {}

  private final int nodes;

  /** On the diagonal, and to the right of it. */
  private final double[][] diagonal;

  private final double[][] next;

  /** Above the diagonal, beyond those. */
  private final List<Far> far = new ArrayList<>();

  private final double[] right;

  // The chain's decomposition into a lower part, of ones and blocks below them, and pivots.
  private final double[][] below;
  private final double[][] inversePivots;

  SparseBlockSystem(int nodes) {
    this.nodes = nodes;
    diagonal = new double[nodes][Block3x3.SIDE * Block3x3.SIDE];
    next = new double[nodes][Block3x3.SIDE * Block3x3.SIDE];
    right = new double[Block3x3.SIDE * nodes];
    below = new double[nodes][];
    inversePivots = new double[nodes][];
  }

  /**
   * Adds to the matrix, and to the right-hand side.
   *
   * @param i a node
   * @param j a later one
   * @param ii added to node i's block on the diagonal
   * @param ij to the block in row i and column j
   * @param jj to node j's block on the diagonal
   * @param atI to the right-hand side at node i
   * @param atJ at node j
   */
  void add(int i, int j, double[] ii, double[] ij, double[] jj, double[] atI, double[] atJ) {
    Block3x3.add(diagonal[i], ii);
    Block3x3.add(diagonal[j], jj);
    if (j == i + 1) {
      Block3x3.add(next[i], ij);
    } else {
      far.add(new Far(i, j, ij));
    }
    for (int k = 0; k < Block3x3.SIDE; k++) {
      right[Block3x3.SIDE * i + k] += atI[k];
      right[Block3x3.SIDE * j + k] += atJ[k];
    }
  }

  /** Holds the first node where it is: of a graph nothing else says where it lies. */
  void holdFirst() {
    Arrays.fill(next[0], 0);
    Arrays.fill(right, 0, Block3x3.SIDE, 0);
    Arrays.fill(diagonal[0], 0);
    for (int k = 0; k < Block3x3.SIDE; k++) {
      diagonal[0][(Block3x3.SIDE + 1) * k] = 1;
    }
    far.removeIf(each -> each.row == 0);
  }

  /** The unknowns, node by node. */
  double[] solve() {
    decompose();
    double[] solution = new double[right.length];
    double[] residual = right.clone();
    double[] guided = guided(residual);
    double[] direction = guided.clone();
    double size = dot(residual, guided);
    double least = SOLVED * size;
    for (int i = 0; i < MOST_ITERATIONS && size > least; i++) {
      double[] image = times(direction);
      double way = size / dot(direction, image);
      for (int k = 0; k < solution.length; k++) {
        solution[k] += way * direction[k];
        residual[k] -= way * image[k];
      }
      guided = guided(residual);
      double before = size;
      size = dot(residual, guided);
      for (int k = 0; k < direction.length; k++) {
        direction[k] = guided[k] + size / before * direction[k];
      }
    }
    return solution;
  }

  private void decompose() {
    inversePivots[0] = Block3x3.inverse(diagonal[0]);
    for (int k = 1; k < nodes; k++) {
      below[k] = Block3x3.product(Block3x3.transposed(next[k - 1]), inversePivots[k - 1]);
      double[] pivot = Block3x3.product(below[k], next[k - 1]);
      for (int at = 0; at < pivot.length; at++) {
        pivot[at] = diagonal[k][at] - pivot[at];
      }
      inversePivots[k] = Block3x3.inverse(pivot);
    }
  }

  /** What solves the chain alone for this right-hand side. */
  private double[] guided(double[] side) {
    double[] forward = side.clone();
    for (int k = 1; k < nodes; k++) {
      Block3x3.addTimes(-1, below[k], forward, k - 1, forward, k);
    }
    double[] solved = new double[side.length];
    for (int k = nodes - 1; k >= 0; k--) {
      Block3x3.addTimes(1, inversePivots[k], forward, k, solved, k);
      if (k < nodes - 1) {
        Block3x3.addTransposedTimes(-1, below[k + 1], solved, k + 1, solved, k);
      }
    }
    return solved;
  }

  /** The matrix times a column. */
  private double[] times(double[] column) {
    double[] image = new double[column.length];
    for (int k = 0; k < nodes; k++) {
      Block3x3.addTimes(1, diagonal[k], column, k, image, k);
      if (k < nodes - 1) {
        Block3x3.addTimes(1, next[k], column, k + 1, image, k);
        Block3x3.addTransposedTimes(1, next[k], column, k, image, k + 1);
      }
    }
    for (Far each : far) {
      Block3x3.addTimes(1, each.block, column, each.column, image, each.row);
      Block3x3.addTransposedTimes(1, each.block, column, each.row, image, each.column);
    }
    return image;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      sum += a[k] * b[k];
    }
    return sum;
  }
}
