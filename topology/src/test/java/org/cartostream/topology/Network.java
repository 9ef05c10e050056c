package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.registry.ZooKeeperAccess;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.answer.AnswerSender;
import org.cartostream.topology.arrival.ArrivalReceiver;
import org.cartostream.topology.bolt.Bolt;
import org.cartostream.topology.bolt.RestorableBolt;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.dispatch.DispatcherBolt;
import org.cartostream.topology.match.ResamplerBolt;
import org.cartostream.topology.memory.EncodingBudget;
import org.cartostream.topology.publish.Background;
import org.cartostream.topology.publish.PublisherBolt;
import org.cartostream.topology.run.RobotRegistryWatch;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.Mode;
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
 * Time is the network's own: it passes by {@link #tick} and {@link #standStill}, and a little,
 * drawn by chance, where work is measured. What a robot says is kept until it is acknowledged, as
 * by a broker, and said again to a new dispatcher.
 */
final class Network extends Links implements AutoCloseable {

  /** From where speaks who has a successor. */
  private static final Address OUSTED = new Address("ousted", 0);

  /** Between two looks at the clock; a piece of work is several. */
  private static final int MOST_MEASURED_NANOS = 200_000;

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

  WorkFault workFault = (task, robots) -> false;

  private final int matchers;
  private final AnswerSender.EnvelopeSink envelopeSink;
  private final Map<Long, Payload.Arrival> unacknowledged = new TreeMap<>();
  private final Set<Long> delivered = new HashSet<>();
  private long arrivals;
  private final CheckpointStore store;
  private final ServiceSettings settings;
  private final Map<Address, Bolt<?>> bolts = new LinkedHashMap<>();

  /** What tasks write elsewhere, each one after another. */
  private final Map<Address, Queue<Runnable>> writings = new LinkedHashMap<>();

  /** What publishers do elsewhere, each one after another. */
  private final Map<Address, Queue<Runnable>> closings = new LinkedHashMap<>();

  /** Where publishers look for loops on the way, each one after another. */
  private final Map<Address, Queue<Runnable>> searches = new LinkedHashMap<>();

  /** What tasks have other threads do with a run's state. */
  private final Map<Address, Queue<Runnable>> offloads = new LinkedHashMap<>();

