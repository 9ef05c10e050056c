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
 * A Storm spout that is one kind of {@link Component}, which writes streams and reads none.
 *
 * @param <Me> the component
 */
abstract class Spout<Me extends Component> extends BaseRichSpout {

  private static final long serialVersionUID = 1L;

  /** Names the streams that this component writes. Called more than once. */
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
    TaskWaker waker = TaskWaker.of(context.getStormId());
    wire(
        new StreamPorts<>(
            (stream, task, values) -> waker.wake(collector.emit(stream.name(), values))));
    start();
  }
}
