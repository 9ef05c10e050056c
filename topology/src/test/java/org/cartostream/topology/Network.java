package org.cartostream.topology;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.arrival.ArrivalReceiver;
import org.cartostream.topology.bolt.Bolt;
import org.cartostream.topology.bolt.RestorableBolt;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.dispatch.DispatcherBolt;
import org.cartostream.topology.match.ResamplerBolt;
import org.cartostream.topology.memory.EncodingBudget;
import org.cartostream.topology.publish.PublisherBolt;
import org.cartostream.topology.publish.PublisherExecutors;
import org.cartostream.topology.response.ResponseSender;
import org.cartostream.topology.run.RobotRegistryWatch;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;

/**
 * All bolts in one thread, joined by {@link Links} that are as unkind as Storm's may be. A path's
 * loops are closed between any two deliveries, unless closings are held, and checkpoints written.
 * What a robot says is kept until it is acknowledged, as by a broker, and said again to a new
 * dispatcher.
 */
final class Network extends Links implements AutoCloseable {

  /** From where speaks who has a successor. */
  private static final Address OUSTED = new Address("ousted", 0);

  private static final String MATCHERS = Component.nameOf(Component.Matchers.class);

  /** What happens to a task when another thread is to do something with a run's state. */
  interface WorkFault {

    /**
     * Another thread has come to it.
     *
     * @param robots whose runs' states other threads use: one of these
     * @return true if the task is no more
     */
    boolean ends(Address task, List<String> robots);
  }

  /** False while matchers are so far behind that key frames wait. */
  boolean hasRoom = true;

  WorkFault workFault = (task, robots) -> false;

  private final int matchers;
  private final ResponseSender.EnvelopeSink envelopeSink;
  private final Map<Long, Payload.Arrival> unacknowledged = new TreeMap<>();
  private final Set<Long> delivered = new HashSet<>();
  private long arrivals;
  private final CheckpointStore store;
  private final ServiceSettings settings;
  private final Map<Address, Bolt<?>> bolts = new LinkedHashMap<>();

  /** Where publishers look for loops on the way, or read. */
  final OtherThreads searches = new OtherThreads();

  /** Where publishers close the loops of whole paths. */
  final OtherThreads closings = new OtherThreads();

  /** Where tasks wait for the store. */
  final OtherThreads writings = new OtherThreads();

  /** Where tasks have something done with a run's state. */
  final OtherThreads offloads = new OtherThreads();

  final NetworkClock clock;

  private UnaryOperator<RecordedPath> closer = RecordedPath::withLoopsClosed;
  private long terms;
  private EncodingBudget encodingBudget = new EncodingBudget(Long.MAX_VALUE);
  private final String name = "network-" + UUID.randomUUID();

  /**
   * @param store where checkpoints are; null for none
   */
  Network(
      long seed,
      ServiceSettings settings,
      CheckpointStore store,
      ResponseSender.EnvelopeSink envelopeSink) {
    super(seed);
    clock = new NetworkClock(seed);
    this.store = store;
    this.settings = settings;
    this.envelopeSink = envelopeSink;
    matchers = settings.topology().tasks();
    for (int task = 0; task < matchers; task++) {
      addMatcher(task);
    }
    addDispatcher(null);
    if (settings.topology().mode() == ResamplingMode.DATAFLOW) {
      addResampler();
    }
    addPublisher();
  }

  private SerializedSettings<ServiceSettings> serialized() {
    return SerializedSettings.of(ServiceSettings.class, settings);
  }

  /** A task's part of checkpoints, written between any two deliveries. */
  private TaskCheckpoints checkpoints(Class<? extends Component> party, int task) {
    return new TaskCheckpoints(
        store,
        writings.of(Address.of(party, task)),
        encodingBudget,
        TaskCheckpoints.partName(party, task),
        clock::encoding);
  }

  private TaskContext place(Class<? extends Component> party, int task) {
    Address address = Address.of(party, task);
    Executor offloaded = offloads.of(address);
    return new TaskContext(
        task,
        matchers,
        name,
        ZooKeeperAccess.plain(""),
        "127.0.0.1",
        clock::measured,
        work -> offloaded.execute(() -> doOffloaded(address, work)));
  }

