package org.cartostream.ros.rtps.discovery;

/** Ids of the parameters in discovery (DDSI-RTPS 2.3, 9.6.2.2). */
final class ParameterIds {

  static final int LEASE_DURATION = 0x02;
  static final int TOPIC_NAME = 0x05;
  static final int TYPE_NAME = 0x07;
  static final int DOMAIN_ID = 0x0f;
  static final int PROTOCOL_VERSION = 0x15;
  static final int VENDOR_ID = 0x16;
  static final int RELIABILITY = 0x1a;
  static final int LIVELINESS = 0x1b;
  static final int DURABILITY = 0x1d;
  static final int OWNERSHIP = 0x1f;
  static final int PRESENTATION = 0x21;
  static final int DEADLINE = 0x23;
  static final int DESTINATION_ORDER = 0x25;
  static final int PARTITION = 0x29;
  static final int USER_DATA = 0x2c;
  static final int UNICAST_LOCATOR = 0x2f;
  static final int DEFAULT_UNICAST_LOCATOR = 0x31;
  static final int METATRAFFIC_UNICAST_LOCATOR = 0x32;
  static final int HISTORY = 0x40;
  static final int PARTICIPANT_GUID = 0x50;
  static final int BUILTIN_ENDPOINT_SET = 0x58;
  static final int ENDPOINT_GUID = 0x5a;
  static final int ENTITY_NAME = 0x62;
  static final int KEY_HASH = 0x70;
  static final int DATA_REPRESENTATION = 0x73;

  private ParameterIds() {}
}
