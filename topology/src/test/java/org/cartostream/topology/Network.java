package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.storm.serialization.KryoValuesDeserializer;
import org.apache.storm.serialization.KryoValuesSerializer;
import org.apache.storm.utils.Utils;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.publish.AnswerSender;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.Mode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;

/**
 * All bolts in one thread, joined by a network that is as unkind as Storm may be: what one task
 * writes for another stays in order, all else comes in any order; and everything is serialized. A
 * path's loops are closed between any two deliveries, unless closings are held, and checkpoints
 * written. Time is the network's own: it passes by {@link #tick} and {@link #standStill} only. What
 * a robot says is kept until it is acknowledged, as by a broker, and said again to a new
 * dispatcher.
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
  private final Address robots = new Address("robots", 0);
  private final Address dispatcher = new Address(Component.nameOf(Component.Dispatcher.class), 0);
  private final Map<Long, Payload.Arrival> unacknowledged = new TreeMap<>();
  private long arrivals;
  private final CheckpointStore store;
  private final ServiceSettings settings;
  private final Map<Address, Bolt<?>> bolts = new LinkedHashMap<>();
  private final Map<String, Integer> delivered = new HashMap<>();
  private final Map<String, Run> begunRuns = new HashMap<>();

  /** What tasks write elsewhere, each one after another. */
  private final Map<Address, Queue<Runnable>> writings = new LinkedHashMap<>();

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

  /**
   * @param store where checkpoints are; null for none
   */
  Network(
      long seed,
      ServiceSettings settings,
      CheckpointStore store,
      AnswerSender.EnvelopeSink envelopeSink) {
    this.store = store;
    this.settings = settings;
    random = new Random(seed);
    this.envelopeSink = envelopeSink;
    matchers = settings.topology().tasks();
    Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());
    KryoRegistration.registerWithStorm(conf);
    serializer = new KryoValuesSerializer(conf);
    deserializer = new KryoValuesDeserializer(conf);
    for (int task = 0; task < matchers; task++) {
      addMatcher(task);
    }
    addDispatcher(null);
    if (settings.topology().mode() == Mode.DATAFLOW) {
      addResampler();
    }
    addPublisher();
  }

  private SerializedSettings<ServiceSettings> serialized() {
    return SerializedSettings.of(ServiceSettings.class, settings);
  }

  /** A task's part of checkpoints, written between any two deliveries. */
  private TaskCheckpoints checkpoints(Class<? extends Component> party, int task) {
    Queue<Runnable> writes = new ArrayDeque<>();
    writings.put(new Address(Component.nameOf(party), task), writes);
    return new TaskCheckpoints(store, writes::add, CheckpointCoordinator.partName(party, task));
  }

  private TaskContext place(int task) {
    return new TaskContext(task, matchers, name, ZooKeeperAccess.plain(""), "127.0.0.1");
  }

  /** The matchers' bolt is whichever the topology has; a new one for each task. */
  @SuppressWarnings("unchecked") // The topology's parties play themselves.
  private void addMatcher(int task) {
    Bolt<Component.Matchers> matcher =
        (Bolt<Component.Matchers>)
            ScanTopology.bolts(settings.topology().mode(), serialized())
                .get(Component.Matchers.class);
    matcherBolts.put(task, matcher);
    add(Component.Matchers.class, task, matcher);
  }

  private void addDispatcher(RobotRegistryWatch register) {
    DispatcherBolt bolt = new DispatcherBolt(serialized());
    StreamPorts<Component.Dispatcher> streamPorts = ports(Component.Dispatcher.class, 0, bolt);
    bolt.wire(streamPorts);
    bolt.start(
        place(0),
        checkpoints(Component.Dispatcher.class, 0),
        ++terms,
        new PauseTolerantClock(() -> nanoTime),
        register);
    new TreeMap<>(unacknowledged).forEach(this::deliverLater);
  }

  private void addPublisher() {
    PublisherBolt publisher = new PublisherBolt(serialized());
    StreamPorts<Component.Publisher> streamPorts = ports(Component.Publisher.class, 0, publisher);
    Queue<Runnable> elsewhere = new ArrayDeque<>();
    closings.put(new Address(Component.nameOf(Component.Publisher.class), 0), elsewhere);
    publisher.wire(streamPorts);
    publisher.start(
        place(0),
        checkpoints(Component.Publisher.class, 0),
        envelopeSink,
        new PauseTolerantClock(() -> nanoTime),
        elsewhere::add,
        recordedPath -> closer.apply(recordedPath));
  }

  private void addResampler() {
    add(Component.Resampler.class, 0, new ResamplerBolt(serialized()));
  }

  private <Me extends Component> void add(Class<Me> party, int task, Bolt<Me> bolt) {
    StreamPorts<Me> streamPorts = ports(party, task, bolt);
    bolt.wire(streamPorts);
    bolt.start(place(task), checkpoints(party, task));
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

  /** A robot's latest run, in its latest epoch; null if none has begun. */
  Run run(String robot) {
    return begunRuns.get(robot);
  }

  /** A component's task; null if it is gone, or there is none in the mode. */
  Bolt<?> bolt(Class<? extends Component> component, int task) {
    return bolts.get(new Address(Component.nameOf(component), task));
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

  private void send(Address from, Stream<?, ?, ?> stream, int to, List<Object> values) {
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
    for (Address address : tasks.keySet()) {
      if (tasks.get(address).reads(stream) && (toEach || address.task() == Math.max(to, 0))) {
        lines.computeIfAbsent(new Line(from, address), line -> new ArrayDeque<>()).add(message);
      }
    }
  }

  /** A robot says something. */
  void say(Payload.Arrival arrival) {
    unacknowledged.put(++arrivals, arrival);
    if (bolts.containsKey(dispatcher)) {
      deliverLater(arrivals, arrival);
    }
  }

  private void deliverLater(long number, Payload.Arrival arrival) {
    ((DispatcherBolt) bolts.get(dispatcher))
        .receipts()
        .add(arrival.run(), ArrivalReceiver.number(arrival), () -> unacknowledged.remove(number));
    send(robots, Streams.ARRIVALS, 0, Stream.values(arrival, 0));
  }

  /** The robots' messages that the service may be sent again, in their order. */
  List<Payload.Arrival> unacknowledgedMessages() {
    return List.copyOf(unacknowledged.values());
  }

  /** How many of the robots' messages the service may be sent again. */
  int unacknowledged() {
    return unacknowledged.size();
  }

  /** Says what an envelope from a robot says. */
  void say(Envelope envelope) {
    say(ArrivalReceiver.arrival(envelope));
  }

  /** Whoever writes {@code stream} says something, true or not; to the first task if direct. */
  void say(Stream<?, ?, ?> stream, Payload payload) {
    Address liar = new Address(stream.sources().get(0), 0);
    int to = stream instanceof Stream.Direct ? 0 : StreamOutput.Sink.ANY;
    long term = liar.equals(dispatcher) ? terms : 0;
    send(liar, stream, to, Stream.values(payload, term));
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
    closings.values().stream()
        .filter(queue -> !queue.isEmpty() && !closingsAreHeld)
        .forEach(queue -> next.add(() -> queue.remove().run()));
    writings.values().stream()
        .filter(queue -> !queue.isEmpty())
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
    Line line = new Line(robots, dispatcher);
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

  /** What a matcher task has is gone, and another takes its place. */
  void restartMatcher(int task) {
    lose(Component.Matchers.class, task);
    addMatcher(task);
  }

  /** What the resampler has is gone, and another takes its place. */
  void restartResampler() {
    lose(Component.Resampler.class, 0);
    addResampler();
  }

  /** What the publisher has is gone, and another takes its place. */
  void restartPublisher() {
    lose(Component.Publisher.class, 0);
    addPublisher();
  }

  /** What the dispatcher has is gone, and another takes its place. */
  void restartDispatcher() {
    restartDispatcher(null);
  }

  /** The same, and its successor looks into a register. */
  void restartDispatcher(RobotRegistryWatch register) {
    lose(Component.Dispatcher.class, 0);
    addDispatcher(register);
  }

  /** A component's task is gone, and what was on its way to it. */
  void lose(Class<? extends Component> party, int task) {
    lose(List.of(new Address(Component.nameOf(party), task)));
  }

  /**
   * One worker is gone with the tasks that it had. What was on its way to it is lost; of what was
   * on its way from it, what was said later is lost before what was said earlier, for it all goes
   * by one connection.
   */
  private void lose(List<Address> dead) {
    for (Address each : dead) {
      Bolt<?> bolt = bolts.remove(each);
      if (bolt != null && each.party().equals(Component.nameOf(Component.Matchers.class))) {
        bolt.cleanup();
        matcherBolts.remove(each.task());
      }
      tasks.remove(each);
      closings.remove(each);
      writings.remove(each);
    }
    lines.keySet().removeIf(line -> dead.contains(line.to()));
    long latest =
        dead.stream().mapToLong(each -> latestDelivered.getOrDefault(each, 0L)).max().orElseThrow();
    long last = latest + (long) (random.nextDouble() * (messages - latest));
    lines.forEach(
        (line, queue) -> {
          if (dead.contains(line.from())) {
            queue.removeIf(message -> message.number() > last);
          }
        });
  }

  /** All tasks. */
  private List<Address> all() {
    List<Address> all = new ArrayList<>();
    for (int task = 0; task < matchers; task++) {
      all.add(new Address(Component.nameOf(Component.Matchers.class), task));
    }
    all.add(dispatcher);
    all.add(new Address(Component.nameOf(Component.Publisher.class), 0));
    if (settings.topology().mode() == Mode.DATAFLOW) {
      all.add(new Address(Component.nameOf(Component.Resampler.class), 0));
    }
    return all;
  }

  /** All tasks are gone, and all that was on its way. */
  void loseAll() {
    lose(all());
  }

  /** A worker with some tasks, drawn by chance, dies; one after another others take their place. */
  void killSome() {
    List<Address> dead = all();
    dead.removeIf(each -> random.nextBoolean() || !bolts.containsKey(each));
    if (!dead.isEmpty()) {
      lose(dead);
    }
  }

  /** Starts a task that is gone; false if there is none. */
  boolean startOne() {
    List<Address> gone = all();
    gone.removeIf(bolts::containsKey);
    if (gone.isEmpty()) {
      return false;
    }
    Address next = gone.get(random.nextInt(gone.size()));
    if (next.equals(dispatcher)) {
      addDispatcher(null);
    } else if (next.party().equals(Component.nameOf(Component.Matchers.class))) {
      addMatcher(next.task());
    } else if (next.party().equals(Component.nameOf(Component.Publisher.class))) {
      addPublisher();
    } else {
      addResampler();
    }
    return true;
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

  /**
   * The link to the dispatcher's host is cut, and what was on its way is lost; it lives on, and has
   * a successor.
   */
  void cutOffDispatcher() {
    cutOff = tasks.get(dispatcher);
    lines.keySet().removeIf(l -> l.from().equals(dispatcher) || l.to().equals(dispatcher));
    addDispatcher(null);
  }

  /** The dispatcher that was cut off hears something; what it says then is on its way. */
  void tellTheOneCutOff(Stream<?, ?, ?> stream, Payload payload) {
    cutOff.deliver(stream.name(), Stream.values(payload, 0));
  }

  @Override
  public void close() {
    matcherBolts.values().forEach(Bolt::cleanup);
  }
}
