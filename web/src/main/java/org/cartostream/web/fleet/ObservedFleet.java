package org.cartostream.web.fleet;

import java.util.HashMap;
import java.util.Map;
import org.cartostream.broker.RefusedMessageException;
import org.cartostream.broker.connection.BrokerListener;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Observer of a service's robots and processes, which shows them on a page as their messages come.
 * Owns what it has put together of each robot's answers. Robots beyond {@link ShownRuns#MAX} are
 * not shown, and the log says so.
 */
public final class ObservedFleet implements Receiver, BrokerListener {

  private static final Logger LOG = LoggerFactory.getLogger(ObservedFleet.class);

  private final ShownRuns runs;
  private final Supervision supervision;
  private final Map<String, ResponseTranslator> translators = new HashMap<>();
  private boolean isFull;

  public ObservedFleet(ShownRuns runs, Supervision supervision) {
    this.runs = runs;
    this.supervision = supervision;
  }

  @Override
  public synchronized void received(Envelope envelope, Receipt receipt) {
    receipt.acknowledge();
    if (envelope.body() instanceof WorkerMessage worker) {
      supervision.heard(worker);
      return;
    }
    if (envelope.body() instanceof DroppedMessage) {
      return; // Its run may never begin.
    }
    ResponseTranslator translator =
        translators.computeIfAbsent(
            envelope.robot(), robot -> runs.add(robot).map(ResponseTranslator::new).orElse(null));
    if (translator == null) {
      sayFull(envelope.robot());
      return;
    }
    try {
      translator.take(envelope);
    } catch (RefusedMessageException e) {
      refused(e.why());
    }
  }

  private void sayFull(String robot) {
    if (!isFull) {
      LOG.warn("robot {} and others are not shown: there are {} already", robot, ShownRuns.MAX);
    }
    isFull = true;
  }

  @Override
  public void refused(Refusal.Reason why) {
    LOG.warn("a message of the service cannot be read: {}", why);
  }

  @Override
  public void onDown(String why) {
    runs.all().forEach((ObservedRun each) -> each.link(why));
    supervision.deaf(why);
  }

  @Override
  public void onUp() {
    runs.all().forEach((ObservedRun each) -> each.link(""));
    supervision.hearing();
  }
}
