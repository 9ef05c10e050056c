package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.utils.Utils;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.publish.AnswerSender;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;

/**
 * All bolts in one thread, joined by a network that is as unkind as Storm may be: what one task
 * writes for another stays in order, all else comes in any order; and everything is serialized. A
 * path's loops are closed between any two deliveries, unless closings are held. Time is the
 * network's own: it passes by {@link #tick} and {@link #standStill} only.
 */
final class Network implements AutoCloseable {

  private record Address(String party, int task) {}

  /** From where speaks who has a successor. */
  private static final Address OUSTED = new Address("ousted", 0);

  private record Line(Address from, Address to) {}

  private record Message(long number, String stream, byte[] bytes) {}

  private final Random random;
  private final int matchers;
  private final AnswerSender.EnvelopeSink envelopeSink;
  private final KryoValuesSerializer serializer;
  private final KryoValuesDeserializer deserializer;
  private final Map<Address, StreamPorts<?>> tasks = new LinkedHashMap<>();
  private final Map<Line, Queue<Message>> lines = new LinkedHashMap<>();
  private final Address robots = new Address(Component.nameOf(Component.Robots.class), 0);
  private final Map<Address, Bolt<?>> bolts = new LinkedHashMap<>();
  private final Map<String, Integer> delivered = new HashMap<>();

  /** What publishers do elsewhere, each one after another. */
  private final Map<Address, Queue<Runnable>> closings = new LinkedHashMap<>();

  private UnaryOperator<RecordedPath> closer = RecordedPath::withLoopsClosed;
  private boolean closingsAreHeld;
  private final Map<Address, Long> latestDelivered = new HashMap<>();
  private long messages;
  private long terms;
  private long nanoTime;
  private StreamPorts<?> cutOff;
  private Stream<?, ?, ?> failsAt;
  private boolean failed;
  private final Map<Integer, Bolt<?>> matcherBolts = new HashMap<>();
  private final String name = "network-" + UUID.randomUUID();

  Network(long seed, ServiceSettings settings, AnswerSender.EnvelopeSink envelopeSink) {
    random = new Random(seed);
    this.envelopeSink = envelopeSink;
    matchers = settings.topology().tasks();
    Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    KryoRegistration.registerWithStorm(conf);
    serializer = new KryoValuesSerializer(conf);
    deserializer = new KryoValuesDeserializer(conf);
    SerializedSettings<ServiceSettings> serializedSettings =
        SerializedSettings.of(ServiceSettings.class, settings);
    for (int task = 0; task < matchers; task++) {
      addMatcher(task, settings);
    }
    addDispatcher(settings, null);
    if (settings.topology().mode() == Mode.DATAFLOW) {
      add(Component.Resampler.class, 0, new ResamplerBolt(serializedSettings));
    }
    for (int task = 0; task < settings.topology().publishers(); task++) {
      addPublisher(task, settings);
    }
  }

  private TaskContext place(int task) {
    return new TaskContext(task, matchers, name, ZooKeeperAccess.plain(""), "127.0.0.1");
  }

  /** The matchers' bolt is whichever the topology has; a new one for each task. */
  @SuppressWarnings("unchecked") // The topology's parties play themselves.
  private void addMatcher(int task, ServiceSettings settings) {
    SerializedSettings<ServiceSettings> serializedSettings =
        SerializedSettings.of(ServiceSettings.class, settings);
    Bolt<Component.Matchers> matcher =
        (Bolt<Component.Matchers>)
            ScanTopology.bolts(settings.topology().mode(), serializedSettings)
                .get(Component.Matchers.class);
    Bolt<?> before = matcherBolts.put(task, matcher);
    if (before != null) {
      before.cleanup();
    }
    add(Component.Matchers.class, task, matcher);
  }

  private void addDispatcher(ServiceSettings settings, RobotRegistryWatch register) {
    DispatcherBolt dispatcher =
        new DispatcherBolt(SerializedSettings.of(ServiceSettings.class, settings));
    StreamPorts<Component.Dispatcher> streamPorts =
        ports(Component.Dispatcher.class, 0, dispatcher);
    dispatcher.wire(streamPorts);
    dispatcher.start(place(0), ++terms, new PauseTolerantClock(() -> nanoTime), register);
  }

  private void addPublisher(int task, ServiceSettings settings) {
    PublisherBolt publisher =
        new PublisherBolt(SerializedSettings.of(ServiceSettings.class, settings));
    StreamPorts<Component.Publisher> streamPorts =
        ports(Component.Publisher.class, task, publisher);
    Queue<Runnable> elsewhere = new ArrayDeque<>();
    closings.put(new Address(Component.nameOf(Component.Publisher.class), task), elsewhere);
    publisher.wire(streamPorts);
    publisher.start(
        place(task),
        envelopeSink,
        new PauseTolerantClock(() -> nanoTime),
        elsewhere::add,
        recordedPath -> closer.apply(recordedPath));
  }

