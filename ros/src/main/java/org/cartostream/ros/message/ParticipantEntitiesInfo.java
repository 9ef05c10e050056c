package org.cartostream.ros.message;

import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/** {@code rmw_dds_common/ParticipantEntitiesInfo}: a DDS participant with its ROS 2 nodes. */
public record ParticipantEntitiesInfo(Gid gid, List<NodeEntitiesInfo> nodeEntitiesInfoSeq) {

  public static final MessageType<ParticipantEntitiesInfo> TYPE =
      MessageType.of("rmw_dds_common/ParticipantEntitiesInfo", ParticipantEntitiesInfo.class);

  /**
   * Type as Humble and older releases of ROS 2 have it, by the same name: identities of 24 bytes.
   */
  public static final MessageType<ParticipantEntitiesInfo> HUMBLE_TYPE =
      MessageType.of("rmw_dds_common/HumbleParticipantEntitiesInfo", ParticipantEntitiesInfo.class);
}
