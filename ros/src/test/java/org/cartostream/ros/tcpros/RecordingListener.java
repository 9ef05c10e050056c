package org.cartostream.ros.tcpros;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.ros.node.RosNodeListener;

/** Writes down what a node tells of itself. */
final class RecordingListener implements RosNodeListener {

  final List<String> away = new CopyOnWriteArrayList<>();
  final List<String> back = new CopyOnWriteArrayList<>();
  final List<String> trouble = new CopyOnWriteArrayList<>();
  final List<String> subjects = new CopyOnWriteArrayList<>();
  final List<String> shutdowns = new CopyOnWriteArrayList<>();
  final List<String> failures = new CopyOnWriteArrayList<>();

  @Override
  public void onMasterAway(String why) {
    away.add(why);
  }

  @Override
  public void onMasterBack() {
    back.add("back");
  }

  @Override
  public void onTrouble(String subject, String why) {
    trouble.add(subject + ": " + why);
    subjects.add(subject);
  }

  @Override
  public void onFailure(String why) {
    failures.add(why);
  }

  @Override
  public void onShutdown(String why) {
    shutdowns.add(why);
  }
}
