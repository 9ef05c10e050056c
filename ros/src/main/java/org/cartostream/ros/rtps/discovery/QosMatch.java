package org.cartostream.ros.rtps.discovery;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.wire.PacketReader;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.RtpsDuration;

/**
 * Compatibility of a writer's offered QoS with a reader's requested QoS (DDS 1.4, 2.2.3; XTypes
 * 1.3, 7.6.3.1), with the reason if they do not match. Endpoints of this program have the default
 * of every QoS but those of {@link TopicQos}.
 */
public final class QosMatch {

  /** Identifier of CDR version 1, the only data representation that this program supports. */
  static final int XCDR1 = 0;

  private static final int BOUNDED = 256;

  private QosMatch() {}

  /** Returns why a remote writer does not match a local reader; empty if it does. */
  public static Optional<String> reading(TopicQos requested, EndpointData writer) {
    ParameterList offered = writer.parameters();
    if (requested.reliable() && !writer.isReliable(true)) {
      return because("publishes by best effort, and reliable delivery is needed");
    }
    if (requested.latched() && !writer.isTransientLocal()) {
      return because("publishes volatile, and transient_local is needed");
    }
    List<Integer> representations = representations(offered);
    if (representations.get(0) != XCDR1) {
      return because("publishes in XCDR2, and only version 1 of CDR (XCDR1) can be read");
    }
    return common(offered);
  }

  /** Returns why a remote reader does not match a local writer; empty if it does. */
  public static Optional<String> writing(TopicQos offered, EndpointData reader) {
    ParameterList requested = reader.parameters();
    if (reader.isReliable(false) && !offered.reliable()) {
      return because("asks for reliable delivery, and best effort is offered");
    }
    if (reader.durability() > (offered.latched() ? 1 : 0)) {
      return because(
          "asks for durability "
              + (reader.isTransientLocal() && reader.durability() == 1
                  ? "transient_local, and volatile"
                  : "beyond transient_local, and less")
              + " is offered");
    }
    if (!representations(requested).contains(XCDR1)) {
      return because("reads XCDR2 only, and version 1 of CDR (XCDR1) is offered");
    }
    if (requested.duration(ParameterIds.DEADLINE).orElse(RtpsDuration.INFINITE)
        != RtpsDuration.INFINITE) {
      return because("asks for a deadline, and none is offered");
    }
    if (requested.number(ParameterIds.LIVELINESS).orElse(0) != 0
        || requested.durationAfterKind(ParameterIds.LIVELINESS).orElse(RtpsDuration.INFINITE)
            != RtpsDuration.INFINITE) {
      return because("asks for liveliness within a time, and automatic without one is offered");
    }
    if (requested.number(ParameterIds.DESTINATION_ORDER).orElse(0) != 0
        || requested.number(ParameterIds.PRESENTATION).orElse(0) != 0) {
      return because("asks for an order of samples (presentation, destination order) beyond one's");
    }
    return common(requested);
  }

  private static Optional<String> common(ParameterList other) {
    if (other.number(ParameterIds.OWNERSHIP).orElse(0) != 0) {
      return because("has exclusive ownership, and shared is needed");
    }
    boolean inDefault =
        other.first(ParameterIds.PARTITION).map(QosMatch::isDefaultPartition).orElse(true);
    return inDefault ? Optional.empty() : because("is in a partition, and none is used here");
  }

  private static boolean isDefaultPartition(ByteBuffer value) {
    return PacketReader.bounded(
        () -> {
          int count = Math.min(BOUNDED, value.getInt());
          boolean found = count <= 0;
          for (int i = 0; i < count && !found; i++) {
            String name = ParameterList.text(value);
            found = name.isEmpty() || name.equals("*");
            value.position(Math.min(value.limit(), (value.position() + 3) / 4 * 4));
          }
          return found;
        });
  }

  /** Returns the data representations in the order of preference; never empty. */
  private static List<Integer> representations(ParameterList parameters) {
    List<Integer> all = new ArrayList<>();
    parameters
        .first(ParameterIds.DATA_REPRESENTATION)
        .ifPresent(
            value ->
                PacketReader.bounded(
                    () -> {
                      int count = Math.min(BOUNDED, value.getInt());
                      for (int i = 0; i < count; i++) {
                        all.add((int) value.getShort());
                      }
                      return null;
                    }));
    return all.isEmpty() ? List.of(XCDR1) : all;
  }

  private static Optional<String> because(String sentence) {
    return Optional.of(sentence);
  }
}
