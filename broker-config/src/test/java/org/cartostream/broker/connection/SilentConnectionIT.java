package org.cartostream.broker.connection;

import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.broker.local.CuttableProxy;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.testing.Default;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wire that carries nothing for a while and is not cut, as a radio link does it. */
@Default
@Timeout(60)
class SilentConnectionIT {

  private static final Duration SOON = Duration.ofSeconds(30);

  private static final class Heard implements Receiver {

    private final List<Envelope> all = new CopyOnWriteArrayList<>();

    @Override
    public void received(Envelope envelope, Receipt receipt) {
      all.add(envelope);
      receipt.acknowledge();
    }

    @Override
    public void refused(Refusal.Reason why) {
      throw new IllegalStateException(why.toString());
    }
  }

  @Test
  void aSubscriptionThatGotNoAnswerIsMadeOnTheNextLink() throws Exception {
    Heard heard = new Heard();
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        CuttableProxy wire = new CuttableProxy(URI.create(broker.uri()).getPort());
        // First: a broker that has just begun may be too slow for the robot.
        BrokerConnection service =
            open("service", BrokerSettings.defaults().withUri(broker.uri()));
        BrokerConnection robot = open("robot", hasty(broker.uri(), wire.port()))) {
      wire.hold();
      robot.subscribeToAnswers("r1", 10, heard);
      wire.release();
      Envelope answer =
          new Envelope("r1", 1, 1, 1, OutcomeMessage.now(new Outcome.Lost("a task died"), 0));
      await()
          .atMost(SOON)
          .until(
              () -> {
                service.publish(answer);
                return !heard.all.isEmpty();
              });
    }
  }

  private static BrokerSettings hasty(String uri, int port) {
    return Settings.with(
        BrokerSettings.defaults().withUri(uri.replaceFirst(":[0-9]+$", ":" + port)),
        Map.of("connectTimeoutSeconds", "2"));
  }

  private static BrokerConnection open(String party, BrokerSettings settings) {
    return BrokerConnection.open(settings, party, BrokerListener.NONE);
  }
}
