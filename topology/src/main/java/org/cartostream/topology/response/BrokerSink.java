package org.cartostream.topology.response;

import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.Envelope;
import org.cartostream.topology.task.RateLimitedLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sink that sends answers to robots through the broker. Answers that it does not accept, because it
 * has been away for long, are dropped with a warning.
 *
 * <p>Owns the connection to the broker.
 */
public final class BrokerSink implements ResponseSender.EnvelopeSink, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(BrokerSink.class);

  private final BrokerConnection broker;
  private final RateLimitedLog dropped = new RateLimitedLog(System.nanoTime());

  public BrokerSink(BrokerSettings settings) {
    broker = BrokerConnection.open(settings, "service, answers", BrokerListener.NONE);
  }

  @Override
  public void send(Envelope envelope) {
    try {
      if (!broker.publish(envelope)) {
        dropped.record(
            System.nanoTime(),
            count -> LOG.warn("the broker does not take answers; {} dropped so far", count));
      }
    } catch (RefusedMessageException e) {
      LOG.warn("an answer to {} cannot be sent: {}", envelope.robot(), e.getMessage());
    }
  }

  @Override
  public void close() {
    broker.close();
  }
}
