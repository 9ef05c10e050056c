package org.cartostream.web.fleet;

import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.web.supervision.Supervision;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receiver of workers' heartbeats from a broker. It hands them to a {@link Supervision}, and also
 * tells it when the broker cannot be reached.
 */
public final class ObservedWorkers implements Receiver, BrokerListener {

  private static final Logger LOG = LoggerFactory.getLogger(ObservedWorkers.class);

  private final Supervision supervision;

  public ObservedWorkers(Supervision supervision) {
    this.supervision = supervision;
  }

  @Override
  public void received(Envelope envelope, Receipt receipt) {
    receipt.acknowledge();
    if (envelope.body() instanceof WorkerMessage worker) {
      supervision.heard(worker);
    }
  }

  @Override
  public void refused(Refusal.Reason why) {
    LOG.warn("a message of the service cannot be read: {}", why);
  }

  @Override
  public void onDown(String why) {
    supervision.deaf(why);
  }

  @Override
  public void onUp() {
    supervision.hearing();
  }
}
