package org.cartostream.topology.stream;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Tuple;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.task.Component;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The streams that one component writes and reads.
 *
 * <p>The component registers its streams twice: before the topology starts, so that they can be
 * declared to Storm, and in the task, where the outputs are connected.
 *
 * @param <Me> the component that registers its streams
 */
public final class StreamPorts<Me extends Component> {

  /**
   * Key in SLF4J's diagnostic context (MDC) for the id of the robot that the handled message is
   * about.
   */
  static final String ROBOT = "robot";

  private static final String RUN = "run";

  private static final Logger LOG = LoggerFactory.getLogger(StreamPorts.class);

  private final StreamOutput.Sink sink;
  private final List<Stream<?, ?, ?>> written = new ArrayList<>();
  private final Map<String, Reader<?>> read = new LinkedHashMap<>();
  private FailureHandler onFailure;
  private Consumer<Throwable> report = failure -> {};
  private Consumer<Payload> onAnyPayload = payload -> {};
  private Gate gate = (payload, handling) -> false;
  private long term;
  private long latestTerm;

  private record Reader<P extends Payload>(Stream<?, ?, P> stream, Consumer<? super P> handler) {

    void take(Payload payload) {
      handler.accept(stream.payload().cast(payload));
    }
  }

  public StreamPorts(StreamOutput.Sink sink) {
    this.sink = sink;
  }

  /** Registers the handler of a stream's payloads. */
  public <P extends Payload> void on(Stream<?, ? super Me, P> stream, Consumer<? super P> handler) {
    if (read.put(stream.name(), new Reader<>(stream, handler)) != null) {
      throw new IllegalArgumentException(stream + " has two handlers; it can have one");
    }
  }

  /** Receiver of the failures of handlers. */
  public interface FailureHandler {

    /**
     * Called when the handler of a payload has thrown an exception.
     *
     * @param run run that the payload was about
     * @param reading number of the reading that the payload was about; 0 for none
     * @param how the exception
     */
    void failed(Run run, long reading, Throwable how);
  }

  /** Filter that delays payloads which cannot be handled yet. */
  public interface Gate {

    /**
     * Decides whether a payload is handled now.
     *
     * @param handling runs the handler
     * @return true if the gate keeps {@code handling}, to run it later
     */
    boolean holdsBack(Payload payload, Runnable handling);
  }

  /** Sets the receiver of exceptions that handlers throw. */
  public void onFailure(FailureHandler handler) {
    onFailure = handler;
  }

  /** Sets a listener that is called with each payload before its handler. */
  public void onAnyPayload(Consumer<Payload> listener) {
    onAnyPayload = listener;
  }

  /** Sets the gate that can delay the handling of payloads. */
  public void holdBackBy(Gate keeper) {
    gate = keeper;
  }

  /** Sets a second receiver of exceptions that handlers throw, Storm's error reporting. */
  public void reportTo(Consumer<Throwable> storm) {
    report = storm;
  }

  /**
   * Sets the fencing token that messages carry from now on. A predecessor that was cut off from the
   * cluster may still write: a receiver that has seen a message with a higher token drops messages
   * with a lower one. Components with many tasks use 0, and their messages are never dropped.
   *
   * @param number the fencing token, greater than those of all predecessors
   */
  public void setFencingToken(long number) {
    term = number;
  }

  /** Declares that this component writes {@code stream}, and returns its output. */
  public <P extends Payload> StreamOutput<P> out(Stream.Shared<? super Me, ?, P> stream) {
    written.add(stream);
    return new StreamOutput<>(stream, sink, () -> term);
  }

  /**
   * Declares that this component writes {@code stream} to tasks that it names, and returns its
   * output.
   */
  public <P extends Payload> StreamOutput.Direct<P> out(Stream.Direct<? super Me, ?, P> stream) {
    written.add(stream);
    return new StreamOutput.Direct<>(stream, sink, () -> term);
  }

  /** Declares the streams that the component writes to Storm. */
  public void declare(Class<Me> me, OutputFieldsDeclarer declarer) {
    written.forEach(stream -> stream.declare(declarer));
    if (me == Component.Matchers.class) {
      Stream.declareBroadcasts(declarer);
    }
  }

  /**
   * Subscribes the component to each stream that it reads, at every component that writes it;
   * matchers instead to what is broadcast to them, where a component broadcasts.
   *
   * @param all streams that each component writes, by Storm's name of the component
   */
  public void subscribe(
      Class<Me> me, BoltDeclarer declarer, Map<String, List<Stream<?, ?, ?>>> all) {
    boolean isMatcher = me == Component.Matchers.class;
    if (isMatcher) {
      Stream.subscribeToBroadcasts(declarer);
    }
    for (Reader<?> reader : read.values()) {
      all.forEach(
          (source, streams) -> {
            boolean isBroadcast = isMatcher && reader.stream().isBroadcastBy(source);
            if (streams.contains(reader.stream()) && !isBroadcast) {
              reader.stream().subscribe(declarer, source);
            }
          });
    }
  }

  /** Returns true if the component reads a stream. */
  public boolean reads(Stream<?, ?, ?> stream) {
    return read.containsKey(stream.name());
  }

  /** Returns the streams that the component writes. */
  public List<Stream<?, ?, ?>> written() {
    return List.copyOf(written);
  }

  /** Hands a tuple's payload to the handler of its stream. */
  public void deliver(Tuple tuple) {
    deliver(Stream.nameOf(tuple), tuple.getValues());
  }

  /**
   * Hands a payload to the handler of the stream of that name, unless its fencing token is out of
   * date.
   *
   * @param values values of the tuple
   */
  public void deliver(String stream, List<Object> values) {
    Payload payload = Stream.payload(values);
    long sentIn = Stream.term(values);
    if (sentIn > 0 && sentIn < latestTerm) {
      LOG.info(
          "dropped a message of {} about {}: its writer has a successor", stream, payload.run());
      return;
    }
    latestTerm = Math.max(latestTerm, sentIn);
    onAnyPayload.accept(payload);
    Runnable handling =
        () -> runGuarded(payload.run(), payload::processed, () -> read.get(stream).take(payload));
    if (!gate.holdsBack(payload, handling)) {
      handling.run();
    }
  }

  /**
   * Executes an action for one run; an exception fails this run and no other. Log lines meanwhile
   * name the robot, as {@link #ROBOT}, and the run.
   */
  public void runGuarded(Run run, Runnable something) {
    runGuarded(run, () -> 0, something);
  }

  private void runGuarded(Run run, LongSupplier reading, Runnable something) {
    try (MDC.MDCCloseable robot = MDC.putCloseable(ROBOT, run.robot());
        MDC.MDCCloseable number = MDC.putCloseable(RUN, Long.toHexString(run.number()))) {
      doOrFail(run, reading, something);
    }
  }

  private void doOrFail(Run run, LongSupplier reading, Runnable something) {
    long at = 0;
    try {
      at = reading.getAsLong(); // A malformed message fails here.
      something.run();
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      // An uncaught error would end the worker, and with it every robot's filter.
      if (!(e instanceof LostMessageException)) {
        LOG.error("{} failed", run, e);
        report.accept(e);
      }
      onFailure.failed(run, at, e);
    }
  }
}
