package org.cartostream.broker.connection;

import java.util.Map;
import java.util.regex.Pattern;
import org.cartostream.settings.Setting;
import org.cartostream.settings.Settings;

/** Settings of a connection to the broker. The user and password in the URI are never shown. */
public record BrokerSettings(
    @Setting(
            value = "",
            description =
                "The broker's address, amqp(s)://user:password@host:port/vhost; empty for the"
                    + " embedded broker. User and password may come from the environment instead:"
                    + " CARTOSTREAM_BROKER_USER, and a file that CARTOSTREAM_BROKER_PASSWORD_FILE"
                    + " names or, without one, CARTOSTREAM_BROKER_PASSWORD.")
        String uri,
    @Setting(
            value = "10",
            unit = "s",
            min = 1,
            max = 3600,
            description =
                "AMQP heartbeat; a broker that is silent for twice as long is taken as gone.")
        int heartbeatSeconds,
    @Setting(
            value = "10",
            unit = "s",
            min = 1,
            max = 600,
            description = "Maximum time for the broker to accept a connection.")
        int connectTimeoutSeconds,
    @Setting(
            value = "67108864",
            unit = "bytes",
            min = 65536,
            max = 67108864,
            description =
                "Largest message sent or accepted; the default is enough for a map of 500 m square."
                    + " It crosses the broker in pieces of 64 kB; a broker that does not take these"
                    + " (RabbitMQ's max_message_size) drops it.")
        int maxMessageBytes,
    @Setting(
            value = "200",
            unit = "ms",
            min = 1,
            max = 60000,
            description = "First pause before connecting again after an outage; doubled each time.")
        int minReconnectMillis,
    @Setting(
            value = "5000",
            unit = "ms",
            min = 1,
            max = 600000,
            description = "Longest pause between two attempts to connect again.")
        int maxReconnectMillis,
    @Setting(
            value = "10000",
            min = 10,
            max = 1000000,
            description =
                "Maximum number of messages kept until the broker confirms them; beyond it no more"
                    + " are accepted, and beyond half of it no poses and maps.")
        int outboxMessages,
    @Setting(
            value = "268435456",
            unit = "bytes",
            min = 1048576,
            max = 17179869184.0,
            description =
                "Maximum size of the messages that broker.outboxMessages limits by number.")
        long outboxBytes,
    @Setting(
            value = "service",
            description =
                "Name of the service that the readings are for: letters, digits, - and _. A replay"
                    + " brings its own service, with a name of its own.")
        String service,
    @Setting(
            value = "",
            description =
                "Folder with ca.pem, and with certificate.pem and key.pem to show the broker, for"
                    + " amqps://; empty for CARTOSTREAM_BROKER_TLS or, without that, what the JVM"
                    + " trusts.")
        String tls) {

  private static final Pattern SERVICE = Pattern.compile("[A-Za-z0-9_-]{1,80}");

  public BrokerSettings {
    if (!uri.isEmpty()) {
      BrokerAddress.of(uri, Map.of());
    }
    if (!SERVICE.matcher(service).matches()) {
      throw new IllegalArgumentException(
          "'" + service + "' is no service's name: it must be 1 to 80 letters, digits, - or _");
    }
  }

  /** Returns the settings with every default. */
  public static BrokerSettings defaults() {
    return Settings.defaults(BrokerSettings.class);
  }

  /** Returns a copy with another address. */
  public BrokerSettings withUri(String otherUri) {
    return Settings.with(this, Map.of("uri", otherUri));
  }

  /** Returns a copy with another service for the readings. */
  public BrokerSettings withService(String otherService) {
    return Settings.with(this, Map.of("service", otherService));
  }

  /** Returns a copy with the certificates in another folder. */
  public BrokerSettings withTls(String folder) {
    return Settings.with(this, Map.of("tls", folder));
  }

  /** Returns a copy that may be shown: without user and password. */
  public BrokerSettings masked() {
    return withUri(BrokerAddress.mask(uri));
  }

  /** Returns the settings without user and password. */
  @Override
  public String toString() {
    return "BrokerSettings" + Settings.values(withUri(BrokerAddress.mask(uri)));
  }
}
