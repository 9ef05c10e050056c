package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.cartostream.gateway.ros.scan.FakeRobot;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Whose transforms are heard where two robots have frames of the same names. */
@Quick
class BagTransformsTest {

  private static final TfMessage ODOMETRY = message("odom", "base_link");
  private static final TfMessage MOUNT = message("base_link", "laser");
  private static final TfMessage CAMERA = message("base_link", "camera");

  private final BagTransforms transforms = new BagTransforms("odom");

  private static TfMessage message(String parent, String child) {
    return new TfMessage(
        List.of(FakeRobot.transform(parent, child, 1000, RigidTransform.IDENTITY)));
  }

  private List<String> heard(String topic, TfMessage message) {
    return transforms.filter(topic, message).transforms().stream()
        .map(TransformStamped::childFrameId)
        .toList();
  }

  private void addTwoRobots() {
    for (String robot : List.of("/robot1", "/robot2")) {
      transforms.add(robot + "/tf", ODOMETRY);
      transforms.add(robot + "/tf_static", MOUNT);
    }
    transforms.add("/tf_static", CAMERA);
  }

  @Test
  void hearsOfTheOtherRobotNothingThatItsOwnTellsOf() {
    addTwoRobots();
    assertThat(transforms.odometries()).containsExactly("/robot1/tf", "/robot2/tf");
    transforms.select("/robot2/tf");

    assertThat(heard("/robot2/tf", ODOMETRY)).containsExactly("base_link");
    assertThat(heard("/robot2/tf_static", MOUNT)).containsExactly("laser");
    assertThat(heard("/robot1/tf", ODOMETRY)).isEmpty();
    assertThat(heard("/robot1/tf_static", MOUNT)).isEmpty();
    assertThat(heard("/robot1/tf", message("odom", "base_footprint"))).isEmpty();
  }

  @Test
  void hearsElsewhereOfFramesOfWhichItsOwnSaysNothing() {
    addTwoRobots();
    transforms.select("/robot2/tf");

    assertThat(heard("/tf_static", CAMERA)).containsExactly("camera");
    assertThat(heard("/robot1/tf", CAMERA)).containsExactly("camera");
  }

  @Test
  void hearsAllIfOdometryComesFromElsewhere() {
    addTwoRobots();

    assertThat(heard("/robot1/tf", ODOMETRY)).containsExactly("base_link");
    assertThat(heard("/robot2/tf_static", MOUNT)).containsExactly("laser");
  }
}