  private void doOffloaded(Address task, Runnable work) {
    RestorableBolt<?, ?> bolt = (RestorableBolt<?, ?>) bolts.get(task);
    List<String> whose = bolt.runs().stream().filter(bolt::isOffloaded).map(Run::robot).toList();
    if (!workFault.ends(task, whose)) {
      work.run();
    }
  }

  /** The matchers' bolt is whichever the topology has; a new one for each task. */
  @SuppressWarnings("unchecked") // The topology's parties play themselves.
  private void addMatcher(int task) {
    Bolt<Component.Matchers> matcher =
        (Bolt<Component.Matchers>)
            ScanTopology.bolts(settings.topology().mode(), serialized())
                .get(Component.Matchers.class);
    add(Component.Matchers.class, task, matcher);
  }

  private void addDispatcher(RobotRegistryWatch register) {
    DispatcherBolt bolt = new DispatcherBolt(serialized());
    StreamPorts<Component.Dispatcher> streamPorts = ports(Component.Dispatcher.class, 0, bolt);
    bolt.wire(streamPorts);
    bolt.start(
        place(Component.Dispatcher.class, 0),
        checkpoints(Component.Dispatcher.class, 0),
        ++terms,
        new PauseTolerantClock(clock::nanos),
        register);
    new TreeMap<>(unacknowledged).forEach(this::deliverLater);
  }

  private void addPublisher() {
    PublisherBolt publisher = new PublisherBolt(serialized());
    StreamPorts<Component.Publisher> streamPorts = ports(Component.Publisher.class, 0, publisher);
    Address address = Address.of(Component.Publisher.class, 0);
    Executor searched = searches.of(address);
    publisher.wire(streamPorts);
    publisher.start(
        place(Component.Publisher.class, 0),
        checkpoints(Component.Publisher.class, 0),
        envelopeSink,
        new PauseTolerantClock(clock::nanos),
        new PublisherExecutors(
            closings.of(address),
            searched,
            searched,
            searched,
            recordedPath -> closer.apply(recordedPath),
            () -> {}));
  }

  private void addResampler() {
    add(Component.Resampler.class, 0, new ResamplerBolt(serialized()));
  }

  private <Me extends Component> void add(Class<Me> party, int task, Bolt<Me> bolt) {
    StreamPorts<Me> streamPorts = ports(party, task, bolt);
    bolt.wire(streamPorts);
    bolt.start(place(party, task), checkpoints(party, task));
  }

  private <Me extends Component> StreamPorts<Me> ports(Class<Me> party, int task, Bolt<Me> bolt) {
    Address from = Address.of(party, task);
    StreamPorts<Me> streamPorts =
        new StreamPorts<>(
            new StreamOutput.Sink() {
              @Override
              public void emit(Stream<?, ?, ?> stream, int to, List<Object> values) {
                send(bolts.get(from) == bolt ? from : OUSTED, stream, to, values);
              }

              @Override
              public boolean hasRoom() {
                return hasRoom;
              }
            });
    tasks.put(from, streamPorts);
    bolts.put(from, bolt);
    return streamPorts;
  }

  /** A component's task; null if it is gone, or there is none in the mode. */
  Bolt<?> bolt(Class<? extends Component> component, int task) {
    return bolts.get(Address.of(component, task));
  }

  /** A robot says something. */
  void send(Payload.Arrival arrival) {
    unacknowledged.put(++arrivals, arrival);
    if (bolts.containsKey(dispatcher)) {
      deliverLater(arrivals, arrival);
    }
  }

