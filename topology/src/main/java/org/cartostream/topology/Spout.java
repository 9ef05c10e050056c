package org.cartostream.topology;

import java.util.List;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskContext;
import org.cartostream.topology.task.TaskWaker;

/**
 * A component that plays a party from which tuples come, and to which none go.
 *
 * @param <Me> the party
 */
abstract class Spout<Me extends Component> extends BaseRichSpout {

  private static final long serialVersionUID = 1L;

  /** Names the streams that this party writes. Called more than once. */
  abstract void wire(StreamPorts<Me> streamPorts);

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

  private StreamPorts<Me> unconnected() {
    StreamPorts<Me> unconnected = new StreamPorts<>(StreamOutput.Sink.NOT_CONNECTED);
    wire(unconnected);
    return unconnected;
  }

  @Override
  public final void open(
      Map<String, Object> conf, TopologyContext context, SpoutOutputCollector collector) {
    TaskContext.exclusive(context);
    TaskWaker bell = TaskWaker.of(context.getStormId());
    wire(
        new StreamPorts<>(
            (stream, task, values) -> bell.wake(collector.emit(stream.name(), values))));
    start();
  }
}