  private UnaryOperator<RecordedPath> closer = RecordedPath::withLoopsClosed;
  private boolean closingsAreHeld;
  private boolean writingsAreHeld;
  private boolean offloadsAreHeld;
  private final AtomicInteger refusedSearches = new AtomicInteger();
  private final AtomicInteger refusedOffloads = new AtomicInteger();
  private final AtomicInteger failedEncodings = new AtomicInteger();
  private long terms;
  private long nanoTime;
  private EncodingBudget encodingBudget = new EncodingBudget(Long.MAX_VALUE);
  private final Random measuring;
  private long measuredNanos;
  private long encodingClockReads;
  private long encodingNanos;
  private StreamPorts<?> cutOff;
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
    super(seed);
    this.measuring = new Random(seed);
    this.store = store;
    this.settings = settings;
    this.envelopeSink = envelopeSink;
    matchers = settings.topology().tasks();
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
    String part = TaskCheckpoints.partName(party, task);
    boolean isDispatcher = party == Component.Dispatcher.class;
    return new TaskCheckpoints(
        store,
        work -> {
          if (isDispatcher) {
            failOnce(refusedSearches);
          }
          writes.add(work);
        },
        encodingBudget,
        part,
        this::encodingClock);
  }

  private TaskContext place(Class<? extends Component> party, int task) {
    Queue<Runnable> offloaded = new ArrayDeque<>();
    offloads.put(new Address(Component.nameOf(party), task), offloaded);
    return new TaskContext(
        task,
        matchers,
        name,
        ZooKeeperAccess.plain(""),
        "127.0.0.1",
        this::measuringClock,
        work -> {
          failOnce(refusedOffloads);
          offloaded.add(work);
        });
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
        place(Component.Dispatcher.class, 0),
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
    Queue<Runnable> searched = new ArrayDeque<>();
    closings.put(new Address(Component.nameOf(Component.Publisher.class), 0), elsewhere);
    searches.put(new Address(Component.nameOf(Component.Publisher.class), 0), searched);
    publisher.wire(streamPorts);
    publisher.start(
        place(Component.Publisher.class, 0),
        checkpoints(Component.Publisher.class, 0),
        envelopeSink,
        new PauseTolerantClock(() -> nanoTime),
        new Background(
            elsewhere::add,
            searched::add,
            searched::add,
            searched::add,
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
    Address from = new Address(Component.nameOf(party), task);
    StreamPorts<Me> streamPorts =
        new StreamPorts<>(
            (stream, to, values) ->
                send(bolts.get(from) == bolt ? from : OUSTED, stream, to, values));
    tasks.put(from, streamPorts);
    bolts.put(from, bolt);
    return streamPorts;
  }

  /** A component's task; null if it is gone, or there is none in the mode. */
  Bolt<?> bolt(Class<? extends Component> component, int task) {
    return bolts.get(new Address(Component.nameOf(component), task));
  }

  /** A robot says something. */
  void say(Payload.Arrival arrival) {
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

  @Override
  List<Runnable> work() {
    List<Runnable> next = new ArrayList<>();
    List<Queue<Runnable>> queues = new ArrayList<>(searches.values());
    queues.addAll(closingsAreHeld ? List.of() : closings.values());
    queues.addAll(writingsAreHeld ? List.of() : writings.values());
    queues.stream()
        .filter(queue -> !queue.isEmpty())
        .forEach(queue -> next.add(() -> queue.remove().run()));
    if (!offloadsAreHeld) {
      offloads.forEach(
          (task, queue) -> {
            if (!queue.isEmpty()) {
              next.add(() -> work(task, queue));
            }
          });
    }
    return next;
  }

  private void work(Address task, Queue<Runnable> offloaded) {
    RestorableBolt<?, ?> bolt = (RestorableBolt<?, ?>) bolts.get(task);
    List<String> whose = bolt.runs().stream().filter(bolt::isOffloaded).map(Run::robot).toList();
    Runnable next = offloaded.remove();
    if (!workFault.ends(task, whose)) {
      next.run();
    }
  }

  /** What publishers have begun to look for, or to read, is done. */
  void finishSearches() {
    for (Queue<Runnable> each : searches.values()) {
      while (!each.isEmpty()) {
        each.remove().run();
      }
    }
  }

  /** From now on, loops are closed by this. */
  void closeBy(UnaryOperator<RecordedPath> otherCloser) {
    closer = otherCloser;
  }

  /** Closings take for ever, or go on. */
  void holdClosings(boolean held) {
    closingsAreHeld = held;
  }

  /** The store takes for ever, or goes on. */
  void holdWritings(boolean held) {
    writingsAreHeld = held;
  }

  /** Other threads take for ever for what tasks have them do, or go on. */
  void holdOffloads(boolean held) {
    offloadsAreHeld = held;
  }

  /** Other threads do what tasks have had them do so far. */
  void finishOffloads() {
    for (Queue<Runnable> each : offloads.values()) {
      while (!each.isEmpty()) {
        each.remove().run();
      }
    }
  }

  /** How much tasks have had other threads do that is not done. */
  int offloads() {
    return offloads.values().stream().mapToInt(Queue::size).sum();
  }

  /** From now on a task encodes its part of a checkpoint for so long. */
  void encodeFor(double seconds) {
    encodingNanos = (long) (seconds * TimeUnit.SECONDS.toNanos(1));
  }

  /**
   * Read when a task begins to do something, and when it has ended: how long that took is drawn by
   * chance, so that a seed gives the same balance of load, and the same order, each time.
   */
  private long measuringClock() {
    measuredNanos += measuring.nextInt(MOST_MEASURED_NANOS);
    return nanoTime + measuredNanos;
  }

  /** For the next so many pieces of work that wait for the store the dispatcher finds no thread. */
  void refuseSearches(int count) {
    refusedSearches.set(count);
  }

  /** The next so many pieces of work for other threads find none. */
  void refuseOffloads(int count) {
    refusedOffloads.set(count);
  }

  /** The next so many pieces of work of other threads that encode a state throw. */
  void failEncodings(int count) {
    failedEncodings.set(count);
  }

  private static void failOnce(AtomicInteger remaining) {
    if (remaining.get() > 0) {
      remaining.decrementAndGet();
      throw new OutOfMemoryError("unable to create native thread");
    }
  }

  /** Read when a task begins to encode, and when it has ended. */
  private long encodingClock() {
    failOnce(failedEncodings);
    return ++encodingClockReads * encodingNanos;
  }

  /** Tasks that start from now on have so many bytes for encoded states, all together. */
  void encodeWithin(long bytes) {
    encodingBudget = new EncodingBudget(bytes);
  }

  /** How many checkpoints, on average of all tasks, were encoded. */
  double encodings() {
    return encodingClockReads / 2.0 / all().size();
  }

  /** How many parts wait to be written. */
  int writings() {
    return writings.values().stream().mapToInt(Queue::size).sum();
  }

  /** How many closings have not been done, or found to be of no use any more. */
  int closings() {
    return closings.values().stream().mapToInt(Queue::size).sum();
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

  /** True if a matcher has particles of the robot's run. */
  boolean hasParticles(String robot) {
    return matcherBolts.values().stream()
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
    lose(List.of(new Address(Component.nameOf(party), task)));
  }

  /**
   * One worker is gone with the tasks that it had. What was on its way to it is lost; of what was
   * on its way from it, what was said later is lost before what was said earlier, for it all goes
   * by one connection.
   */
  void lose(List<Address> dead) {
    for (Address each : dead) {
      Bolt<?> bolt = bolts.remove(each);
      if (bolt != null && each.party().equals(Component.nameOf(Component.Matchers.class))) {
        bolt.cleanup();
        matcherBolts.remove(each.task());
      }
      tasks.remove(each);
      closings.remove(each);
      searches.remove(each);
      writings.remove(each);
      offloads.remove(each);
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
    } else if (next.party().equals(Component.nameOf(Component.Matchers.class))) {
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
