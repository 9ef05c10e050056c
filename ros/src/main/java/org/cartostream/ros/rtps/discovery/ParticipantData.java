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
 * @param domain -1 if it does not say
 * @param leaseNanos it is gone when nothing has been heard of it for so long
 * @param builtins bits of the endpoints for discovery that it has (9.3.2.12)
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
   * The lease of who does not say (9.6.2.2.2, table 9.14). Nobody has a longer one: whoever is
   * silent for so long is found again by what it announces.
   */
  private static final long DEFAULT_LEASE_NANOS = TimeUnit.SECONDS.toNanos(100);

  private static final int VERSION_2_3 = 0x0302;

  /** Enclave without security, in ROS 2's words. */
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
   * A sample that says it.
   *
   * @param name the participant's, for people
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

  /** A sample's payload that is only the key of a participant. */
  public static byte[] key(Guid guid) {
    return new ParameterList().add(ParameterIds.PARTICIPANT_GUID, guid.bytes()).payload();
  }

  /** Inline QoS of a sample that says that a participant is gone. */
  public static ParameterList end(Guid guid) {
    return Sample.end().add(ParameterIds.KEY_HASH, guid.bytes());
  }
}
