package org.cartostream.topology.stream;

import java.util.List;
import java.util.function.LongSupplier;

/**
 * The writing end of a {@link Stream}, in the hands of the component at which it starts.
 *
 * @param <P> what can be written
 */
public final class StreamOutput<P extends Payload> {

  /** Receiver of tuples: Storm's collector. */
  public interface Sink {

    /** No task index: the stream finds its reader by itself. */
    int ANY = -1;

    /**
     * @param taskIndex the reading task's index in its component, or {@link #ANY}
     */
    void emit(Stream<?, ?, ?> stream, int taskIndex, List<Object> values);

    /** Before the topology runs, nothing can be written. */
    Sink NOT_CONNECTED =
        (stream, task, values) -> {
          throw new IllegalStateException(stream + " is written to before the task is prepared");
        };
  }

  private final Stream<?, ?, P> stream;
  private final Sink sink;
  private final LongSupplier term;

  /**
   * @param term of the writer, see {@link StreamPorts#setFencingToken}
   */
  StreamOutput(Stream.Shared<?, ?, P> stream, Sink sink, LongSupplier term) {
    this.stream = stream;
    this.sink = sink;
    this.term = term;
  }

  /** Writes {@code payload}. From now on nobody may change what it holds. */
  public void emit(P payload) {
    sink.emit(stream, Sink.ANY, Stream.values(payload, term.getAsLong()));
  }

  /** The writing end of a stream whose writer names the reading task. */
  public static final class Direct<P extends Payload> {
    private final Stream<?, ?, P> stream;
    private final Sink sink;
    private final LongSupplier term;

    Direct(Stream.Direct<?, ?, P> stream, Sink sink, LongSupplier term) {
      this.stream = stream;
      this.sink = sink;
      this.term = term;
    }

    /** Writes {@code payload} for the reader's task number {@code task}, from 0. */
    public void emit(int task, P payload) {
      sink.emit(stream, task, Stream.values(payload, term.getAsLong()));
    }
  }
}
