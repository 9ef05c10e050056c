package org.cartostream.topology.stream;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * The writing end of a {@link Stream}, for the component at which the stream starts.
 *
 * @param <P> class of payload
 */
public final class StreamOutput<P extends Payload> {

  /** Receiver of tuples; in a topology, Storm's collector. */
  public interface Sink {

    /**
     * Value in place of a task's index, for streams that determine the reading tasks themselves.
     */
    int ANY = -1;

    /**
     * @param taskIndex index of the reading task in its component, or {@link #ANY}
     * @param values values of the tuple
     */
    void emit(Stream<?, ?, ?> stream, int taskIndex, List<Object> values);

    /** Returns false if readers are so far behind that key frames should wait. */
    default boolean hasRoom() {
      return true;
    }

    /** Sink before the topology runs, on which nothing can be written. */
    Sink NOT_CONNECTED =
        (stream, task, values) -> {
          throw new IllegalStateException(stream + " is written to before the task is prepared");
        };
  }

  private final Stream<?, ?, P> stream;
  private final Sink sink;
  private final LongSupplier term;

  /**
   * @param term fencing token of the writer, see {@link StreamPorts#setFencingToken}
   */
  StreamOutput(Stream.Shared<?, ?, P> stream, Sink sink, LongSupplier term) {
    this.stream = stream;
    this.sink = sink;
    this.term = term;
  }

  /** Writes a payload, which must not be changed from now on. */
  public void emit(P payload) {
    sink.emit(stream, Sink.ANY, Stream.values(payload, term.getAsLong()));
  }

  /** Returns false if readers are so far behind that payloads which can wait should wait. */
  public boolean hasRoom() {
    return sink.hasRoom();
  }

  /** The writing end of a {@link Stream.Direct}, whose writer names the reading task. */
  public static final class Direct<P extends Payload> {
    private final Stream<?, ?, P> stream;
    private final Sink sink;
    private final LongSupplier term;

    Direct(Stream.Direct<?, ?, P> stream, Sink sink, LongSupplier term) {
      this.stream = stream;
      this.sink = sink;
      this.term = term;
    }

    /**
     * Writes a payload for one task of the reader.
     *
     * @param task index of the task in its component, from 0
     */
    public void emit(int task, P payload) {
      sink.emit(stream, task, Stream.values(payload, term.getAsLong()));
    }
  }
}
