package org.cartostream.ros.ros2;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.ros.node.RosNodeListener;

/** Writes down what a node tells of itself, in order. */
final class GraphRemarks implements RosNodeListener {

  final List<String> all = new CopyOnWriteArrayList<>();

  @Override
  public void onMasterAway(String why) {
    all.add("away: " + why);
  }

  @Override
  public void onMasterBack() {
    all.add("back");
  }

  @Override
  public void onTrouble(String topic, String why) {
    all.add(topic + ": " + why);
  }

  @Override
  public void onShutdown(String why) {
    all.add("shutdown: " + why);
  }

  @Override
  public void onFailure(String why) {
    all.add("failure: " + why);
  }
}
