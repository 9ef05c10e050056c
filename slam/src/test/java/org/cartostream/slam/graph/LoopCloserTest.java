package org.cartostream.slam.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Room;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.settings.LoopSettings;
import org.cartostream.slam.settings.MatcherSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A robot drives round and round in a corridor about a block, and its path is bent. */
@Quick
class LoopCloserTest {

  private static final double CELL = 0.05;
  private static final double INDEPENDENT = 0.005;

  private static List<Pose> closed(List<PosedScan> path, String searchMetres) {
    List<Pose> poses = path.stream().map(PosedScan::pose).toList();
    return result(poses, path, searchMetres, new int[0], GraphSolution.NONE)
        .map(each -> each.end().poses())
        .orElse(poses);
  }

  private static Optional<LoopCloser.Result> result(
      List<Pose> poses,
      List<PosedScan> path,
      String searchMetres,
      int[] nodes,
      GraphSolution graph) {
    LoopSettings settings =
        Settings.build(LoopSettings.class, Map.of("searchMetres", searchMetres));
    MatcherSettings matcher = Settings.build(MatcherSettings.class, Map.of());
    return new LoopCloser(settings, matcher, CELL, INDEPENDENT)
        .closeLoops(poses, path.stream().map(PosedScan::scan), nodes, graph);
  }

  /** The worst distance between where two rounds have the same place. */
  private static double apart(List<Pose> truth, List<Pose> path) {
    int round = truth.size() / 2;
    double worst = 0;
    for (int i = 0; i < round; i++) {
      Pose right = truth.get(i).to(truth.get(i + round));
      worst = Math.max(worst, right.distance(path.get(i).to(path.get(i + round))));
    }
    return worst;
  }

  @Test
  void twoRoundsThatAreMetresApartBecomeOne() {
    List<Pose> truth = RingDrive.rounds(2);
    List<PosedScan> path = RingDrive.bent(truth, RingDrive.ring(), 0.012);
    List<Pose> before = path.stream().map(PosedScan::pose).toList();

    List<Pose> after = closed(path, "6");

    assertThat(apart(truth, before)).isGreaterThan(0.7);
    assertThat(apart(truth, after)).isLessThan(0.15);
    assertThat(after).hasSameSizeAs(before);
    assertThat(after.get(0)).isEqualTo(before.get(0));
    for (int i = 1; i < after.size(); i++) {
      // Nowhere is the path torn: steps stay what they were, but for a bend.
      Pose step = before.get(i - 1).to(before.get(i));
      assertThat(step.distance(after.get(i - 1).to(after.get(i))))
          .as("step %d", i)
          .isLessThan(0.02);
    }
  }

  /** That graph has found the true path: it is the way's, and where the search begins. */
  @Test
  void goesOnFromTheGraphOfTheWay() {
    List<Pose> truth = RingDrive.rounds(2);
    List<PosedScan> path = RingDrive.bent(truth, RingDrive.ring(), 0.012);
    List<Pose> poses = path.stream().map(PosedScan::pose).toList();
    int[] nodes = LoopCloser.places(poses, new int[0]);
    Pose[] local = IntStream.of(nodes).mapToObj(poses::get).toArray(Pose[]::new);
    Pose[] global = IntStream.of(nodes).mapToObj(truth::get).toArray(Pose[]::new);
    GraphSolution graph = GraphSolution.NONE.solved(local, global, new Edge[0]);
    LoopCloser.Result result = result(poses, path, "6", nodes, graph).orElseThrow();
    for (int i = 0; i < poses.size(); i++) {
      Pose way = result.way().poses().get(i);
      assertThat(way.distance(truth.get(i))).as("pose %d", i).isLessThan(0.03);
    }
    assertThat(apart(truth, result.end().poses())).isLessThan(0.15);
    assertThat(result.way().loops()).isEmpty();
    assertThat(result.end().loops()).isNotEmpty();
  }

  @Test
  void oneAnswerToOneQuestion() {
    List<PosedScan> path = RingDrive.bent(RingDrive.rounds(1.3), RingDrive.ring(), 0.012);
    assertThat(closed(path, "6")).isEqualTo(closed(path, "6"));
  }

  @Test
  void aPathIsLeftAsItIsIfNobodyAsks() {
    List<PosedScan> path = RingDrive.bent(RingDrive.rounds(1.3), RingDrive.ring(), 0.012);
    List<Pose> before = path.stream().map(PosedScan::pose).toList();
    assertThat(closed(path, "0")).isEqualTo(before);
  }

  @Test
  void whoDoesNotComeBackIsLeftAsHeIs() {
    List<PosedScan> path = RingDrive.bent(RingDrive.rounds(0.7), RingDrive.ring(), 0.012);
    List<Pose> before = path.stream().map(PosedScan::pose).toList();
    assertThat(closed(path, "6")).isEqualTo(before);
    // The corridor on the other side of the block is another.
    assertThat(closed(path, "14")).isEqualTo(before);
    assertThat(closed(List.of(), "6")).isEmpty();
    assertThat(closed(path.subList(0, 1), "6")).hasSize(1);
  }

  /** Half a day on the spot. */
  @Test
  void thereIsAnEndToNodes() {
    List<Pose> turns = IntStream.range(0, 70_000).mapToObj(i -> turned(1.6 * i)).toList();
    int[] places = LoopCloser.places(turns, new int[0]);
    assertThat(places).hasSizeBetween(10_000, 20_000).isSorted().startsWith(0);
    int[] graphNodes = IntStream.range(0, 20_000).toArray();
    int[] more = LoopCloser.places(turns, graphNodes);
    assertThat(more).hasSizeBetween(30_000, 40_000).isSorted().startsWith(graphNodes);
  }

  private static Pose turned(double radians) {
    return new Pose(0, 0, Pose.wrap(radians));
  }

  /** Between two bare walls any place looks like any other: there and back tells nothing. */
  @Test
  void nobodyKnowsHowFarHeWentBetweenBareWalls() {
    Room bare = new Room(new double[][] {{-200, -1, 200, -1}, {-200, 1, 200, 1}});
    List<Pose> truth = new ArrayList<>(List.of(Pose.ORIGIN));
    for (int i = 0; i < 400; i++) {
      truth.add(truth.get(i).then(new Pose(i < 200 ? RingDrive.STEP : -RingDrive.STEP, 0, 0)));
    }
    List<PosedScan> path = new ArrayList<>();
    for (int i = 0; i < truth.size(); i++) {
      // On the way back odometry counts a tenth too much.
      double x = truth.get(i).x() - (i > 200 ? 0.1 * (20 - truth.get(i).x()) : 0);
      Scan scan = bare.scan(truth.get(i), Room.Laser.ahead(181));
      path.add(new PosedScan(new Pose(x, 0, 0), scan));
    }
    List<Pose> after = closed(path, "6");
    for (int i = 0; i < path.size(); i++) {
      assertThat(after.get(i).distance(path.get(i).pose())).as("pose %d", i).isLessThan(0.05);
    }
  }
}
