package org.cartostream.ros.ros2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.cartostream.ros.message.Gid;
import org.cartostream.ros.message.NodeEntitiesInfo;
import org.cartostream.ros.message.ParticipantEntitiesInfo;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.discovery.EndpointData;
import org.cartostream.ros.rtps.participant.Participant;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.serialization.MessageType;

/**
 * Announcement on {@code ros_discovery_info} (rmw_dds_common), by which ROS 2's tools know this
 * node's readers and writers. Owns that list. Thread-safe.
 *
 * <p>Up to Humble the message has longer identities under the same type name, and a node of Humble
 * that gets the newer form may run out of memory (github.com/ros2/rmw_fastrtps/issues/733). So each
 * reader gets the form of its release: newer readers announce a type hash.
 */
final class GraphAnnouncement {

  private static final String TOPIC = "ros_discovery_info";

  private static final int HUMBLE_GID_BYTES = 24;

  private final Guid participant;
  private final String namespace;
  private final String name;
  private final Participant.Writer writer;
  private final Participant.Writer humbleWriter;
  private final List<Guid> readers = new ArrayList<>();
  private final List<Guid> writers = new ArrayList<>();

  /**
   * @param node global name of the node
   */
  GraphAnnouncement(Participant participant, String node) {
    this.participant = participant.guid();
    int slash = node.lastIndexOf('/');
    namespace = slash == 0 ? "/" : node.substring(0, slash);
    name = node.substring(slash + 1);
    String type = DdsNames.type(ParticipantEntitiesInfo.TYPE.ros2Name(), "");
    writer = participant.write(TOPIC, type, TopicQos.LATCHED, EndpointData::hasTypeHash);
    humbleWriter =
        participant.write(TOPIC, type, TopicQos.LATCHED, reader -> !reader.hasTypeHash());
    send();
  }

  synchronized void addReader(Guid reader) {
    readers.add(reader);
    send();
  }

  synchronized void addWriter(Guid added) {
    writers.add(added);
    send();
  }

  private void send() {
    send(writer, ParticipantEntitiesInfo.TYPE, Guid.BYTES);
    send(humbleWriter, ParticipantEntitiesInfo.HUMBLE_TYPE, HUMBLE_GID_BYTES);
  }

  private void send(
      Participant.Writer to, MessageType<ParticipantEntitiesInfo> type, int gidBytes) {
    NodeEntitiesInfo node =
        new NodeEntitiesInfo(namespace, name, gids(readers, gidBytes), gids(writers, gidBytes));
    Gid gid = gids(List.of(participant), gidBytes).get(0);
    to.write(new ParameterList(), type.encodeCdr(new ParticipantEntitiesInfo(gid, List.of(node))));
  }

  private static List<Gid> gids(List<Guid> guids, int bytes) {
    return guids.stream().map(each -> new Gid(Arrays.copyOf(each.bytes(), bytes))).toList();
  }
}
