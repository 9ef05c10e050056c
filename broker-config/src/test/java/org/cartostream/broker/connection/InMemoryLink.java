package org.cartostream.broker.connection;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.ShutdownSignalException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.broker.names.QueueArguments;

/**
 * A {@link BrokerLink} to an {@link InMemoryBroker}. What it sends has arrived at once, or is
 * refused by a full queue; only what it is given after it broke stays unconfirmed.
 */
final class InMemoryLink implements BrokerLink {

  private final InMemoryBroker broker;
  private final String party;
  private final ExecutorService deliveries;
  private final Outbox outbox;
  private final List<Outbox.OutboundMessage> unconfirmed = new ArrayList<>();
  private final AtomicReference<String> broken = new AtomicReference<>();

  InMemoryLink(InMemoryBroker broker, String party, ExecutorService deliveries, Outbox outbox) {
    this.broker = broker;
    this.party = party;
    this.deliveries = deliveries;
    this.outbox = outbox;
  }

  String party() {
    return party;
  }

  /** Waits until its receivers have dealt with all that they were given until now. */
  void awaitDeliveries() throws InterruptedException {
    CountDownLatch dealtWith = new CountDownLatch(1);
    deliveries.execute(dealtWith::countDown);
    dealtWith.await();
  }

  @Override
  public String breakReason() {
    return broken.get();
  }

  @Override
  public void breakWith(String why) {
    broken.compareAndSet(null, why);
  }

  @Override
  public boolean hasRefused() {
    return false;
  }

  @Override
  public boolean hasRefusedItsSize() {
    return false;
  }

  @Override
  public void send(Outbox.OutboundMessage outboundMessage) {
    BrokerNames.Route route = outboundMessage.route();
    synchronized (broker) {
      if (breakReason() != null) {
        unconfirmed.add(outboundMessage);
      } else if (broker.publish(
          new InMemoryQueue.Message(
              route.exchange(), route.routingKey(), outboundMessage.frame(), route.certain()))) {
        outbox.confirmed(List.of(outboundMessage));
      } else {
        outbox.rejected(List.of(outboundMessage));
      }
    }
  }

  @Override
  public List<Outbox.OutboundMessage> takeUnconfirmed() {
    synchronized (broker) {
      List<Outbox.OutboundMessage> outboundMessages = List.copyOf(unconfirmed);
      unconfirmed.clear();
      return outboundMessages;
    }
  }

  @Override
  public List<String> declareAnswers(String robot) throws IOException {
    synchronized (broker) {
      checkOpen();
      String certain = BrokerNames.certainQueue(robot);
      String latest = BrokerNames.latestQueue(robot);
      broker.declare(certain, BrokerNames.CERTAIN_QUEUE_LENGTH, QueueArguments.Overflow.REFUSE_NEW);
      broker.declare(latest, BrokerNames.LATEST_QUEUE_LENGTH, QueueArguments.Overflow.DROP_OLDEST);
      for (BrokerNames.Answer answer : BrokerNames.Answer.values()) {
        String queue = answer.certain() ? certain : latest;
        broker.bind(BrokerNames.ANSWERS, answer.keyTo(robot), queue);
      }
      return List.of(certain, latest);
    }
  }

  @Override
  public void consume(
      String queue, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException {
    consume(queue, true, prefetch, reader, receiver);
  }

  @Override
  public void consumeReadings(
      String service, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException {
    consume(BrokerNames.serviceQueue(service), false, prefetch, reader, receiver);
  }

  @Override
  public void deleteReadings(String service) throws IOException {
    delete(List.of(BrokerNames.serviceQueue(service)));
  }

  private void consume(
      String name, boolean alone, int prefetch, QueueConsumer.FrameReader reader, Receiver receiver)
      throws IOException {
    Semaphore ofPieces = QueueConsumer.receiptsOfPieces(prefetch);
    InMemoryQueue.Sink sink =
        (message, receipt) ->
            deliveries.execute(
                () ->
                    QueueConsumer.handOver(
                        message.frame(),
                        message.exchange(),
                        message.routingKey(),
                        reader,
                        receiver,
                        receipt,
                        ofPieces));
    synchronized (broker) {
      checkOpen();
      InMemoryQueue queue = broker.queue(name);
      if (queue == null) {
        throw refusal(AMQP.NOT_FOUND, "NOT_FOUND - no queue '" + name + "'");
      }
      if (!queue.consume(this, alone, prefetch, sink)) {
        throw refusal(
            AMQP.ACCESS_REFUSED, "ACCESS_REFUSED - queue '" + name + "' in exclusive use");
      }
    }
  }

  @Override
  public void delete(List<String> queues) throws IOException {
    synchronized (broker) {
      checkOpen();
      for (String name : queues) {
        InMemoryQueue queue = broker.queue(name);
        if (queue != null) {
          queue.release(this); // Before it goes, which would look like a fault.
          broker.delete(name);
        }
      }
    }
  }

  @Override
  public void close() {
    broker.disconnect(this, "it was closed");
  }

  private void checkOpen() throws IOException {
    if (breakReason() != null) {
      throw new IOException(breakReason());
    }
  }

  /** As the AMQP client throws it: the broker closes the channel, and so the link is broken. */
  private IOException refusal(int code, String text) {
    broker.disconnect(this, text);
    AMQP.Channel.Close close =
        new AMQP.Channel.Close.Builder()
            .replyCode(code)
            .replyText(text)
            .classId(0)
            .methodId(0)
            .build();
    return new IOException(new ShutdownSignalException(false, false, close, this));
  }
}
