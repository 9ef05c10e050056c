package org.cartostream.topology.assignment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.cartostream.testing.Quick;
import org.jgrapht.alg.matching.KuhnMunkresMinimalWeightBipartitePerfectMatching;
import org.jgrapht.graph.DefaultWeightedEdge;
import org.jgrapht.graph.SimpleWeightedGraph;

@Quick
class LinearRelaxationTest {

  private static final long CLOSED_TO_JGRAPHT = 1L << 40;

  /** Each sibling by itself to a place of its own, by JGraphT: slow, and sure. */
  @Property(tries = 500)
  void costsAsMuchAsTheBestMatchingOfParticlesToPlaces(@ForAll long seed) {
    Random random = new Random(seed);
    int[] sizes = random.ints(1 + random.nextInt(6), 1, 5).toArray();
    int particles = IntStream.of(sizes).sum();
    int[] places = new int[1 + random.nextInt(4)];
    random.ints(particles, 0, places.length).forEach(task -> places[task]++);
    long[][] slopes = new long[sizes.length][places.length];
    for (long[] row : slopes) {
      for (int task = 0; task < row.length; task++) {
        boolean open = random.nextInt(5) > 0;
        row[task] = open ? random.nextInt(1000) * 4096L : LinearRelaxation.CLOSED;
      }
    }

    TransportationProblem problem =
        new TransportationProblem(sizes, places, new long[sizes.length][places.length]);
    LinearRelaxation linearRelaxation = new LinearRelaxation(problem, slopes);
    boolean possible = linearRelaxation.solve();

    long min = minByJgrapht(sizes, places, slopes);
    assertThat(possible).isEqualTo(min < CLOSED_TO_JGRAPHT);
    if (possible) {
      assertThat(linearRelaxation.bytes()).isEqualTo(min);
      isAPlan(linearRelaxation.plan(), problem);
    }
  }

  private static void isAPlan(int[][] plan, TransportationProblem problem) {
    for (int family = 0; family < problem.families(); family++) {
      assertThat(IntStream.of(plan[family]).sum()).isEqualTo(problem.sizes()[family]);
      assertThat(IntStream.of(plan[family]).allMatch(many -> many >= 0)).isTrue();
    }
    for (int task = 0; task < problem.tasks(); task++) {
      int here = task;
      assertThat(IntStream.range(0, problem.families()).map(family -> plan[family][here]).sum())
          .isEqualTo(problem.places()[task]);
    }
  }

  private static long minByJgrapht(int[] sizes, int[] places, long[][] slopes) {
    int[] families = expand(sizes);
    int[] tasks = expand(places);
    SimpleWeightedGraph<Integer, DefaultWeightedEdge> graph =
        new SimpleWeightedGraph<>(DefaultWeightedEdge.class);
    Set<Integer> rows = new LinkedHashSet<>();
    Set<Integer> columns = new LinkedHashSet<>();
    for (int i = 0; i < families.length; i++) {
      rows.add(i);
      columns.add(families.length + i);
      graph.addVertex(i);
      graph.addVertex(families.length + i);
    }
    for (int row = 0; row < families.length; row++) {
      for (int column = 0; column < tasks.length; column++) {
        long slope = slopes[families[row]][tasks[column]];
        DefaultWeightedEdge edge = graph.addEdge(row, families.length + column);
        graph.setEdgeWeight(
            edge, slope == LinearRelaxation.CLOSED ? CLOSED_TO_JGRAPHT : slope / 4096);
      }
    }
    return (long)
        new KuhnMunkresMinimalWeightBipartitePerfectMatching<>(graph, rows, columns)
            .getMatching()
            .getWeight();
  }

  /** Number i as often as {@code many[i]} says. */
  private static int[] expand(int[] many) {
    return IntStream.range(0, many.length)
        .flatMap(i -> IntStream.range(0, many[i]).map(j -> i))
        .toArray();
  }
}
