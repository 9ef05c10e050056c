package org.cartostream.ros.rtps.discovery;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.rtps.endpoint.Sample;
import org.cartostream.ros.rtps.wire.Guid;
import org.cartostream.ros.rtps.wire.Locators;
import org.cartostream.ros.rtps.wire.MalformedPacketException;
import org.cartostream.ros.rtps.wire.ParameterList;
import org.cartostream.ros.rtps.wire.RtpsDuration;
import org.cartostream.ros.serialization.WireWriter;

/**
 * Description of a participant, as it announces itself again and again (8.5.3, SPDP).
 *
 * @param domain number of the domain; -1 if not announced
 * @param leaseNanos lease duration, nanoseconds: after a silence of this length the participant
 *     counts as gone
 * @param builtins bit set of its endpoints for discovery (9.3.2.12)
 * @param discovery addresses for discovery
 * @param user addresses for topics
 */
public record ParticipantData(
    Guid guid,
    int domain,
    long leaseNanos,
    int builtins,
    List<InetSocketAddress> discovery,
    List<InetSocketAddress> user) {

  /**
   * Lease of a participant that announces none (9.6.2.2.2, table 9.14), and maximum of all leases:
   * a participant that was silent for longer is found again by its next announcement.
   */
  private static final long DEFAULT_LEASE_NANOS = TimeUnit.SECONDS.toNanos(100);

  private static final int VERSION_2_3 = 0x0302;

  /** User data by which ROS 2 announces the default enclave, without security. */
  private static final String ENCLAVE = "enclave=/;";

  /**
   * Bits of all endpoints for discovery: participants, publications and subscriptions, writer and
   * reader each.
   */
  public static final int ALL_BUILTINS = 0x3f;

  public static final int PUBLICATIONS_WRITER = 1 << 2;
  public static final int PUBLICATIONS_READER = 1 << 3;
  public static final int SUBSCRIPTIONS_WRITER = 1 << 4;
  public static final int SUBSCRIPTIONS_READER = 1 << 5;

  /** Reads the description in a sample's payload. */
  public static ParticipantData read(byte[] payload) {
    ParameterList list = ParameterList.ofPayload(payload);
    return new ParticipantData(
        guid(list),
        list.number(ParameterIds.DOMAIN_ID).orElse(-1),
        Math.min(
            list.duration(ParameterIds.LEASE_DURATION).orElse(DEFAULT_LEASE_NANOS),
            DEFAULT_LEASE_NANOS),
        list.number(ParameterIds.BUILTIN_ENDPOINT_SET).orElse(0),
        Locators.all(list, ParameterIds.METATRAFFIC_UNICAST_LOCATOR),
        Locators.all(list, ParameterIds.DEFAULT_UNICAST_LOCATOR));
  }

  private static Guid guid(ParameterList list) {
    return list.guid(ParameterIds.PARTICIPANT_GUID)
        .orElseThrow(() -> new MalformedPacketException("a participant without an identity"));
  }

  /**
   * Returns the payload of a sample that announces the participant.
   *
   * @param name name of the participant, for people
   */
  public byte[] payload(String name) {
    byte[] enclave = ENCLAVE.getBytes(StandardCharsets.UTF_8);
    WireWriter userData = new WireWriter();
    userData.room(Integer.BYTES + enclave.length).putInt(enclave.length).put(enclave);
    ParameterList list =
        new ParameterList()
            .add(ParameterIds.PROTOCOL_VERSION, VERSION_2_3)
            .add(ParameterIds.VENDOR_ID, 0)
            .add(ParameterIds.PARTICIPANT_GUID, guid.bytes())
            .add(ParameterIds.DOMAIN_ID, domain)
            .add(ParameterIds.BUILTIN_ENDPOINT_SET, builtins)
            .add(ParameterIds.LEASE_DURATION, RtpsDuration.of(leaseNanos))
            .add(ParameterIds.USER_DATA, userData.bytes())
            .add(ParameterIds.ENTITY_NAME, name);
    discovery.forEach(
        each -> list.add(ParameterIds.METATRAFFIC_UNICAST_LOCATOR, Locators.bytes(each)));
    user.forEach(each -> list.add(ParameterIds.DEFAULT_UNICAST_LOCATOR, Locators.bytes(each)));
    return list.payload();
  }

  /** Returns the payload of a sample with only the key of a participant. */
  public static byte[] key(Guid guid) {
    return new ParameterList().add(ParameterIds.PARTICIPANT_GUID, guid.bytes()).payload();
  }

  /** Returns the inline QoS of a sample that announces the end of a participant. */
  public static ParameterList end(Guid guid) {
    return Sample.end().add(ParameterIds.KEY_HASH, guid.bytes());
  }
}
