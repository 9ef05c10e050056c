package org.cartostream.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.tuple.Tuple;

/**
 * The streams of one party, as its component names them: what it writes and what it reads.
 *
 * <p>The component names them twice: before the topology starts, so that Storm can be told, and in
 * the task, where its outlets then lead somewhere.
 *
 * @param <Me> the party
 */
public final class Ports<Me extends Party> {

  private final Outlet.Sink sink;
  private final List<Stream<Me, ?, ?>> written = new ArrayList<>();
  private final Map<String, Reader<?>> read = new LinkedHashMap<>();

  private record Reader<P extends Payload>(Stream<?, ?, P> stream, Consumer<? super P> handler) {

    void take(Object payload) {
      handler.accept(stream.payload().cast(payload));
    }
  }

  Ports(Outlet.Sink sink) {
    this.sink = sink;
  }

  /** Reads {@code stream}: each payload goes to {@code handler}. */
  public <P extends Payload> void on(Stream<?, Me, P> stream, Consumer<? super P> handler) {
    if (read.put(stream.name(), new Reader<>(stream, handler)) != null) {
      throw new IllegalArgumentException(stream + " has two handlers; it can have one");
    }
  }

  /** Writes {@code stream}. */
  public <P extends Payload> Outlet<P> out(Stream.Shared<Me, ?, P> stream) {
    written.add(stream);
    return new Outlet<>(stream, sink);
  }

  /** Writes {@code stream}, task by task. */
  public <P extends Payload> Outlet.Direct<P> out(Stream.Direct<Me, ?, P> stream) {
    written.add(stream);
    return new Outlet.Direct<>(stream, sink);
  }

  void declare(OutputFieldsDeclarer declarer) {
    written.forEach(stream -> stream.declare(declarer));
  }

  void subscribe(BoltDeclarer declarer) {
    read.values().forEach(reader -> reader.stream().subscribe(declarer));
  }

  /** Hands a tuple's payload to the handler of its stream. */
  void deliver(Tuple tuple) {
    deliver(tuple.getSourceStreamId(), tuple.getValue(1));
  }

  /** Hands a payload to the handler of the stream of that name. */
  void deliver(String stream, Object payload) {
    read.get(stream).take(payload);
  }
}
