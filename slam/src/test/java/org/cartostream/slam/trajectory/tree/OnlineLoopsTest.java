package org.cartostream.slam.trajectory.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.graph.GrowingPoseGraph;
import org.cartostream.slam.graph.PosedScan;
import org.cartostream.slam.graph.RingDrive;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.RayTracedMap;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.particle.ParticleWeights;
import org.cartostream.slam.particle.Resampling;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** A filter of one particle drives round and round, and comes back to where it had been. */
@Quick
class OnlineLoopsTest {

  private static final FilterSettings SETTINGS =
      Settings.build(FilterSettings.class, Map.of("particles", "1", "maxShiftMetres", "1000"));

  private final List<PosedScan> path =
      RingDrive.bent(RingDrive.rounds(1.3), RingDrive.ring(), 0.012);
  private final TrajectoryTree tree = new TrajectoryTree(SETTINGS);

  /** Does the same with the poses alone. */
  private final GrowingPoseGraph graph = new GrowingPoseGraph(SETTINGS);

  private final List<Pose> nodes = new ArrayList<>();

  /** Of each key frame, the last node at or before it. */
  private final List<Integer> lastNodes = new ArrayList<>();

  private int keyFrames;

  private void keyFrame() {
    int i = keyFrames++;
    Pose pose = path.get(i).pose();
    Pose before = i == 0 ? Pose.ORIGIN : path.get(i - 1).pose();
    Pose motion = before.to(pose);
    Step step =
        new Step(
            i,
            i,
            true,
            i == 0,
            false,
            false,
            motion,
            motion,
            Pose.ORIGIN,
            0,
            path.get(i).scan(),
            null);
    ParticleWeights all = ParticleWeights.empty(i, 1, 0);
    all.x()[0] = pose.x();
    all.y()[0] = pose.y();
    all.theta()[0] = pose.theta();
    tree.addKeyFrame(step, all, new Resampling(i, false, new int[1], 1, 0, 0, 0));

    graph.correctBefore(i);
    if (graph.add(path.get(i).scan(), i, i == 0 ? pose : before.then(motion))) {
      nodes.add(pose);
    }
    graph.search(i, () -> nodes.toArray(Pose[]::new));
    lastNodes.add(graph.latest());
  }

  private OccupancyGrid drawn() {
    RayTracedMap map = new RayTracedMap(SETTINGS.cellMetres());
    for (int i = 0; i < keyFrames; i++) {
      Pose pose = graph.solution().toMapFrame(lastNodes.get(i), path.get(i).pose());
      map.trace(pose, path.get(i).scan());
    }
    return map.grid();
  }

  private static void assertSame(OccupancyGrid map, OccupancyGrid expected) {
    assertThat(map.cells()).isEqualTo(expected.cells());
    assertThat(map.width()).isEqualTo(expected.width());
    assertThat(map.originX()).isEqualTo(expected.originX());
    assertThat(map.originY()).isEqualTo(expected.originY());
  }

  @Test
  void poseIsCorrectedAtOnceAndTheMapWhenItIsDrawnAnew() {
    keyFrame();
    while (tree.correction().number() == 0) {
      assertThat(tree.currentPose()).isEqualTo(tree.localPose());
      assertThat(tree.redraw()).isEmpty();
      keyFrame();
    }
    Pose local = path.get(keyFrames - 1).pose();
    Pose corrected = graph.solution().toMapFrame(graph.latest(), local);
    assertThat(tree.localPose()).isEqualTo(local);
    assertThat(tree.currentPose()).isEqualTo(corrected);
    assertThat(corrected.distance(local)).isGreaterThan(0.04);
    Pose before = path.get(keyFrames - 2).pose();
    Pose moved = graph.solution().toMapFrame(graph.latest(), before);
    assertThat(tree.correction().movedMetres()).isEqualTo(before.distance(moved));

    assertThat(tree.mapCorrection()).isZero();
    assertSame(tree.currentMap(), tree.bestPath().map().grid());
    MapRedraw redraw = tree.redraw().orElseThrow();
    for (int meanwhile = 0; meanwhile < 5; meanwhile++) {
      keyFrame();
    }
    assertThat(tree.correction().number()).as("by the same correction").isOne();
    assertSame(tree.currentMap(), tree.bestPath().map().grid());
    redraw.run();
    tree.show(redraw);

    assertThat(tree.mapCorrection()).isOne();
    assertThat(tree.redraw()).isEmpty();
    assertSame(tree.currentMap(), drawn());
    keyFrame();
    assertSame(tree.currentMap(), drawn());
  }

