package org.cartostream.topology.stream;

import java.util.List;
import java.util.Set;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Tuple;
import org.cartostream.topology.task.Component;

/**
 * A typed Storm stream from one kind of component to another, for one class of payload. A kind may
 * comprise several components: then each of them may write, or each receives every payload.
 *
 * <p>A stream is declared once, as a constant of {@link Streams}. A component uses it only through
 * its {@link StreamPorts}: if the stream starts at the component, as a {@link StreamOutput} that
 * takes only this class of payload; if it ends there, with a handler of that class. Anything else
 * does not compile. Storm's subscriptions follow from the handlers; what goes to all matchers is
 * broadcast without Storm ({@link #isBroadcastBy}).
 *
 * <p>Payloads from one task to another arrive in the order in which they were written, even on
 * different streams. Payloads from different tasks arrive in any order.
 *
 * @param <F> kind of component that writes
 * @param <T> kind of component that reads
 * @param <P> class of payload
 */
public abstract sealed class Stream<F extends Component, T extends Component, P extends Payload> {

  private static final String ROBOT = "robot";
  private static final String PAYLOAD = "payload";
  private static final String TERM = "term";
  private static final Fields FIELDS = new Fields(ROBOT, PAYLOAD, TERM);

  /**
   * Storm's name of the stream by which a matcher's worker hands it what was broadcast, on whatever
   * stream.
   */
  public static final String BROADCAST = "broadcast";

  private static final Fields BROADCAST_FIELDS = new Fields(ROBOT, PAYLOAD, TERM, "stream");

  private static final String MATCHERS = Component.nameOf(Component.Matchers.class);

  /** The components with one task, whose messages to all matchers are broadcast. */
  private static final Set<String> BROADCASTERS =
      Set.of(
          Component.nameOf(Component.Dispatcher.class),
          Component.nameOf(Component.Resampler.class));

  private final String name;
  private final Class<F> from;
  private final Class<T> to;
  private final Class<P> payload;

  /** True if each matcher gets each payload. */
  private final boolean isToMatchers;

  private Stream(String name, Class<F> from, Class<T> to, Class<P> payload, boolean isToEach) {
    this.name = name;
    this.from = from;
    this.to = to;
    this.payload = payload;
    this.isToMatchers = isToEach && Component.namesOf(to).contains(MATCHERS);
  }

  /**
   * A stream whose reading tasks are determined by the stream: all tasks, or one for each robot.
   */
  public static final class Shared<F extends Component, T extends Component, P extends Payload>
      extends Stream<F, T, P> {
    private final boolean toEach;

    private Shared(String name, Class<F> from, Class<T> to, Class<P> payload, boolean toEach) {
      super(name, from, to, payload, toEach);
      this.toEach = toEach;
    }

    /** Returns true if every task of the reader gets each payload, false if one task does. */
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

  /** A stream whose writer names the reading task. */
  public static final class Direct<F extends Component, T extends Component, P extends Payload>
      extends Stream<F, T, P> {
    private Direct(String name, Class<F> from, Class<T> to, Class<P> payload) {
      super(name, from, to, payload, false);
    }

    @Override
    void subscribe(BoltDeclarer reader, String source) {
      reader.directGrouping(source, name());
    }
  }

  /** Returns a stream on which every task of the reader gets each payload. */
  static <F extends Component, T extends Component, P extends Payload> Shared<F, T, P> toEach(
      String name, Class<F> from, Class<T> to, Class<P> payload) {
    return new Shared<>(name, from, to, payload, true);
  }

  /** Returns a stream on which the same task of the reader gets all payloads about one robot. */
  static <F extends Component, T extends Component, P extends Payload> Shared<F, T, P> byRobot(
      String name, Class<F> from, Class<T> to, Class<P> payload) {
    return new Shared<>(name, from, to, payload, false);
  }

  /** Returns a stream on which the writer names the task that gets each payload. */
  static <F extends Component, T extends Component, P extends Payload> Direct<F, T, P> direct(
      String name, Class<F> from, Class<T> to, Class<P> payload) {
    return new Direct<>(name, from, to, payload);
  }

  /**
   * Returns the values of the tuple that carries a payload.
   *
   * @param term fencing token of the writer
   */
  public static List<Object> values(Payload payload, long term) {
    return List.of(payload.run().robot(), payload, term);
  }

  /** Returns the payload in a tuple's values. */
  public static Payload payload(List<Object> values) {
    return (Payload) values.get(1);
  }

  /** Returns the writer's fencing token in a tuple's values. */
  static long term(List<Object> values) {
    return (long) values.get(2);
  }

  /**
   * Returns the values of the tuple by which a matcher's worker hands it a broadcast payload.
   *
   * @param values values of the tuple on {@code stream}
   */
  public static List<Object> broadcast(Stream<?, ?, ?> stream, List<Object> values) {
    return List.of(values.get(0), values.get(1), values.get(2), stream.name());
  }

  /** Returns the name of the stream on which the payload of a tuple was written. */
  public static String nameOf(Tuple tuple) {
    String source = tuple.getSourceStreamId();
    return source.equals(BROADCAST) ? tuple.getString(3) : source;
  }

  /**
   * Returns true if a component's payloads on this stream reach the matchers by broadcast, and only
   * other readers by Storm's stream: a worker then serializes a payload once, Storm for each task.
   *
   * @param writer Storm's name of the component
   */
  public boolean isBroadcastBy(String writer) {
    return isToMatchers && BROADCASTERS.contains(writer);
  }

  /** Subscribes the matchers to what is broadcast. */
  static void subscribeToBroadcasts(BoltDeclarer matchers) {
    matchers.directGrouping(MATCHERS, BROADCAST);
  }

  /** Declares the stream by which matchers' workers hand them what is broadcast. */
  static void declareBroadcasts(OutputFieldsDeclarer matchers) {
    matchers.declareStream(BROADCAST, true, BROADCAST_FIELDS);
  }

  /** Subscribes a reader to this stream of the component {@code source}. */
  abstract void subscribe(BoltDeclarer reader, String source);

  /** Declares this stream to Storm, for a component that writes it. */
  void declare(OutputFieldsDeclarer writer) {
    writer.declareStream(name, this instanceof Direct, FIELDS);
  }

  public String name() {
    return name;
  }

  /** Returns Storm's names of the components that write this stream. */
  public List<String> sources() {
    return Component.namesOf(from);
  }

  /** Returns Storm's names of the components that read this stream. */
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
