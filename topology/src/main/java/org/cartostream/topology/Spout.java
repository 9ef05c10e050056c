package org.cartostream.topology;

import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;

/**
 * A component that plays a party from which tuples come, and to which none go.
 *
 * @param <Me> the party
 */
abstract class Spout<Me extends Party> extends BaseRichSpout {

  private static final long serialVersionUID = 1L;

  /** Names the streams that this party writes. Called more than once. */
  abstract void wire(Ports<Me> ports);

  /** Called in the task before {@link #nextTuple}. */
  abstract void start();

  @Override
  public final void declareOutputFields(OutputFieldsDeclarer declarer) {
    unconnected().declare(declarer);
  }

  /** The streams that it writes. */
  final List<Stream<Me, ?, ?>> written() {
    return unconnected().written();
  }

  private Ports<Me> unconnected() {
    Ports<Me> unconnected = new Ports<>(Outlet.Sink.NOT_CONNECTED);
    wire(unconnected);
    return unconnected;
  }

  @Override
  public final void open(
      Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
    Place.alone(context);
    Doorbell bell = Doorbell.of(context.getStormId());
    wire(new Ports<>((stream, task, values) -> bell.ring(collector.emit(stream.name(), values))));
    start();
  }
}
