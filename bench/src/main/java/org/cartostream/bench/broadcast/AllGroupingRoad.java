package org.cartostream.bench.broadcast;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.storm.messaging.ConnectionWithStatus;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.TaskMessage;
import org.apache.storm.messaging.netty.BackPressureStatus;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.utils.Utils;
import org.cartostream.topology.stream.KryoRegistration;

/**
 * Sender and receiver of Storm's all-grouping, to be compared with {@link PlaceRoad}: a tuple is
 * serialized for each task of another process, and goes by Storm's own connections. The queues of
 * tasks are left out, as there.
 */
final class AllGroupingRoad implements BroadcastProcess.MeasuredRoad {

  private static final String TOPOLOGY = "bench";

  private final Context context = new Context();
  private final BroadcastCase all;
  private final int process;
  private final KryoValuesSerializer serializer;
  private final List<IConnection> others = new ArrayList<>();
  private long serializations;

  AllGroupingRoad(
      int process,
      BroadcastCase all,
      List<InetSocketAddress> addresses,
      BroadcastProcess.Arrivals arrivals) {
    this.process = process;
    this.all = all;
    Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    KryoRegistration.registerWithStorm(conf);
    serializer = new KryoValuesSerializer(conf);
    KryoValuesDeserializer deserializer = new KryoValuesDeserializer(conf);
    context.prepare(conf);
    context.bind(
        TOPOLOGY,
        addresses.get(process).getPort(),
        batch ->
            batch.forEach(message -> arrivals.add(deserializer.deserialize(message.message()), 1)),
        () -> new BackPressureStatus(TOPOLOGY, new ArrayList<>(), new ArrayList<>()));
    for (InetSocketAddress other : addresses) {
      AtomicBoolean[] busy = new AtomicBoolean[all.tasks()];
      Arrays.setAll(busy, task -> new AtomicBoolean());
      others.add(context.connect(TOPOLOGY, other.getHostString(), other.getPort(), busy));
    }
  }

  /** Waits until all connections are open, since Storm drops what comes before. */
  @Override
  public void start() throws InterruptedException {
    while (others.stream()
        .map(ConnectionWithStatus.class::cast)
        .anyMatch(other -> other.status() != ConnectionWithStatus.Status.Ready)) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Override
  public void send(List<Object> values) {
    for (int other = 0; other < others.size(); other++) {
      if (other != process) {
        List<TaskMessage> messages = new ArrayList<>();
        for (int task : all.tasksOf(other)) {
          serializations++;
          messages.add(new TaskMessage(task, serializer.serialize(values)));
        }
        others.get(other).send(messages.iterator());
      }
    }
  }

  @Override
  public long serializations() {
    return serializations;
  }

  @Override
  public void close() {
    context.term();
  }
}
