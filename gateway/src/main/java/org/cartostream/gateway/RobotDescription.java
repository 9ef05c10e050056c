package org.cartostream.gateway;

import org.cartostream.broker.RobotId;

/**
 * What the register says of a robot.
 *
 * @param id see {@link RobotId}
 * @param type what it is: {@code log}, {@code ros}, {@code simulated}
 * @param address where its gateway runs: {@code host, process 123}
 * @param version of its gateway
 */
public record RobotDescription(String id, String type, String address, String version) {

  public RobotDescription {
    RobotId.check(id);
  }
}
