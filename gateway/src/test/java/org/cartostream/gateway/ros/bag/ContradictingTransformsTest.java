package org.cartostream.gateway.ros.bag;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.ros.message.Quaternion;
import org.cartostream.ros.message.Vector3;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

/** Robots that drive on a line at 0.5 m/s, and tell where they are ten times a second. */
@Quick
class ContradictingTransformsTest {

  private static final long STEP_NANOS = 100_000_000;

  private final ContradictingTransforms contradictions = new ContradictingTransforms();

  private static RigidTransform at(double x, double y) {
    return new RigidTransform(new Vector3(x, y, 0), new Quaternion(0, 0, 0, 1));
  }

  private void robot(String file, int step, long lateNanos, double y) {
    long nanos = step * STEP_NANOS + lateNanos;
    contradictions.recorded(file, nanos);
    contradictions.moving(file, "odometry", nanos, at(0.5 * nanos / 1e9, y));
  }

  @Test
  void twoRobotsInTwoFilesAreNamed() {
    for (int i = 0; i < 50; i++) {
      robot("a.bag", i, 0, 0);
      robot("b.bag", i, STEP_NANOS / 3, 0.02 * i);
    }
    assertThat(contradictions.ofTwoFiles().orElseThrow())
        .contains("odometry is at two places at one time in", "a.bag", "b.bag", "--continue");
  }

  @Test
  void oneRobotInTwoFilesIsNone() {
    for (int i = 0; i < 50; i++) {
      robot("a.bag", i, 0, 0);
      robot("b.bag", i, STEP_NANOS / 3, 0);
    }
    assertThat(contradictions.ofTwoFiles()).isEmpty();
    assertThat(contradictions.notes()).isEmpty();
  }

  @Test
  void twoDrivesOneAfterTheOtherAreNone() {
    for (int i = 0; i < 50; i++) {
      robot("a.bag", i, 0, 0);
    }
    for (int i = 100; i < 150; i++) {
      robot("b.bag", i, 0, 7);
    }
    assertThat(contradictions.ofTwoFiles()).isEmpty();
  }

  @Test
  void twoPublishersInOneFileAreNotedAndNotRefused() {
    for (int i = 0; i < 50; i++) {
      robot("", i, 0, 0);
      robot("", i, STEP_NANOS / 3, 0.02 * i);
    }
    assertThat(contradictions.ofTwoFiles()).isEmpty();
    assertThat(contradictions.notes())
        .singleElement()
        .asString()
        .contains("odometry goes to and fro between two places", "two publishers");
  }

  @Test
  void aPoseThatJumpsIsNone() {
    for (int i = 0; i < 50; i++) {
      robot("", i, 0, i / 10); // As a correction of amcl's is.
    }
    assertThat(contradictions.notes()).isEmpty();
  }

  @Test
  void fixedOnesAreNotedInOneFileAndRefusedInTwoOfOneTime() {
    contradictions.recorded("a.bag", 0);
    contradictions.fixed("a.bag", "the laser", at(0.1, 0));
    contradictions.fixed("a.bag", "the laser", at(0.1, 1e-6));
    assertThat(contradictions.notes()).isEmpty();
    contradictions.fixed("a.bag", "the laser", at(0.2, 0));
    assertThat(contradictions.notes()).singleElement().asString().contains("(0.200 m, 0.000 m");

    contradictions.recorded("a.bag", 50);
    contradictions.recorded("b.bag", 100);
    contradictions.fixed("b.bag", "the laser", at(0.3, 0));
    assertThat(contradictions.ofTwoFiles()).as("one after the other").isEmpty();
    contradictions.recorded("b.bag", 40);
    assertThat(contradictions.ofTwoFiles().orElseThrow()).contains("the laser", "a.bag", "b.bag");
  }
}
