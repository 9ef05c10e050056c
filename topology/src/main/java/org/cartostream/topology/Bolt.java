package org.cartostream.topology;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;
import org.cartostream.topology.task.TaskWaker;

/**
 * A Storm bolt that is one kind of {@link Component}: it names its streams in {@link #wire}, and is
 * then called with payloads.
 *
 * <p>Handlers run one at a time in the task's own thread and never block. One that throws ends its
 * robot's run ({@link StreamPorts#onFailure}); it costs the other robots nothing. It is reported to
 * Storm, too, for its own tools.
 *
 * @param <Me> the component
 */
abstract class Bolt<Me extends Component> extends BaseRichBolt {

  private static final long serialVersionUID = 1L;

  /** How often {@link #tick} is called, in seconds. */
  static final int TICK_SECONDS = PauseTolerantClock.TICK_SECONDS;

  private transient StreamPorts<Me> streamPorts;
  private transient Runnable leave;

  /** Names the streams that this component reads and writes. Called more than once. */
  abstract void wire(StreamPorts<Me> streamPorts);

  /** Called in the task before any handler. */
  abstract void start(TaskContext taskContext);

  /** Called every {@link #TICK_SECONDS}. */
  void tick() {}

  /** Called when the topology ends, if Storm has the time. */
  void stop() {}

  /** Subscribes this bolt to the streams that it reads, as far as {@code written}. */
  final void subscribe(BoltDeclarer declarer, Set<Stream<?, ?, ?>> written) {
    unconnected().subscribe(declarer, written);
  }

  /** The streams that it writes. */
  final List<Stream<Me, ?, ?>> written() {
    return unconnected().written();
  }

  @Override
  public final void declareOutputFields(OutputFieldsDeclarer declarer) {
    unconnected().declare(declarer);
  }

  private StreamPorts<Me> unconnected() {
    StreamPorts<Me> unconnected = new StreamPorts<>(StreamOutput.Sink.NOT_CONNECTED);
    wire(unconnected);
    return unconnected;
  }

  @Override
  public final void prepare(
      Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
    TaskContext taskContext = TaskContext.exclusive(context);
    TaskWaker waker = TaskWaker.of(context.getStormId());
    waker.register(context.getThisTaskId());
    leave = () -> TaskWaker.unregister(context.getStormId(), context.getThisTaskId());
    streamPorts =
        new StreamPorts<>(
            (stream, task, values) -> {
              if (task == StreamOutput.Sink.ANY) {
                waker.wake(collector.emit(stream.name(), values));
              } else {
                int target = context.getComponentTasks(stream.target()).get(task);
                collector.emitDirect(target, stream.name(), values);
                waker.wake(target);
              }
            });
    streamPorts.reportTo(collector::reportError);
    wire(streamPorts);
    start(taskContext);
  }

  @Override
  public final void execute(Tuple tuple) {
    if (tuple.getSourceStreamId().equals(Constants.SYSTEM_TICK_STREAM_ID)) {
      tick();
    } else {
      streamPorts.deliver(tuple);
    }
  }

  @Override
  public final void cleanup() {
    if (leave != null) {
      leave.run();
    }
    stop();
  }

  @Override
  public Map<String, Object> getComponentConfiguration() {
    return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECONDS);
  }
}
