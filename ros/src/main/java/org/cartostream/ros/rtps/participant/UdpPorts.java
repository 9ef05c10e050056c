package org.cartostream.ros.rtps.participant;

import org.cartostream.ros.RosException;

/** UDP ports of a domain (9.6.1.1), with the specification's own parameters. */
final class UdpPorts {

  /**
   * Greatest number of a domain whose ports are below 65536, with 120 participants on a computer.
   */
  static final int GREATEST_DOMAIN = 232;

  /**
   * Number of participants on a computer whose ports are tried by unicast discovery, as in ROS 2.
   */
  static final int PARTICIPANTS = 32;

  private static final int BASE = 7400;
  private static final int DOMAIN_GAIN = 250;
  private static final int PARTICIPANT_GAIN = 2;
  private static final int UNICAST_OFFSET = 10;

  private UdpPorts() {}

  static int check(int domain) {
    if (domain < 0 || domain > GREATEST_DOMAIN) {
      throw new RosException(
          "domain " + domain + " is none; one is 0 to " + GREATEST_DOMAIN + " (ROS_DOMAIN_ID)");
    }
    return domain;
  }

  /** Returns the port of multicast announcements. */
  static int multicast(int domain) {
    return BASE + DOMAIN_GAIN * domain;
  }

  /** Returns the port of unicast discovery of a computer's participant. */
  static int unicast(int domain, int participant) {
    return multicast(domain) + UNICAST_OFFSET + PARTICIPANT_GAIN * participant;
  }
}
