package org.cartostream.slam.graph;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * A sparse linear system with a symmetric, positive definite matrix of 3 × 3 blocks, one row per
 * node of a path. Each node is coupled with the next, and a few with nodes far along the path.
 *
 * <p>Solved by elimination, block by block. The node with the fewest neighbours goes first, so that
 * few blocks become filled that were empty (Markowitz' minimum degree: Duff, Erisman and Reid,
 * Direct Methods for Sparse Matrices, 2017, section 7.2): nodes between loops have two neighbours,
 * and cost no more than along a chain. Sums run in a fixed order.
 */
final class SparseBlockSystem {

  /** A node in the order of elimination, with its number of neighbours when it was queued. */
  private record Turn(int node, int neighbours) {}

  private final double[][] diagonal;

  /** Blocks off the diagonal, by row and column. */
  private final TreeMap<Integer, double[]>[] rows;

  private final double[] right;

  /** Number of blocks multiplied so far. */
  private long products;

  @SuppressWarnings({"unchecked", "rawtypes"}) // There are no arrays of generic types.
  SparseBlockSystem(int nodes) {
    diagonal = new double[nodes][Block3x3.SIDE * Block3x3.SIDE];
    rows = new TreeMap[nodes];
    Arrays.setAll(rows, i -> new TreeMap<>());
    right = new double[Block3x3.SIDE * nodes];
  }

  /**
   * Adds to the matrix, and to the right-hand side.
   *
   * @param i a node
   * @param j a later one
   * @param ii block added to the diagonal in row i
   * @param ij block added in row i and column j
   * @param jj block added to the diagonal in row j
   * @param atI added to the right-hand side at node i
   * @param atJ added to the right-hand side at node j
   */
  void add(int i, int j, double[] ii, double[] ij, double[] jj, double[] atI, double[] atJ) {
    Block3x3.add(diagonal[i], ii);
    Block3x3.add(diagonal[j], jj);
    Block3x3.add(block(i, j), ij);
    Block3x3.add(block(j, i), Block3x3.transposed(ij));
    for (int k = 0; k < Block3x3.SIDE; k++) {
      right[Block3x3.SIDE * i + k] += atI[k];
      right[Block3x3.SIDE * j + k] += atJ[k];
    }
  }

  /** Adds the terms of an edge between a node and a held one, which is no unknown. */
  void add(int i, double[] ii, double[] atI) {
    Block3x3.add(diagonal[i], ii);
    for (int k = 0; k < Block3x3.SIDE; k++) {
      right[Block3x3.SIDE * i + k] += atI[k];
    }
  }

  private double[] block(int row, int column) {
    return rows[row].computeIfAbsent(column, any -> new double[Block3x3.SIDE * Block3x3.SIDE]);
  }

  /** Returns the number of blocks multiplied so far: the cost, on any machine. */
  long products() {
    return products;
  }

  /**
   * Solves the system; returns the unknowns, node by node.
   *
   * @param maxProducts after so many it is given up
   * @return null if it was given up
   */
  double[] solve(long maxProducts) {
    int[] order = eliminateFirst(rows.length, maxProducts);
    return order == null ? null : substituted(order);
  }

  /**
   * Returns the last node's diagonal block of the inverse matrix: its marginal covariance, if the
   * matrix is an information matrix. Only this or {@link #solve} can be called, once: both destroy
   * the system.
   *
   * @param maxProducts after so many it is given up
   * @return null if it was given up
   */
  double[] inverseAtLast(long maxProducts) {
    int last = rows.length - 1;
    return eliminateFirst(last, maxProducts) == null ? null : Block3x3.inverse(diagonal[last]);
  }

  /** Returns the first {@code count} nodes in the order of elimination; null if it was given up. */
  private int[] eliminateFirst(int count, long maxProducts) {
    int[] order = new int[count];
    boolean[] done = new boolean[rows.length];
    Arrays.fill(done, count, rows.length, true);
    PriorityQueue<Turn> turns =
        new PriorityQueue<>(Comparator.comparingInt(Turn::neighbours).thenComparingInt(Turn::node));
    for (int node = 0; node < count; node++) {
      turns.add(new Turn(node, rows[node].size()));
    }
    for (int place = 0; place < order.length; ) {
      Turn turn = turns.remove();
      // A node whose number of neighbours has changed since was queued again.
      if (!done[turn.node] && turn.neighbours == rows[turn.node].size()) {
        done[turn.node] = true;
        order[place++] = turn.node;
        eliminate(turn.node);
        if (products > maxProducts) {
          return null;
        }
        rows[turn.node].keySet().forEach(each -> turns.add(new Turn(each, rows[each].size())));
      }
    }
    return order;
  }

  /** Takes a node out of its neighbours' equations. Its own row stays, to be solved at last. */
  private void eliminate(int node) {
    long neighbours = rows[node].size();
    products += neighbours * (neighbours + 1) / 2;
    double[] inverse = Block3x3.inverse(diagonal[node]);
    diagonal[node] = inverse;
    rows[node].forEach(
        (i, toI) -> {
          double[] share = Block3x3.product(Block3x3.transposed(toI), inverse);
          rows[i].remove(node);
          Block3x3.addTimes(-1, share, right, node, right, i);
          Block3x3.subtractProduct(diagonal[i], share, toI);
          rows[node]
              .tailMap(i, false)
              .forEach(
                  (j, toJ) -> {
                    double[] change = block(i, j);
                    Block3x3.subtractProduct(change, share, toJ);
                    rows[j].put(i, Block3x3.transposed(change));
                  });
        });
  }

  private double[] substituted(int[] order) {
    double[] solution = new double[right.length];
    for (int place = order.length - 1; place >= 0; place--) {
      int node = order[place];
      rows[node].forEach((i, toI) -> Block3x3.addTimes(-1, toI, solution, i, right, node));
      Block3x3.addTimes(1, diagonal[node], right, node, solution, node);
    }
    return solution;
  }
}