  private <Me extends Component> void add(Class<Me> party, int task, Bolt<Me> bolt) {
    StreamPorts<Me> streamPorts = ports(party, task, bolt);
    bolt.wire(streamPorts);
    bolt.start(place(task));
  }

  private <Me extends Component> StreamPorts<Me> ports(Class<Me> party, int task, Bolt<Me> bolt) {
    Address from = new Address(Component.nameOf(party), task);
    StreamPorts<Me> streamPorts =
        new StreamPorts<>(
            (stream, to, values) ->
                send(bolts.get(from) == bolt ? from : OUSTED, stream, to, values));
    tasks.put(from, streamPorts);
    bolts.put(from, bolt);
    return streamPorts;
  }

  /** From now on, whoever says something of {@code stream} lacks the memory. */
  void failAt(Stream<?, ?, ?> stream) {
    failsAt = stream;
  }

  /** True if somebody has. */
  boolean hasFailed() {
    return failed;
  }

  private void send(Address from, Stream<?, ?, ?> stream, int to, List<Object> values) {
    if (stream == failsAt) {
      failed = true;
      throw new OutOfMemoryError("in a test");
    }
    boolean toEach = stream instanceof Stream.Shared<?, ?, ?> shared && shared.isToEach();
    if (stream instanceof Stream.Direct && to < 0) {
      throw new IllegalArgumentException("Cannot do regular emit to direct stream: " + stream);
    }
    Message message = new Message(messages++, stream.name(), serializer.serialize(values));
    for (Address address : tasks.keySet()) {
      if (address.party().equals(stream.target())
          && (toEach || address.task() == Math.max(to, 0))) {
        lines.computeIfAbsent(new Line(from, address), line -> new ArrayDeque<>()).add(message);
      }
    }
  }

  /** A robot says something. */
  void say(Payload.Arrival arrival) {
    send(robots, Streams.ARRIVALS, StreamOutput.Sink.ANY, Stream.values(arrival, 0));
  }

  /** Says what an envelope from a robot says. */
  void say(Envelope envelope) {
    say(ScanSpout.arrival(envelope));
  }

  /** Whoever writes {@code stream} says something, true or not; to the first task if direct. */
  void say(Stream<?, ?, ?> stream, Payload payload) {
    Address liar = new Address(stream.source(), 0);
    int to = stream instanceof Stream.Direct ? 0 : StreamOutput.Sink.ANY;
    long term = stream.source().equals(Component.nameOf(Component.Dispatcher.class)) ? terms : 0;
    send(liar, stream, to, Stream.values(payload, term));
  }

