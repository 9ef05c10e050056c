package org.cartostream.collectives.operation;

import java.util.Map;
import org.cartostream.settings.Setting;
import org.cartostream.settings.Settings;

/** Timeouts and size limits of a group's members. */
public record CollectiveSettings(
    @Setting(
            value = "10000",
            unit = "ms",
            min = 20,
            max = 3600000,
            description =
                "A member that is missing for so long ends the call of every other one with an"
                    + " error.")
        int timeoutMillis,
    @Setting(
            value = "65536",
            unit = "bytes",
            min = 8,
            max = 16000000,
            description =
                "Payloads that go from member to member travel in parts of this size, and so do those"
                    + " that are fetched.")
        int partBytes,
    @Setting(
            value = "8388608",
            unit = "bytes",
            min = 8,
            max = 16000000,
            description =
                "Largest payload of one message; one that is larger is announced, and fetched in"
                    + " parts. A broker must take messages of this size and some kilobytes:"
                    + " RabbitMQ 4 takes 16777216 bytes unless configured otherwise.")
        int maxFrameBytes,
    @Setting(
            value = "1073741824",
            unit = "bytes",
            min = 1024,
            max = 2147483639,
            description =
                "Largest payload from one member to another in one call; the largest possible is"
                    + " Java's largest array.")
        int maxPayloadBytes,
    @Setting(
            value = "268435456",
            unit = "bytes",
            min = 1024,
            max = 17179869184.0,
            description =
                "Bytes that may wait at a member for its call, and as many on the way to each other"
                    + " member; what comes beyond ends the call that it belongs to.")
        long maxWaitingBytes,
    @Setting(
            value = "33554432",
            unit = "bytes",
            min = 0,
            max = 17179869184.0,
            description = "Bytes of arrays given back that a member keeps for what comes next.")
        long maxPooledBytes,
    @Setting(
            value = "5000",
            unit = "ms",
            min = 10,
            max = 600000,
            description =
                "Time for another member to accept a connection; so long, too, waits what is sent"
                    + " while a broker is away.")
        int connectTimeoutMillis,
    @Setting(
            value = "10000",
            min = 1,
            max = 1000000,
            description =
                "Robots of which a member keeps the epoch; the messages of more are dropped.")
        int maxRobots) {

  /**
   * Minimum of the frame limit, bytes: however small the parts are, a frame must hold an error's
   * sentence or a group's name.
   */
  private static final int MIN_FRAME_BYTES = 1 << 16;

  /** Returns the settings with all defaults. */
  public static CollectiveSettings defaults() {
    return Settings.defaults(CollectiveSettings.class);
  }

  /**
   * Returns the largest payload of a frame, bytes, whether the frame brings a part, an offer, an
   * error or a handshake.
   */
  public int frameLimitBytes() {
    return Math.max(MIN_FRAME_BYTES, Math.max(maxFrameBytes, partBytes));
  }

  /** Returns a copy with another timeout. */
  public CollectiveSettings withTimeoutMillis(int other) {
    return Settings.with(this, Map.of("timeoutMillis", Integer.toString(other)));
  }
}
