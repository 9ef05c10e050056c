package org.cartostream.slam.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/**
 * A robot drives round and round in a corridor about a block, and is told where it is meanwhile.
 */
@Quick
class GrowingPoseGraphTest {

  static final FilterSettings SETTINGS = settings("6");

  private static FilterSettings settings(String searchMetres) {
    return Settings.build(FilterSettings.class, Map.of("loops.searchMetres", searchMetres));
  }

  /** Who runs a search that was begun. */
  interface Searcher {
    void begun(OnlineLoopClosure search);
  }

  /** A drive, key frame by key frame. */
  static final class Told {
    final GrowingPoseGraph graph;
    final List<Pose> nodes = new ArrayList<>();

    /** The poses when they were told. */
    final List<Pose> live = new ArrayList<>();

    final List<Integer> corrections = new ArrayList<>();

    Told(FilterSettings settings, List<PosedScan> path, Searcher searcher) {
      graph = new GrowingPoseGraph(settings);
      OnlineLoopClosure begun = null;
      for (int i = 0; i < path.size(); i++) {
        if (graph.correctBefore(i)) {
          corrections.add(i);
        }
        Pose local = path.get(i).pose();
        if (graph.add(path.get(i).scan(), i, local)) {
          nodes.add(local);
        }
        graph.search(i, () -> nodes.toArray(Pose[]::new));
        OnlineLoopClosure pending = graph.pending().orElse(null);
        if (pending != begun && pending != null) {
          begun = pending;
          searcher.begun(pending);
        }
        live.add(graph.solution().toMapFrame(graph.latest(), local));
      }
    }
  }

  /** The distance between where the same place is in the first round, and in the second. */
  private static double apart(List<Pose> truth, List<Pose> path, int at) {
    int round = truth.size() / 2;
    Pose right = truth.get(at - round).to(truth.get(at));
    return right.distance(path.get(at - round).to(path.get(at)));
  }

  @Test
  void secondRoundIsToldWhereTheFirstOneWas() {
    List<Pose> truth = RingDrive.rounds(2);
    List<PosedScan> path = new ArrayList<>();
    Pose pose = Pose.ORIGIN;
    for (PosedScan each : RingDrive.bent(truth, RingDrive.ring(), 0)) {
      Pose motion = path.isEmpty() ? Pose.ORIGIN : truth.get(path.size() - 1).to(each.pose());
      pose = pose.then(motion).then(new Pose(0, 0, 0.003 * motion.x())); // All along the way.
      path.add(new PosedScan(pose, each.scan()));
    }
    List<Pose> local = path.stream().map(PosedScan::pose).toList();

    Told told = new Told(SETTINGS, path, search -> {});

    int round = truth.size() / 2;
    assertThat(told.corrections).isNotEmpty().allSatisfy(i -> assertThat(i).isGreaterThan(round));
    // Two places that agree, each with what was seen around it, are some metres.
    int metres = (int) (10 / RingDrive.STEP);
    assertThat(told.corrections.get(0)).isLessThan(round + metres);
    double worst = 0;
    for (int i = told.corrections.get(0); i < truth.size(); i++) {
      worst = Math.max(worst, apart(truth, local, i));
      // It turns 0.17 degrees too far in each metre, and two places that agree are some metres.
      // Where the first round is by now, and where the robot is told to be.
      Pose first = told.graph.solution().toMapFrame(nodeAt(path, i - round), local.get(i - round));
      Pose right = truth.get(i - round).to(truth.get(i));
      assertThat(right.distance(first.to(told.live.get(i)))).as("pose %d", i).isLessThan(0.35);
    }
    assertThat(worst).as("of what the filter has").isGreaterThan(0.7);
  }

  private static int nodeAt(List<PosedScan> path, int at) {
    GrowingPoseGraph graph = new GrowingPoseGraph(SETTINGS);
    for (int i = 0; i <= at; i++) {
      graph.add(path.get(i).scan(), i, path.get(i).pose());
    }
    return graph.latest();
  }

  @Test
  void itDoesNotMatterWhoSearchesAndWhen() {
    List<PosedScan> path = RingDrive.bent(RingDrive.rounds(1.4), RingDrive.ring(), 0.012);
    Told late = new Told(SETTINGS, path, search -> {});
    Told atOnce = new Told(SETTINGS, path, OnlineLoopClosure::run);
    ExecutorService elsewhere = Executors.newSingleThreadExecutor();
    try {
      Told inAnotherThread = new Told(SETTINGS, path, search -> elsewhere.execute(search::run));
      assertThat(late.corrections).isNotEmpty();
      assertThat(atOnce.live).isEqualTo(late.live);
      assertThat(inAnotherThread.live).isEqualTo(late.live);
    } finally {
      elsewhere.shutdown();
    }
  }

  @Test
  void whoDoesNotComeBackIsToldWhatTheFilterHas() {
    List<PosedScan> path = RingDrive.bent(RingDrive.rounds(0.7), RingDrive.ring(), 0.012);
    Told told = new Told(SETTINGS, path, search -> {});
    assertThat(told.corrections).isEmpty();
    assertThat(told.live).isEqualTo(path.stream().map(PosedScan::pose).toList());
  }

  @Test
  void nothingIsSearchedIfNobodyAsks() {
    List<PosedScan> path = RingDrive.bent(RingDrive.rounds(1.4), RingDrive.ring(), 0.012);
    Told told =
        new Told(
            settings("0"),
            path,
            search -> {
              throw new AssertionError("searched");
            });
    assertThat(told.live).isEqualTo(path.stream().map(PosedScan::pose).toList());
    assertThat(told.graph.latest()).isNegative();
  }

  /** However a map was turned and shifted as a whole: nothing has moved. */
  @Test
  void whatMovesAsAWholeIsLaidBack() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    Pose[] poses =
        random
            .doubles(50, -30, 30)
            .mapToObj(x -> new Pose(x, 9 * random.nextGaussian(), Pose.wrap(x)))
            .toArray(Pose[]::new);
    Pose move = new Pose(7 * random.nextGaussian(), -3, 3 * random.nextDouble());
    Pose[] moved = Arrays.stream(poses).map(move::then).toArray(Pose[]::new);

    Pose[] laid = OnlineLoopClosure.laidOn(poses, moved);

    for (int i = 0; i < poses.length; i++) {
      assertThat(laid[i].distance(poses[i])).isLessThan(1e-9);
      assertThat(Pose.wrap(laid[i].theta() - poses[i].theta())).isCloseTo(0, within(1e-9));
    }
  }
}
