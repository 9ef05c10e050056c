package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.utils.Utils;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.KryoRegistration;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;

/**
 * The links of a {@link Network}, which are as unkind as Storm's may be: what one task writes for
 * another stays in order, all else comes in any order; and everything is serialized.
 */
abstract class Links {

  record Address(String party, int task) {

    static Address of(Class<? extends Component> party, int task) {
      return new Address(Component.nameOf(party), task);
    }
  }

  record Line(Address from, Address to) {}

  record Message(long number, String stream, byte[] bytes) {}

  /** The values of a tuple as its writer or a reader has them, and the bytes that they were. */
  record Held(List<Object> values, byte[] bytes) {}

  /** What happens to a task at a message, before it has handled it. */
  interface Fault {

    /**
     * A task has come to a message.
     *
     * @return true if the task is no more
     */
    boolean ends(Address task, String stream, Payload payload);
  }

  final Random random;
  final KryoValuesSerializer serializer;
  final KryoValuesDeserializer deserializer;
  final Map<Address, StreamPorts<?>> tasks = new LinkedHashMap<>();
  final Map<Line, Queue<Message>> lines = new LinkedHashMap<>();
  final Address robots = new Address("robots", 0);
  final Address dispatcher = Address.of(Component.Dispatcher.class, 0);
  final Map<String, Integer> delivered = new HashMap<>();
  final Map<String, Run> begunRuns = new HashMap<>();

  /** What writers of broadcasts and readers of all messages hold; null if it is not kept. */
  List<Held> held;

  final Map<Address, Long> latestDelivered = new HashMap<>();
  long messages;
  Fault fault = (task, stream, payload) -> false;
  Stream<?, ?, ?> failsAt;
  boolean failed;

  Links(long seed) {
    random = new Random(seed);
    Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    KryoRegistration.registerWithStorm(conf);
    serializer = new KryoValuesSerializer(conf);
    deserializer = new KryoValuesDeserializer(conf);
  }

  /** What tasks do elsewhere, besides handling messages: what of it may be done next. */
  abstract List<Runnable> work();

  /** A robot's latest run, in its latest epoch; null if none has begun. */
  Run run(String robot) {
    return begunRuns.get(robot);
  }

  /** From now on, whoever says something of {@code stream} lacks the memory; null for nobody. */
  void failAt(Stream<?, ?, ?> stream) {
    failsAt = stream;
    failed &= stream == null;
  }

  /** True if somebody has since then. */
  boolean hasFailed() {
    return failed;
  }

  void send(Address from, Stream<?, ?, ?> stream, int to, List<Object> values) {
    if (stream == failsAt) {
      failed = true;
      throw new OutOfMemoryError("in a test");
    }
    if (stream == Streams.RESTORE) {
      Run begun = Stream.payload(values).run();
      begunRuns.put(begun.robot(), begun);
    }
    boolean toEach = stream instanceof Stream.Shared<?, ?, ?> shared && shared.isToEach();
    if (stream instanceof Stream.Direct && to < 0) {
      throw new IllegalArgumentException("Cannot do regular emit to direct stream: " + stream);
    }
    Message message = new Message(messages++, stream.name(), serializer.serialize(values));
    if (toEach) {
      hold(values, message);
    }
    for (Address address : tasks.keySet()) {
      if (tasks.get(address).reads(stream) && (toEach || address.task() == Math.max(to, 0))) {
        lines.computeIfAbsent(new Line(from, address), line -> new ArrayDeque<>()).add(message);
      }
    }
  }

  /** Delivers what is on its way to the readers of {@code stream} from its writers. */
  void deliverAllOf(Stream<?, ?, ?> stream) {
    for (Line line : List.copyOf(lines.keySet())) {
      while (stream.sources().contains(line.from().party())
          && stream.targets().contains(line.to().party())
          && !lines.get(line).isEmpty()) {
        deliverFrom(line);
      }
    }
  }

  /** How much of {@code stream} was delivered so far. */
  int delivered(Stream<?, ?, ?> stream) {
    return delivered.getOrDefault(stream.name(), 0);
  }