  /** Each joins two moments, a round apart, at which the robot really was at one place. */
  @Test
  void loopsThatAreShownJoinMomentsAtOnePlace() {
    assertThat(tree.loops()).isEmpty();
    while (tree.correction().number() == 0) {
      keyFrame();
    }
    List<Pose> truth = RingDrive.rounds(1.3);
    assertThat(tree.loops()).isNotEmpty();
    for (ClosedLoop each : tree.loops()) {
      int first = (int) each.first().stampNanos();
      int again = (int) each.again().stampNanos();
      assertThat(again - first).as("key frames between").isGreaterThan(truth.size() / 2);
      assertThat(truth.get(first).distance(truth.get(again))).as("metres").isLessThan(3);
      assertThat(each.first().pose().distance(corrected(first))).isLessThan(1e-9);
      assertThat(each.again().pose().distance(corrected(again))).isLessThan(1e-9);
    }
  }

  /** Also those that nobody looked for on the way; they lie on the path as it is in the end. */
  @Test
  void loopsThatAreFoundAtTheEndJoinMomentsAtOnePlace() {
    while (keyFrames < path.size()) {
      keyFrame();
    }
    assertThat(tree.bestPath().loops()).as("before anybody looked for them").isEmpty();
    RecordedPath closed = tree.bestPath().withLoopsClosed();
    List<Pose> truth = RingDrive.rounds(1.3);
    assertThat(closed.loops()).isNotEmpty();
    assertThat(closed.loopsClosed().loops()).isEqualTo(closed.loops().size());
    for (ClosedLoop each : closed.loops()) {
      int first = (int) each.first().stampNanos();
      int again = (int) each.again().stampNanos();
      assertThat(again - first).as("key frames between").isGreaterThan(truth.size() / 2);
      assertThat(truth.get(first).distance(truth.get(again))).as("metres").isLessThan(3);
      assertThat(each.first().pose()).isEqualTo(closed.path().get(first).pose());
      assertThat(each.again().pose()).isEqualTo(closed.path().get(again).pose());
    }
  }

  /** Also of what a search has found that no reading waited for. */
  @Test
  void ofWayAndEndThatPathIsTakenAlongWhichTheScansAgreeBetter() {
    while (tree.correction().number() == 0) {
      keyFrame();
    }
    while (tree.pendingSearch().isEmpty()) {
      keyFrame();
    }
    RecordedPath closed = tree.bestPath().withLoopsClosed();
    LoopClosureReport report = closed.loopsClosed();
    assertThat(report.wayBits()).isLessThan(tree.bestPath().map().codeLength());
    assertThat(closed.map().codeLength()).isEqualTo(Math.min(report.wayBits(), report.endBits()));

    tree.pendingSearch().orElseThrow().run();
    RecordedPath again = tree.bestPath().withLoopsClosed();
    assertThat(again.path()).isEqualTo(closed.path());
    assertThat(again.loopsClosed().endBits()).isEqualTo(report.endBits());
  }

  /** Of 2,500 loops each third is shown. */
  @Test
  void ofVeryManyLoopsSomeAreShown() {
    List<Integer> shown = new ArrayList<>();
    List<ClosedLoop> loops =
        ClosedLoop.shown(
            2500,
            i -> {
              shown.add(i);
              return new ClosedLoop(null, null);
            });
    assertThat(loops).hasSize(834);
    assertThat(shown).hasSize(834).startsWith(0, 3, 6).endsWith(2499);
    assertThat(ClosedLoop.shown(1000, i -> new ClosedLoop(null, null))).hasSize(1000);
    assertThat(ClosedLoop.shown(0, i -> new ClosedLoop(null, null))).isEmpty();
  }

  private Pose corrected(int keyFrame) {
    return graph.solution().toMapFrame(lastNodes.get(keyFrame), path.get(keyFrame).pose());
  }

  /** The path at the end is the filter's, whatever was told on the way. */
  @Test
  void correctionsDoNotChangeThePath() {
    while (keyFrames < path.size()) {
      keyFrame();
    }
    assertThat(tree.correction().number()).isPositive();
    assertThat(tree.bestPath().path())
        .extracting(each -> each.pose())
        .containsExactlyElementsOf(path.stream().map(PosedScan::pose).toList());
  }
}
