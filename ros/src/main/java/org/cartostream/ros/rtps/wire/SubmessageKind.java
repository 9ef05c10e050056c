package org.cartostream.ros.rtps.wire;

/** Submessages' numbers on the wire (9.4.5.1.1). */
final class SubmessageKind {

  static final int PAD = 0x01;
  static final int ACKNACK = 0x06;
  static final int HEARTBEAT = 0x07;
  static final int GAP = 0x08;
  static final int INFO_TS = 0x09;
  static final int INFO_SRC = 0x0c;
  static final int INFO_DST = 0x0e;
  static final int NACK_FRAG = 0x12;
  static final int HEARTBEAT_FRAG = 0x13;
  static final int DATA = 0x15;
  static final int DATA_FRAG = 0x16;

  private SubmessageKind() {}
}
