package org.cartostream.gateway;

import org.cartostream.settings.Setting;

/** Settings of a gateway: credit, time-outs, and the backlog of a live robot. */
public record GatewaySettings(
    @Setting(
            value = "2",
            min = 1,
            max = 1000,
            description = "Maximum number of a robot's unanswered readings.")
        int creditReadings,
    @Setting(
            value = "60",
            unit = "s",
            min = 1,
            max = 86400,
            description =
                "Time without an answer after which a replay gives up, and a live robot's gateway"
                    + " that was told to end. A replay waits ten times as long in an outage of the"
                    + " broker, and while Storm's Nimbus has its topology. A robot that drives"
                    + " waits. One that stands sends its last reading again as often: less than"
                    + " topology.robotTimeoutSeconds.")
        int answerTimeoutSeconds,
    @Setting(
            value = "50",
            min = 1,
            max = 100_000,
            description =
                "Maximum number of a live robot's key frames that wait while the service answers;"
                    + " beyond it the service is too slow, and every second one is left out.")
        int waitingKeyFrames,
    @Setting(
            value = "64",
            unit = "MB",
            min = 1,
            max = 100_000,
            description =
                "Size of the file in which a live robot's key frames wait while the service cannot"
                    + " be reached; when it is full, every second one is left out. Also the maximum"
                    + " memory for sent readings that are in no checkpoint of the service; beyond"
                    + " it the oldest are dropped, and the service cannot ask for them.")
        int backlogMegabytes,
    @Setting(
            value = "",
            description =
                "Name or address at which a live robot's gateway serves its metrics to Prometheus"
                    + " (/metrics) and its health (/health/live, /health/ready), to whoever reaches"
                    + " it; empty for none.")
        String metricsHost,
    @Setting(
            value = "0",
            min = 0,
            max = 65_435,
            description =
                "TCP port at gateway.metricsHost, or the next free one; 0 for any (see the log).")
        int metricsPort,
    @Setting(
            value = "true",
            description =
                "Whether it is checked by the laser that a robot that makes a map stands where"
                    + " odometry says; a carried one is searched for in the map so far.")
        boolean searchCarried) {

  /** Creates settings of a gateway without a metrics page. */
  public GatewaySettings(
      int creditReadings, int answerTimeoutSeconds, int waitingKeyFrames, int backlogMegabytes) {
    this(creditReadings, answerTimeoutSeconds, waitingKeyFrames, backlogMegabytes, "", 0, false);
  }
}
