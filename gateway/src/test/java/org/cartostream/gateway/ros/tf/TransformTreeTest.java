package org.cartostream.gateway.ros.tf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.cartostream.gateway.ros.scan.FakeRobot.transform;

import org.assertj.core.data.Offset;
import org.cartostream.gateway.ros.scan.FakeRobot;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;
import org.junit.jupiter.api.Test;

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