  /** Delivers what is on its way to the readers of {@code stream} from its writers. */
  void deliverAllOf(Stream<?, ?, ?> stream) {
    for (Line line : List.copyOf(lines.keySet())) {
      while (line.from().party().equals(stream.source())
          && line.to().party().equals(stream.target())
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
    closings.values().stream()
        .filter(queue -> !queue.isEmpty() && !closingsAreHeld)
        .forEach(queue -> next.add(() -> queue.remove().run()));
    if (next.isEmpty()) {
      return false;
    }
    next.get(random.nextInt(next.size())).run();
    return true;
  }

  /** From now on, loops are closed by this. */
  void closeBy(UnaryOperator<RecordedPath> otherCloser) {
    closer = otherCloser;
  }

  /** Closings take for ever, or go on. */
  void holdClosings(boolean held) {
    closingsAreHeld = held;
  }

  /** How many closings have not been done, or found to be of no use any more. */
  int closings() {
    return closings.values().stream().mapToInt(Queue::size).sum();
  }

  /** Delivers so many messages, or all if there are fewer. */
  void deliver(int count) {
    for (int i = 0; i < count; i++) {
      deliverOne();
    }
  }

  private void deliverFrom(Line line) {
    Message message = lines.get(line).remove();
    delivered.merge(message.stream(), 1, Integer::sum);
    latestDelivered.merge(line.from(), message.number(), Math::max);
    tasks.get(line.to()).deliver(message.stream(), deserializer.deserialize(message.bytes()));
  }

  /** Delivers all that robots have said, and nothing else. */
  void deliverAllFromRobots() {
    Line line = new Line(robots, new Address(Component.nameOf(Component.Dispatcher.class), 0));
    while (!lines.get(line).isEmpty()) {
      deliverFrom(line);
    }
  }

  /** Delivers to one task until nothing is on its way to it, be it from itself. */
  void deliverAllTo(Class<? extends Component> party, int task) {
    Address to = new Address(Component.nameOf(party), task);
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

  /** Seconds pass, and in each all arrives that is on its way. */
  void pass(int seconds) {
    for (int second = 0; second < seconds; second++) {
      tick();
      deliverAll();
    }
  }

  /** All bolts stand still for so long, as if their process were stopped; then they go on. */
  void standStill(int seconds) {
    nanoTime += TimeUnit.SECONDS.toNanos(seconds);
  }

  /** A second passes. */
  void tick() {
    nanoTime += TimeUnit.SECONDS.toNanos(Bolt.TICK_SECONDS);
    bolts.values().forEach(Bolt::tick);
  }

  /** What a matcher task has is gone, as after its worker died. */
  void restartMatcher(int task, ServiceSettings settings) {
    addMatcher(task, settings);
  }

  /** A matcher task is gone, and what was on its way to it and from it. */
  void loseMatcher(int task) {
    matcherBolts.remove(task).cleanup();
    lose(new Address(Component.nameOf(Component.Matchers.class), task));
  }

  private void lose(Address address) {
    cut(address);
    tasks.remove(address);
    bolts.remove(address);
    closings.remove(address);
  }

  /** What the dispatcher has is gone, and what was on its way to it and from it. */
  void restartDispatcher(ServiceSettings settings) {
    restartDispatcher(settings, null);
  }

  /** The same, and its successor looks into a register. */
  void restartDispatcher(ServiceSettings settings, RobotRegistryWatch register) {
    cut(new Address(Component.nameOf(Component.Dispatcher.class), 0));
    addDispatcher(settings, register);
  }

  /**
   * The link to the dispatcher's host is cut, and what was on its way is lost; it lives on, and has
   * a successor.
   */
  void cutOffDispatcher(ServiceSettings settings) {
    Address dispatcher = new Address(Component.nameOf(Component.Dispatcher.class), 0);
    cutOff = tasks.get(dispatcher);
    cut(dispatcher);
    addDispatcher(settings, null);
  }

  /** The dispatcher that was cut off hears something; what it says then is on its way. */
  void tellTheOneCutOff(Stream<?, ?, ?> stream, Payload payload) {
    cutOff.deliver(stream.name(), Stream.values(payload, 0));
  }

  private void cut(Address address) {
    lines.keySet().removeIf(line -> line.from().equals(address) || line.to().equals(address));
  }

  /** What the resampler has is gone, as after its worker died. */
  void restartResampler(ServiceSettings settings) {
    add(
        Component.Resampler.class,
        0,
        new ResamplerBolt(SerializedSettings.of(ServiceSettings.class, settings)));
  }

  /** What a publisher has is gone, as after its worker died. */
  void restartPublisher(int task, ServiceSettings settings) {
    addPublisher(task, settings);
  }

  /** A publisher is gone, and what was on its way to it and from it. */
  void losePublisher(int task) {
    lose(new Address(Component.nameOf(Component.Publisher.class), task));
  }

  /**
   * One of two workers is gone: a matcher, a publisher, and perhaps the topology's heads. What was
   * on its way to it is lost; of what was on its way from it, what was said later is lost before
   * what was said earlier, for it all goes by one connection.
   */
  void loseWorker(int worker, List<Class<? extends Component>> heads) {
    List<Address> dead = new ArrayList<>();
    dead.add(new Address(Component.nameOf(Component.Matchers.class), worker));
    dead.add(new Address(Component.nameOf(Component.Publisher.class), worker));
    heads.forEach(head -> dead.add(new Address(Component.nameOf(head), 0)));
    matcherBolts.remove(worker).cleanup();
    tasks.keySet().removeAll(dead);
    bolts.keySet().removeAll(dead);
    closings.keySet().removeAll(dead);
    lines.keySet().removeIf(line -> dead.contains(line.to()));
    long latest =
        dead.stream().mapToLong(each -> latestDelivered.getOrDefault(each, 0L)).max().orElseThrow();
    long cut = latest + (long) (random.nextDouble() * (messages - latest));
    lines.forEach(
        (line, queue) -> {
          if (dead.contains(line.from())) {
            queue.removeIf(message -> message.number() > cut);
          }
        });
  }

  /** Another takes its place. */
  void startWorker(int worker, List<Class<? extends Component>> heads, ServiceSettings settings) {
    addMatcher(worker, settings);
    addPublisher(worker, settings);
    if (heads.contains(Component.Dispatcher.class)) {
      addDispatcher(settings, null);
    }
    if (heads.contains(Component.Resampler.class)) {
      restartResampler(settings);
    }
  }

  @Override
  public void close() {
    matcherBolts.values().forEach(Bolt::cleanup);
  }
}
