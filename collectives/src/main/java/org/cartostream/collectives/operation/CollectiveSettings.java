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
            description = "Time after which a missing member ends the others' call with an error.")
        int timeoutMillis,
    @Setting(
            value = "65536",
            unit = "bytes",
            min = 8,
            max = 16000000,
            description =
                "Size of the parts in which payloads are fetched that are large, or find no room.")
        int partBytes,
    @Setting(
            value = "8388608",
            unit = "bytes",
            min = 8,
            max = 16000000,
            description =
                "Largest payload of one message; a larger one is announced, and fetched in parts. A"
                    + " broker must accept messages of this size and some kilobytes: RabbitMQ 4"
                    + " accepts 16777216 bytes unless configured otherwise.")
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
                "Maximum size of messages that wait at a member for its call, and of those on the"
                    + " way to each other member. Half of it is the credit of all its senders; what"
                    + " is beyond it waits at the sender, whose call does not end before.")
        long maxWaitingBytes,
    @Setting(
            value = "33554432",
            unit = "bytes",
            min = 0,
            max = 17179869184.0,
            description = "Maximum size of the arrays that a member keeps for reuse.")
        long maxPooledBytes,
    @Setting(
            value = "5000",
            unit = "ms",
            min = 10,
            max = 600000,
            description =
                "Maximum time for another member to accept a connection, and for messages to wait"
                    + " while a broker is away.")
        int connectTimeoutMillis,
    @Setting(
            value = "10000",
            min = 1,
            max = 1000000,
            description =
                "Maximum number of robots known to a member; others' messages are dropped.")
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