  private void deliverLater(long number, Payload.Arrival arrival) {
    boolean again = !delivered.add(number);
    Receiver.Receipt receipt =
        new Receiver.Receipt() {
          @Override
          public void acknowledge() {
            unacknowledged.remove(number);
          }

          @Override
          public boolean isRedelivered() {
            return again;
          }
        };
    ((DispatcherBolt) bolts.get(dispatcher)).keep(arrival, receipt);
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
  void send(Envelope envelope) {
    send(ArrivalReceiver.arrival(envelope));
  }

  /** Whoever writes {@code stream} says something, true or not; to the first task if direct. */
  void send(Stream<?, ?, ?> stream, Payload payload) {
    Address liar = new Address(stream.sources().get(0), 0);
    int to = stream instanceof Stream.Direct ? 0 : StreamOutput.Sink.ANY;
    long term = liar.equals(dispatcher) ? terms : 0;
    send(liar, stream, to, Stream.values(payload, term));
  }

  private List<OtherThreads> threads() {
    return List.of(searches, closings, writings, offloads);
  }

  @Override
  List<Runnable> work() {
    return threads().stream().flatMap(each -> each.next().stream()).toList();
  }

  /** From now on, loops are closed by this. */
  void closeBy(UnaryOperator<RecordedPath> otherCloser) {
    closer = otherCloser;
  }

  /** Tasks that start from now on have so many bytes for encoded states, all together. */
  void encodeWithin(long bytes) {
    encodingBudget = new EncodingBudget(bytes);
  }

  /** How many checkpoints, on average of all tasks, were encoded. */
  double encodings() {
    return clock.encodings() / all().size();
  }

  /** Seconds pass, and in each all arrives that is on its way. */
  void pass(int seconds) {
    for (int second = 0; second < seconds; second++) {
      tick();
      deliverAll();
    }
  }

  /** A second passes. */
  void tick() {
    clock.pass(Bolt.TICK_SECONDS);
    bolts.values().forEach(Bolt::tick);
  }

  /** Delivers one message, or has a second pass where none is on its way. */
  void deliverOneOrTick() {
    if (!deliverOne()) {
      tick();
    }
  }

  /** What a matcher task has is gone, and another takes its place. */
  void restartMatcher(int task) {
    lose(Component.Matchers.class, task);
    addMatcher(task);
  }

  private java.util.stream.Stream<Bolt<?>> matcherBolts() {
    return bolts.entrySet().stream()
        .filter(each -> each.getKey().party().equals(MATCHERS))
        .map(Map.Entry::getValue);
  }

  /** True if a matcher has particles of the robot's run. */
  boolean hasParticles(String robot) {
    return matcherBolts()
        .flatMap(bolt -> bolt.runs().stream())
        .anyMatch(run -> run.robot().equals(robot));
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
    lose(List.of(Address.of(party, task)));
  }

  /**
   * One worker is gone with the tasks that it had. What was on its way to it is lost; of what was
   * on its way from it, what was said later is lost before what was said earlier, for it all goes
   * by one connection.
   */
  void lose(List<Address> dead) {
    for (Address each : dead) {
      Bolt<?> bolt = bolts.remove(each);
      if (bolt != null && each.party().equals(MATCHERS)) {
        bolt.cleanup();
      }
      tasks.remove(each);
      threads().forEach(threads -> threads.forget(each));
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
  List<Address> all() {
    List<Address> all = new ArrayList<>();
    for (int task = 0; task < matchers; task++) {
      all.add(Address.of(Component.Matchers.class, task));
    }
    all.add(dispatcher);
    all.add(Address.of(Component.Publisher.class, 0));
    if (settings.topology().mode() == ResamplingMode.DATAFLOW) {
      all.add(Address.of(Component.Resampler.class, 0));
    }
    return all;
  }

  /** All tasks are gone, and all that was on its way. */
  void loseAll() {
    lose(all());
  }

  /** All tasks but the dispatcher are gone, and what was on its way to them. */
  void loseAllButDispatcher() {
    List<Address> dead = all();
    dead.remove(dispatcher);
    lose(dead);
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
    } else if (next.party().equals(MATCHERS)) {
      addMatcher(next.task());
    } else if (next.party().equals(Component.nameOf(Component.Publisher.class))) {
      addPublisher();
    } else {
      addResampler();
    }
    return true;
  }

  /** The service ends with its ZooKeeper, and another begins at the same broker. */
  void replaceService() {
    loseAll();
    terms = 0;
    while (startOne()) {}
  }

  @Override
  public void close() {
    matcherBolts().forEach(Bolt::cleanup);
  }
}
