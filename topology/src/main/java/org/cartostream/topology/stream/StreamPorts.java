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
 * <p>The component names them twice: before the topology starts, so that they can be declared to
 * Storm, and in the task, where its outputs are then connected.
 *
 * @param <Me> the component
 */
public final class StreamPorts<Me extends Component> {

  /** Under this key of SLF4J's diagnostic context stands the id of the robot that is served. */
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

  /** Reads {@code stream}: each payload goes to {@code handler}. */
  public <P extends Payload> void on(Stream<?, ? super Me, P> stream, Consumer<? super P> handler) {
    if (read.put(stream.name(), new Reader<>(stream, handler)) != null) {
      throw new IllegalArgumentException(stream + " has two handlers; it can have one");
    }
  }

  /** Takes what a handler has thrown. */
  public interface FailureHandler {

    /**
     * Something failed.
     *
     * @param run whose payload it was
     * @param reading number of the reading that the payload was about; 0 for none
     */
    void failed(Run run, long reading, Throwable how);
  }

  /** Keeps back payloads that cannot be handled yet. */
  public interface Gate {

    /**
     * Looks at a payload that is to be handled.
     *
     * @param handling handles it, now or later
     * @return true if it is kept back, and handled later
     */
    boolean holdsBack(Payload payload, Runnable handling);
  }

  /** Sets the handler of what other handlers throw. */
  public void onFailure(FailureHandler handler) {
    onFailure = handler;
  }

  /** Before any payload is handled, {@code listener} takes it. */
  public void onAnyPayload(Consumer<Payload> listener) {
    onAnyPayload = listener;
  }

  /** Payloads are handled when {@code keeper} lets them. */
  public void holdBackBy(Gate keeper) {
    gate = keeper;
  }

  /** Besides, it is reported to Storm. */
  public void reportTo(Consumer<Throwable> storm) {
    report = storm;
  }

  /**
   * Sets the fencing token that messages carry from now on. A predecessor that was cut off may
   * still write: whoever has received something of its successor drops what is older. Components of
   * many tasks use 0, which is never dropped.
   *
   * @param number of the writer's term; greater than all before it
   */
  public void setFencingToken(long number) {
    term = number;
  }

  /** Writes {@code stream}. */
  public <P extends Payload> StreamOutput<P> out(Stream.Shared<? super Me, ?, P> stream) {
    written.add(stream);
    return new StreamOutput<>(stream, sink, () -> term);
  }

  /** Writes {@code stream}, task by task. */
  public <P extends Payload> StreamOutput.Direct<P> out(Stream.Direct<? super Me, ?, P> stream) {
    written.add(stream);
    return new StreamOutput.Direct<>(stream, sink, () -> term);
  }

  public void declare(OutputFieldsDeclarer declarer) {
    written.forEach(stream -> stream.declare(declarer));
  }

  /**
   * Subscribes to what it reads, from whoever writes it.
   *
   * @param all what each component writes, by Storm's name for it
   */
  public void subscribe(BoltDeclarer declarer, Map<String, List<Stream<?, ?, ?>>> all) {
    for (Reader<?> reader : read.values()) {
      all.forEach(
          (source, streams) -> {
            if (streams.contains(reader.stream())) {
              reader.stream().subscribe(declarer, source);
            }
          });
    }
  }

  /** True if it reads this stream. */
  public boolean reads(Stream<?, ?, ?> stream) {
    return read.containsKey(stream.name());
  }

  /** The streams that it writes. */
  public List<Stream<?, ?, ?>> written() {
    return List.copyOf(written);
  }

  /** Hands a tuple's payload to the handler of its stream. */
  public void deliver(Tuple tuple) {
    deliver(tuple.getSourceStreamId(), tuple.getValues());
  }

  /** Hands a payload to the handler of the stream of that name, unless its term is over. */
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
   * Does something for one run; if it fails, that is this run's failure and no other's. Whatever is
   * logged meanwhile names the robot, as {@link #ROBOT}, and the run.
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
      at = reading.getAsLong(); // A message that makes no sense fails here.
      something.run();
    } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
      // An error that got through would end the worker, and with it every robot's filter.
      if (!(e instanceof LostMessageException)) {
        LOG.error("{} failed", run, e);
        report.accept(e);
      }
      onFailure.failed(run, at, e);
    }
  }
}