  /** True if something of {@code stream} is not delivered yet. */
  boolean isOnItsWay(Stream<?, ?, ?> stream) {
    return !onItsWay(stream).isEmpty();
  }

  /** What of {@code stream} is not delivered yet. */
  <P extends Payload> List<P> onItsWay(Stream<?, ?, P> stream) {
    return lines.values().stream()
        .flatMap(Queue::stream)
        .filter(message -> message.stream().equals(stream.name()))
        .map(message -> Stream.payload(deserializer.deserialize(message.bytes())))
        .map(stream.payload()::cast)
        .toList();
  }

  /** What of {@code stream} is not delivered yet never will be; false if there is nothing. */
  boolean lose(Stream<?, ?, ?> stream) {
    boolean lost = false;
    for (Queue<Message> line : lines.values()) {
      lost |= line.removeIf(message -> message.stream().equals(stream.name()));
    }
    return lost;
  }

  /** What of {@code stream} is not delivered yet never will be to one of the tasks that read it. */
  void lose(Stream<?, ?, ?> stream, int task) {
    lines.forEach(
        (line, queue) -> {
          if (line.to().task() == task) {
            queue.removeIf(message -> message.stream().equals(stream.name()));
          }
        });
  }

  /** Delivers one message of any line, or does one closing; false if there is none. */
  boolean deliverOne() {
    List<Runnable> next = new ArrayList<>();
    lines.forEach(
        (line, queue) -> {
          if (!queue.isEmpty()) {
            next.add(() -> deliverFrom(line));
          }
        });
    next.addAll(work());
    if (next.isEmpty()) {
      return false;
    }
    next.get(random.nextInt(next.size())).run();
    return true;
  }

  /** Delivers so many messages, or all if there are fewer. */
  void deliver(int count) {
    for (int i = 0; i < count; i++) {
      deliverOne();
    }
  }

  void deliverFrom(Line line) {
    Message message = lines.get(line).remove();
    delivered.merge(message.stream(), 1, Integer::sum);
    latestDelivered.merge(line.from(), message.number(), Math::max);
    List<Object> values = deserializer.deserialize(message.bytes());
    hold(values, message);
    if (!fault.ends(line.to(), message.stream(), Stream.payload(values))) {
      tasks.get(line.to()).deliver(message.stream(), values);
    }
  }

  private void hold(List<Object> values, Message message) {
    if (held != null) {
      held.add(new Held(values, message.bytes()));
    }
  }

  /** True if what writers and readers of messages hold is still what was written. */
  boolean isUnchanged(Held each) {
    return Arrays.equals(serializer.serialize(each.values()), each.bytes());
  }

  /** Delivers all that robots have said, and nothing else. */
  void deliverAllFromRobots() {
    Line line = new Line(robots, dispatcher);
    while (!lines.get(line).isEmpty()) {
      deliverFrom(line);
    }
  }

  /** Delivers to one task until nothing is on its way to it, be it from itself. */
  void deliverAllTo(Class<? extends Component> party, int task) {
    Address to = Address.of(party, task);
    boolean more = true;
    while (more) {
      more = false;
      for (Line line : List.copyOf(lines.keySet())) {
        if (line.to().equals(to) && !lines.get(line).isEmpty()) {
          deliverFrom(line);
          more = true;
        }
      }
    }
  }

  /** Delivers until nothing is on its way. */
  void deliverAll() {
    while (deliverOne()) {
      // Each delivery may bring more.
    }
  }

  /** Delivers until nothing is on its way, but loses all of these streams. */
  void deliverAllBut(Stream<?, ?, ?>... lost) {
    do {
      for (Stream<?, ?, ?> stream : lost) {
        lose(stream);
      }
    } while (deliverOne());
  }

  /** A link is cut for a moment: something that was on its way, and all behind it, is lost. */
  void cutLink() {
    List<Line> busy = new ArrayList<>(lines.keySet());
    busy.removeIf(
        line ->
            lines.get(line).isEmpty()
                || line.from().equals(robots)
                || line.from().equals(line.to()));
    if (!busy.isEmpty()) {
      lines.get(busy.get(random.nextInt(busy.size()))).clear();
    }
  }
}
