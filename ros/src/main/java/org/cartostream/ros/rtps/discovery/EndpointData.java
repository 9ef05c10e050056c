package org.cartostream.ros.rtps.discovery;

import java.net.InetSocketAddress;
import java.util.List;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.rtps.endpoint.Sample;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.Locators;
import org.cartostream.ros.rtps.wire.MalformedPacketException;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.RtpsDuration;

/**
 * Description of a writer or reader, as its participant announces it (8.5.4, SEDP).
 *
 * @param topic DDS name of the topic, such as {@code rt/scan}
 * @param type DDS name of the type, such as {@code sensor_msgs::msg::dds_::LaserScan_}
 * @param addresses addresses of the endpoint; if empty, those of its participant
 * @param parameters all announced parameters, with the QoS
 */
public record EndpointData(
    Guid guid,
    String topic,
    String type,
    List<InetSocketAddress> addresses,
    ParameterList parameters) {

  static final int BEST_EFFORT = 1;
  static final int RELIABLE = 2;
  static final int VOLATILE = 0;
  static final int TRANSIENT_LOCAL = 1;

  private static final int KEEP_LAST = 0;

  /**
   * Announced maximum blocking time of a writer, nanoseconds; writers of this program never block.
   */
  private static final long BLOCKING_NANOS = 100_000_000;

  private static final int VERSION_2_3 = 0x0302;

  /** Reads the description in a sample's payload. */
  public static EndpointData read(byte[] payload) {
    ParameterList list = ParameterList.ofPayload(payload);
    return new EndpointData(
        list.guid(ParameterIds.ENDPOINT_GUID).orElseThrow(EndpointData::incomplete),
        list.text(ParameterIds.TOPIC_NAME).orElseThrow(EndpointData::incomplete),
        list.text(ParameterIds.TYPE_NAME).orElseThrow(EndpointData::incomplete),
        Locators.all(list, ParameterIds.UNICAST_LOCATOR),
        list);
  }

  /** Returns the identity of the endpoint that a sample describes; a key suffices. */
  public static Guid guid(Sample sample) {
    return sample
        .inlineQos()
        .guid(ParameterIds.KEY_HASH)
        .or(() -> ParameterList.ofPayload(sample.payload()).guid(ParameterIds.ENDPOINT_GUID))
        .orElseThrow(EndpointData::incomplete);
  }

  private static MalformedPacketException incomplete() {
    return new MalformedPacketException("an endpoint without identity, topic or type");
  }

  /**
   * Returns the payload of a sample that announces an endpoint of this participant, in plain CDR of
   * version 1.
   */
  public static byte[] payload(Guid guid, String topic, String type, TopicQos qos) {
    int[] blocking = RtpsDuration.of(BLOCKING_NANOS);
    return new ParameterList()
        .add(ParameterIds.PROTOCOL_VERSION, VERSION_2_3)
        .add(ParameterIds.VENDOR_ID, 0)
        .add(ParameterIds.ENDPOINT_GUID, guid.bytes())
        .add(ParameterIds.TOPIC_NAME, topic)
        .add(ParameterIds.TYPE_NAME, type)
        .add(
            ParameterIds.RELIABILITY,
            qos.reliable() ? RELIABLE : BEST_EFFORT,
            blocking[0],
            blocking[1])
        .add(ParameterIds.DURABILITY, qos.latched() ? TRANSIENT_LOCAL : VOLATILE)
        .add(ParameterIds.HISTORY, KEEP_LAST, qos.depth())
        .add(ParameterIds.DATA_REPRESENTATION, 1, QosMatch.XCDR1)
        .payload();
  }

  /** Returns the approximate memory of the description, bytes. */
  public long bytes() {
    return parameters.memory() + Character.BYTES * (long) (topic.length() + type.length());
  }

  /**
   * Returns true if the endpoint is reliable. If it does not announce its reliability, a writer is
   * reliable and a reader is not (DDS 1.4, 2.2.3).
   */
  public boolean isReliable(boolean isWriter) {
    return parameters
        .number(ParameterIds.RELIABILITY)
        .map(kind -> kind == RELIABLE)
        .orElse(isWriter);
  }

  /**
   * True if the endpoint is transient local: a writer keeps samples for later readers, a reader
   * wants earlier samples.
   */
  public boolean isTransientLocal() {
    return durability() >= TRANSIENT_LOCAL;
  }

  /** True if the endpoint announces the hash of its type, as ROS 2 does since Iron (REP 2016). */
  public boolean hasTypeHash() {
    return parameters.text(ParameterIds.USER_DATA).orElse("").contains("typehash=");
  }

  int durability() {
    return parameters.number(ParameterIds.DURABILITY).orElse(VOLATILE);
  }
}
