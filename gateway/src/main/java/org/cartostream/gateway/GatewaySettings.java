package org.cartostream.gateway;

import org.cartostream.settings.Setting;

/** Settings of a gateway: credit, time-outs, and the backlog of a live robot. */
public record GatewaySettings(
    @Setting(
            value = "2",
            min = 1,
            max = 1000,
            description = "Readings of a robot that may be unanswered at a time.")
        int creditReadings,
    @Setting(
            value = "60",
            unit = "s",
            min = 1,
            max = 86400,
            description =
                "A replay gives up when no answer has come for as long, and so does a gateway that"
                    + " was told to end. A replay waits ten times as long in an outage of the broker,"
                    + " and while Storm's Nimbus has its topology. A robot that drives waits. One"
                    + " that stands still sends its last reading again as often: less than"
                    + " topology.robotTimeoutSeconds.")
        int answerTimeoutSeconds,
    @Setting(
            value = "50",
            min = 1,
            max = 100_000,
            description =
                "While the service answers, so many key frames of a live robot may wait for it;"
                    + " when there are more, it is too slow, and every second is left out.")
        int waitingKeyFrames,
    @Setting(
            value = "64",
            unit = "MB",
            min = 1,
            max = 100_000,
            description =
                "While the service cannot be reached, a live robot's key frames wait in a file of"
                    + " this size; when it is full, every second is left out. Readings that were"
                    + " sent and are in no checkpoint of the service take as much in memory; when"
                    + " they are more, the oldest go, and the service cannot ask for them.")
        int backlogMegabytes,
    @Setting(
            value = "",
            description =
                "Name or address at which the gateway of a live robot shows its figures (/metrics)"
                    + " and its health (/health/live, /health/ready); empty for nowhere. Whoever"
                    + " reaches it can read them.")
        String metricsHost,
    @Setting(
            value = "0",
            min = 0,
            max = 65_435,
            description =
                "The port for that, or the next one that is free. 0 for any; the log says which.")
        int metricsPort,
    @Setting(
            value = "false",
            description =
                "A mapping replay asks the laser whether the robot still stands where odometry says,"
                    + " and searches for it in the map so far if it was carried. Right on the logs of"
                    + " office, intel, aces and simbad-640; in the 250 m of killian, whose corridors"
                    + " look alike, it finds robots that nobody has carried.")
        boolean searchCarried) {

  /** Creates settings of a gateway without a metrics page. */
  public GatewaySettings(
      int creditReadings, int answerTimeoutSeconds, int waitingKeyFrames, int backlogMegabytes) {
    this(creditReadings, answerTimeoutSeconds, waitingKeyFrames, backlogMegabytes, "", 0, false);
  }
}
