package org.cartostream.ros.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class MasterMonitorTest {

  private final List<String> told = new ArrayList<>();
  private long nowNanos = -1;
  private final MasterMonitor watch = new MasterMonitor(told::add, told::add, () -> nowNanos);

  private void comesAndGoes(int times, String why) {
    for (int i = 0; i < times; i++) {
      watch.onMasterBack();
      watch.onMasterAway(why);
    }
  }

  @Test
  void tellsOnceThatAGraphComesAndGoes() {
    comesAndGoes(1000, "it has closed the connection");
    assertThat(told)
        .containsExactly(
            "the robot's ROS graph is there",
            "it has closed the connection",
            "the robot's ROS graph is there");
    assertThat(watch.awayReason()).isEqualTo("it has closed the connection");
  }

  @Test
  void tellsAgainAfterAMinuteAndAtOnceWhenItIsForAnotherReason() {
    comesAndGoes(10, "it has closed the connection");
    comesAndGoes(10, "it is silent");
    nowNanos += TimeUnit.MINUTES.toNanos(1);
    comesAndGoes(10, "it is silent");
    assertThat(told)
        .containsExactly(
            "the robot's ROS graph is there",
            "it has closed the connection",
            "the robot's ROS graph is there",
            "it is silent",
            "the robot's ROS graph is there",
            "it is silent",
            "the robot's ROS graph is there");
  }

  @Test
  void tellsOfEachTopicOnce() {
    for (int i = 0; i < 1000; i++) {
      watch.onTrouble("/scan", "is of another type");
      watch.onTrouble("/odom", "is of another type");
    }
    assertThat(told).containsExactly("/scan: is of another type", "/odom: is of another type");
  }

  /** However many have come and gone before. */
  @Test
  void tellsOfNewTroubleThoughThereHasBeenMuch() {
    for (int i = 0; i < 1000; i++) {
      watch.onTrouble("/scan from http://robot:" + i, "nothing is heard");
    }
    assertThat(told).hasSizeLessThan(200);
    nowNanos += TimeUnit.MINUTES.toNanos(1);
    told.clear();
    watch.onTrouble("/scan from http://robot:2000", "nothing is heard");
    assertThat(told).containsExactly("/scan from http://robot:2000: nothing is heard");
  }

  /** The run would give up its end at a second wish. */
  @Test
  void hasTheRunEndOnlyOnce() {
    List<String> ends = new ArrayList<>();
    watch.whenEnded(() -> ends.add("now"));
    watch.onShutdown("the ROS graph ends /cartostream");
    watch.onFailure("another node has taken the name /cartostream");
    assertThat(ends).containsExactly("now");
    assertThat(watch.failure()).as("it was ended by a wish").isEmpty();
  }

  @Test
  void knowsWhyTheNodeCouldNotGoOn() {
    List<String> ends = new ArrayList<>();
    watch.whenEnded(() -> ends.add("now"));
    watch.onFailure("another node has taken the name /cartostream");
    assertThat(ends).containsExactly("now");
    assertThat(watch.failure()).isEqualTo("another node has taken the name /cartostream");
  }

  /** A robot in trouble is never taken for one that is there, however little is told. */
  @Test
  void knowsWhetherTheGraphIsThereWhateverItTells() throws Exception {
    comesAndGoes(2, "gone");
    assertThat(watch.awaitMaster(1)).isFalse();
    watch.onMasterBack();
    assertThat(watch.awaitMaster(1)).isTrue();
    assertThat(watch.awayReason()).isEmpty();
  }
}
