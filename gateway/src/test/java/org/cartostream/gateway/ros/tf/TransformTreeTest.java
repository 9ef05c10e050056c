package org.cartostream.gateway.ros.tf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.cartostream.gateway.ros.scan.FakeRobot.transform;

import org.assertj.core.data.Offset;
import org.cartostream.gateway.ros.scan.FakeRobot;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class TransformTreeTest {

  private static final Offset<Double> NEARLY = within(1e-9);

  private final TransformTree frames = new TransformTree("odom");

  private void fixed(String parent, String child, Pose pose) {
    frames.add(transform(parent, child, 0, RigidTransform.of(pose)), true);
  }

  private static Pose planar(TransformLookup transformLookup) {
    return ((TransformLookup.Found) transformLookup).motion().planar();
  }

  /** A TurtleBot's: odom, footprint, link, laser; by the plane's own algebra. */
  @Test
  void followsAChainOfFrames() {
    Pose footprint = new Pose(3, 1, 0.5);
    Pose link = new Pose(0, 0, -0.2);
    Pose laser = new Pose(-0.03, 0.01, 3);
    frames.add(transform("odom", "base_footprint", 1000, RigidTransform.of(footprint)), false);
    fixed("base_footprint", "base_link", link);
    fixed("base_link", "base_scan", laser);
    Pose found = planar(frames.at("odom", "base_scan", 1_000_000_000L));
    Pose expected = footprint.then(link).then(laser);
    assertThat(found.x()).isCloseTo(expected.x(), NEARLY);
    assertThat(found.y()).isCloseTo(expected.y(), NEARLY);
    assertThat(found.theta()).isCloseTo(expected.theta(), NEARLY);
  }

  @Test
  void ofFixedOnesTheLastThatCameHolds() {
    Pose later = new Pose(0.2, 0, 0);
    frames.add(transform("base_link", "laser", 2000, RigidTransform.of(Pose.ORIGIN)), true);
    frames.add(transform("base_link", "laser", 1000, RigidTransform.of(later)), true);
    assertThat(frames.latest("base_link", "laser").orElseThrow().planar()).isEqualTo(later);
  }

  @Test
  void looksAcrossBranchesAndDownwards() {
    Pose laser = new Pose(0.2, 0.1, 0.4);
    Pose camera = new Pose(0.1, -0.1, -1);
    fixed("base_link", "laser", laser);
    fixed("base_link", "camera", camera);
    Pose across = frames.latest("camera", "laser").orElseThrow().planar();
    Pose expected = camera.inverse().then(laser);
    assertThat(across.distance(expected)).isCloseTo(0, NEARLY);
    Pose down = frames.latest("laser", "base_link").orElseThrow().planar();
    assertThat(down.distance(laser.inverse())).isCloseTo(0, NEARLY);
  }

  @Test
  void knowsWhatIsNotConnected() {
    fixed("base_link", "laser", Pose.ORIGIN);
    fixed("elsewhere", "camera", Pose.ORIGIN);
    assertThat(frames.latest("camera", "laser")).isEmpty();
    assertThat(frames.at("odom", "laser", 0)).isEqualTo(new TransformLookup.Unconnected());
  }

  @Test
  void doesNotRunInCircles() {
    fixed("a", "b", Pose.ORIGIN);
    fixed("b", "a", Pose.ORIGIN);
    assertThat(frames.latest("c", "a")).isEmpty();
    assertThat(frames.latest("a", "b")).as("both say the same").isPresent();
    assertThat(frames.faults("a"))
        .containsExactly(
            "transforms run in a circle: 'b' lies in 'a', and that, in the end, in 'b'");
  }

  /** Odometry that is fused as well, and a camera that nothing else is connected with. */
  @Test
  void takesTheOneWayOfAFrameWithSeveralParents() {
    for (long millis = 1000; millis <= 1100; millis += 50) {
      Pose odometry = new Pose(millis / 1000.0, 0, 0);
      frames.add(transform("odom", "base", millis, RigidTransform.of(odometry)), false);
      Pose fused = new Pose(millis / 100.0, 0, 0);
      frames.add(transform("fused", "base", millis, RigidTransform.of(fused)), false);
    }
    fixed("base", "laser", new Pose(0.2, 0, 0));
    fixed("camera", "laser", new Pose(9, 0, 0));
    assertThat(planar(frames.at("odom", "base", 1_025_000_000L)).x()).isCloseTo(1.025, NEARLY);
    assertThat(planar(frames.at("fused", "base", 1_025_000_000L)).x()).isCloseTo(10.25, NEARLY);
    assertThat(planar(frames.at("odom", "laser", 1_025_000_000L)).x()).isCloseTo(1.225, NEARLY);
    assertThat(frames.faults("laser"))
        .containsExactly(
            "the frame 'laser' has several parents, 'base' and 'camera'",
            "the frame 'base' has several parents, 'odom' and 'fused'");
  }

  @Test
  void takesAnyOfSeveralWaysThatAgreeAndNoneOfThoseThatDoNot() {
    fixed("footprint", "base", new Pose(0.1, 0, 0.2));
    fixed("base", "laser", new Pose(1, 0, 0));
    fixed("footprint", "laser", new Pose(0.1, 0, 0.2).then(new Pose(1.005, 0, 0.005)));
    assertThat(frames.latest("base", "laser").orElseThrow().planar().x())
        .isCloseTo(1, within(0.01));
    assertThat(frames.latest("footprint", "base")).isPresent();

    fixed("footprint", "laser", new Pose(0.1, 0, 0.2).then(new Pose(1.02, 0, 0)));
    assertThat(frames.latest("base", "laser")).isEmpty();
    assertThat(frames.at("base", "laser", 0)).isEqualTo(new TransformLookup.Unconnected());
    assertThat(frames.latest("footprint", "base")).isPresent();
  }

  /** Both directions are published: each frame is above the other, and the base in two others. */
  @Test
  void takesALoopWhoseWaysAgree() {
    Pose laser = new Pose(0.3, 0.1, 1);
    fixed("odom", "base", Pose.ORIGIN);
    fixed("base", "laser", laser);
    fixed("laser", "base", laser.inverse());
    assertThat(frames.latest("base", "laser").orElseThrow().planar().distance(laser))
        .isCloseTo(0, NEARLY);
    assertThat(frames.latest("odom", "laser").orElseThrow().planar().distance(laser))
        .isCloseTo(0, NEARLY);
    fixed("laser", "base", laser);
    assertThat(frames.latest("base", "laser")).isEmpty();
    assertThat(frames.latest("odom", "base").orElseThrow().planar()).isEqualTo(Pose.ORIGIN);
  }

  /** As of a trolley that another robot takes over: tf keeps the earlier transforms for 10 s. */
  @Test
  void forgetsAParentThatIsNotToldAnyMore() {
    frames.add(transform("one", "trolley", 1000, RigidTransform.IDENTITY), false);
    frames.add(transform("other", "trolley", 2000, RigidTransform.IDENTITY), false);
    assertThat(frames.faults("trolley")).hasSize(1);
    frames.add(transform("other", "trolley", 11_001, RigidTransform.IDENTITY), false);
    assertThat(frames.faults("trolley")).isEmpty();
    assertThat(frames.latest("one", "trolley")).isEmpty();
  }

  /** Twelve frames, each of which has all others for its parents. */
  @Test
  void endsWhereEveryFrameIsAboveEveryOther() {
    for (int child = 0; child < 12; child++) {
      for (int parent = 0; parent < 12; parent++) {
        fixed("f" + parent, "f" + child, Pose.ORIGIN);
      }
    }
    assertThat(frames.latest("f0", "f11")).isPresent();
    assertThat(frames.latest("odom", "f0")).isEmpty();
    assertThat(frames.faults("f0")).isNotEmpty();
  }

  @Test
  void takesNoTransformThatMakesNoSense() {
    frames.add(
        transform(
            "base_link", "laser", 0, new RigidTransform(Vector3.ZERO, new Quaternion(0, 0, 0, 0))),
        true);
    frames.add(
        transform(
            "base_link",
            "laser",
            0,
            new RigidTransform(new Vector3(Double.NaN, 0, 0), new Quaternion(0, 0, 0, 1))),
        true);
    assertThat(frames.knows("laser")).isFalse();
  }

  @Test
  void readsNamesWithASlashAsWithout() {
    fixed("/base_link", "/laser", new Pose(1, 0, 0));
    assertThat(frames.latest("base_link", "laser")).isPresent();
  }

  /** Half way of a quarter turn about a slanted axis, by the half-angle formula. */
  @Test
  void turnsEvenlyBetweenTwoRotations() {
    double third = 1 / Math.sqrt(3);
    RigidTransform half =
        FakeRobot.turned(0, third, third, third)
            .interpolate(FakeRobot.turned(Math.PI / 2, third, third, third), 0.5);
    Quaternion expected = FakeRobot.turned(Math.PI / 4, third, third, third).rotation();
    assertThat(half.rotation().x()).isCloseTo(expected.x(), NEARLY);
    assertThat(half.rotation().w()).isCloseTo(expected.w(), NEARLY);
  }

  /** From 179 to -179 degrees it is 2 degrees, not 358. */
  @Test
  void turnsTheShortWay() {
    RigidTransform from = RigidTransform.of(new Pose(0, 0, Math.toRadians(179)));
    RigidTransform to = RigidTransform.of(new Pose(0, 0, Math.toRadians(-179)));
    assertThat(Math.abs(from.interpolate(to, 0.5).planar().theta())).isCloseTo(Math.PI, NEARLY);
    assertThat(from.interpolate(to, 0.25).planar().theta())
        .isCloseTo(Math.toRadians(179.5), NEARLY);
  }
}
