package org.cartostream.ros.ros2;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.ros.message.Gid;
import org.cartostream.ros.message.NodeEntitiesInfo;
import org.cartostream.ros.message.ParticipantEntitiesInfo;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.participant.Participant;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.ParameterList;

/**
 * Tells ROS 2's tools which readers and writers are this node's, on {@code ros_discovery_info}
 * (rmw_dds_common). Owns that list. Thread-safe.
 */
final class GraphAnnouncement {

  private static final String TOPIC = "ros_discovery_info";

  private final Gid participant;
  private final String namespace;
  private final String name;
  private final Participant.Writer writer;
  private final List<Gid> readers = new ArrayList<>();
  private final List<Gid> writers = new ArrayList<>();

  /**
   * @param node its global name
   */
  GraphAnnouncement(Participant participant, String node) {
    this.participant = gid(participant.guid());
    int slash = node.lastIndexOf('/');
    namespace = slash == 0 ? "/" : node.substring(0, slash);
    name = node.substring(slash + 1);
    writer =
        participant.write(
            TOPIC, DdsNames.type(ParticipantEntitiesInfo.TYPE.ros2Name(), ""), TopicQos.LATCHED);
    send();
  }

  private static Gid gid(Guid guid) {
    return new Gid(guid.bytes());
  }

  synchronized void addReader(Guid reader) {
    readers.add(gid(reader));
    send();
  }

  synchronized void addWriter(Guid added) {
    writers.add(gid(added));
    send();
  }

  private void send() {
    NodeEntitiesInfo node =
        new NodeEntitiesInfo(namespace, name, List.copyOf(readers), List.copyOf(writers));
    writer.write(
        new ParameterList(),
        ParticipantEntitiesInfo.TYPE.encodeCdr(
            new ParticipantEntitiesInfo(participant, List.of(node))));
  }
}
