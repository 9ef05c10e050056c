package org.cartostream.topology.stream;

import java.util.List;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.cartostream.topology.task.Component;

/**
 * A typed Storm stream from one kind of component to another, for one class of payload. A kind may
 * be several components: each of those writes, or each gets, what is written.
 *
 * <p>A stream is declared once, as a constant of {@link Streams}. A component gets at it only
 * through its {@link StreamPorts}: as a {@link StreamOutput} that takes this payload and nothing
 * else if the stream starts at the component, as a handler of this payload if it ends there.
 * Anything else does not compile. All the wiring follows from the handlers.
 *
 * <p>What one task writes for another arrives in the order in which it was written, whatever the
 * streams. What two tasks write arrives in any order.
 *
 * @param <F> who writes
 * @param <T> who reads
 * @param <P> what is written
 */
public abstract sealed class Stream<F extends Component, T extends Component, P extends Payload> {

  private static final String ROBOT = "robot";
  private static final String PAYLOAD = "payload";
  private static final String TERM = "term";
  private static final Fields FIELDS = new Fields(ROBOT, PAYLOAD, TERM);

  private final String name;
  private final Class<F> from;
  private final Class<T> to;
  private final Class<P> payload;

  private Stream(String name, Class<F> from, Class<T> to, Class<P> payload) {
    this.name = name;
    this.from = from;
    this.to = to;
    this.payload = payload;
  }

  /** A stream that finds its reader by itself. */
  public static final class Shared<F extends Component, T extends Component, P extends Payload>
      extends Stream<F, T, P> {
    private final boolean toEach;

    private Shared(String name, Class<F> from, Class<T> to, Class<P> payload, boolean toEach) {
      super(name, from, to, payload);
      this.toEach = toEach;
    }

    /** True if every task of the reader gets what is written, false if one does. */
    public boolean isToEach() {
      return toEach;
    }

    @Override
    void subscribe(BoltDeclarer reader, String source) {
      if (toEach) {
        reader.allGrouping(source, name());
      } else {
        reader.fieldsGrouping(source, name(), new Fields(ROBOT));
      }
    }
  }

  /** A stream whose writer names the task that reads. */
  public static final class Direct<F extends Component, T extends Component, P extends Payload>
      extends Stream<F, T, P> {
    private Direct(String name, Class<F> from, Class<T> to, Class<P> payload) {
      super(name, from, to, payload);
    }

    @Override
    void subscribe(BoltDeclarer reader, String source) {
      reader.directGrouping(source, name());
    }
  }

  /** Returns a stream of which every task of the reader is sent what is written. */
  static <F extends Component, T extends Component, P extends Payload> Shared<F, T, P> toEach(
      String name, Class<F> from, Class<T> to, Class<P> payload) {
    return new Shared<>(name, from, to, payload, true);
  }

  /**
   * Returns a stream of which the same task of the reader is always sent what is written about one
   * robot.
   */
  static <F extends Component, T extends Component, P extends Payload> Shared<F, T, P> byRobot(
      String name, Class<F> from, Class<T> to, Class<P> payload) {
    return new Shared<>(name, from, to, payload, false);
  }

  /** Returns a stream of which the task that the writer names is sent what is written. */
  static <F extends Component, T extends Component, P extends Payload> Direct<F, T, P> direct(
      String name, Class<F> from, Class<T> to, Class<P> payload) {
    return new Direct<>(name, from, to, payload);
  }

  /** A payload as it travels, with the writer's term. */
  public static List<Object> values(Payload payload, long term) {
    return List.of(payload.run().robot(), payload, term);
  }

  /** The payload of what travels. */
  public static Payload payload(List<Object> values) {
    return (Payload) values.get(1);
  }

  /** The writer's term of what travels. */
  static long term(List<Object> values) {
    return (long) values.get(2);
  }

  /** Subscribes {@code reader} to this stream as {@code source} writes it. */
  abstract void subscribe(BoltDeclarer reader, String source);

  /** Declares this stream to Storm; called on the side that writes. */
  void declare(OutputFieldsDeclarer writer) {
    writer.declareStream(name, this instanceof Direct, FIELDS);
  }

  public String name() {
    return name;
  }

  /** Storm's names of the components that write it. */
  public List<String> sources() {
    return Component.namesOf(from);
  }

  /** Storm's names of the components that read it. */
  public List<String> targets() {
    return Component.namesOf(to);
  }

  public Class<P> payload() {
    return payload;
  }

  @Override
  public String toString() {
    return name + " (" + Component.nameOf(from) + " to " + Component.nameOf(to) + ")";
  }
}
