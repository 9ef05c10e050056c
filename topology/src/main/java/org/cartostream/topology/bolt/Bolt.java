package org.cartostream.topology.bolt;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.apache.storm.Config;
import org.apache.storm.Constants;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.BoltDeclarer;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.topology.memory.EncodingBudget;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.status.TaskStatus;
import org.cartostream.topology.status.WorkerHeartbeat;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.HungTaskWatchdog;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;
import org.cartostream.topology.task.TaskWaker;
import org.cartostream.topology.task.TopologyEnd;

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
public abstract class Bolt<Me extends Component> extends BaseRichBolt {

  private static final long serialVersionUID = 1L;

  /** Period of {@link #tick}, seconds. */
  public static final int TICK_SECONDS = PauseTolerantClock.TICK_SECONDS;

  private final SerializedSettings<ServiceSettings> serializedSettings;
  private final Class<Me> me;

  private transient ServiceSettings settings;
  private transient StreamPorts<Me> streamPorts;
  private transient Runnable leave;
  private transient HungTaskWatchdog.Activity activity;
  private transient TaskStatus status;
  private transient ExecutorService writer;
  private transient OffloadPool offload;
  private transient ExecutorService nimbusCaller;
  private transient TopologyEnd topologyEnd;
  private transient ErrorReporter errorReporter;

  public Bolt(SerializedSettings<ServiceSettings> serializedSettings, Class<Me> me) {
    this.serializedSettings = serializedSettings;
    this.me = me;
  }

  /** The component that it is. */
  final Class<Me> component() {
    return me;
  }

  /** The service's settings, in the task. */
  public final ServiceSettings settings() {
    if (settings == null) {
      settings = serializedSettings.unpack();
    }
    return settings;
  }

  /** Names the streams that this component reads and writes. Called more than once. */
  public abstract void wire(StreamPorts<Me> streamPorts);

  /**
   * Called in the task before any handler.
   *
   * @param checkpoints the task's part of them
   */
  public abstract void start(TaskContext taskContext, TaskCheckpoints checkpoints);

  /** Called every {@link #TICK_SECONDS}. */
  public void tick() {}

  /** The runs of which it has a state. */
  public abstract List<Run> runs();

  /** Called when the topology ends, if Storm has the time. */
  public void stop() {}

  /** Subscribes this bolt to the streams that it reads, as far as {@code written}. */
  public final void subscribe(BoltDeclarer declarer, Map<String, List<Stream<?, ?, ?>>> written) {
    unconnected().subscribe(declarer, written);
  }

  /** Asks Nimbus to end the topology; without effect where it is in no Storm. */
  public final void endTopology() {
    if (topologyEnd != null) {
      nimbusCaller.execute(topologyEnd);
    }
  }

  /** Tells Storm what is wrong; null where it is in no Storm. */
  public final ErrorReporter errorReporter() {
    return errorReporter;
  }

  /** The streams that it writes. */
  public final List<Stream<?, ?, ?>> written() {
    return unconnected().written();
  }

  @Override
  public final void declareOutputFields(OutputFieldsDeclarer declarer) {
    unconnected().declare(declarer);
  }

  /** Null where there are no checkpoints. */
  private CheckpointStore store() {
    CheckpointSettings checkpoint = settings().checkpoint();
    return checkpoint.folder().isEmpty() || checkpoint.everySeconds() == 0
        ? null
        : CheckpointStore.at(checkpoint.folder());
  }

  private StreamPorts<Me> unconnected() {
    StreamPorts<Me> unconnected = new StreamPorts<>(StreamOutput.Sink.NOT_CONNECTED);
    wire(unconnected);
    return unconnected;
  }

  @Override
  public final void prepare(
      Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
    Supplier<HungTaskWatchdog.Activity> watched =
        () ->
            HungTaskWatchdog.ofProcess()
                .watch(
                    Component.nameOf(me),
                    Math.max(
                        settings().topology().hungSeconds(),
                        settings().topology().readingTimeoutSeconds()),
                    !"local".equals(conf.get(Config.STORM_CLUSTER_MODE)));
    offload = new OffloadPool(OffloadPool.MAX_THREADS, watched, () -> status);
    TaskContext taskContext = TaskContext.exclusive(context, offload);
    TaskWaker waker = TaskWaker.of(context.getStormId());
    waker.register(context.getThisTaskId());
    activity = watched.get();
    status = new TaskStatus(me, taskContext.task(), activity);
    WorkerHeartbeat.join(taskContext.topology(), taskContext.host(), settings().broker(), status);
    leave =
        () -> {
          TaskWaker.unregister(context.getStormId(), context.getThisTaskId());
          WorkerHeartbeat.leave(taskContext.topology(), status);
        };
    streamPorts =
        new StreamPorts<>(
            (stream, task, values) -> {
              if (task == StreamOutput.Sink.ANY) {
                waker.wake(collector.emit(stream.name(), values));
              } else {
                String component = stream.targets().get(0); // A direct stream has one reader.
                int target = context.getComponentTasks(component).get(task);
                collector.emitDirect(target, stream.name(), values);
                waker.wake(target);
              }
            });
    streamPorts.reportTo(collector::reportError);
    wire(streamPorts);
    writer = Executors.newSingleThreadExecutor(new DefaultThreadFactory("checkpoint-writer", true));
    String part = TaskCheckpoints.partName(component(), taskContext.task());
    nimbusCaller = Executors.newSingleThreadExecutor(new DefaultThreadFactory("nimbus", true));
    topologyEnd = TopologyEnd.of(context);
    errorReporter = new ErrorReporter(collector::reportError, nimbusCaller);
    start(
        taskContext,
        new TaskCheckpoints(store(), writer, EncodingBudget.ofProcess(), part, System::nanoTime));
  }

  @Override
  public final void execute(Tuple tuple) {
    if (tuple.getSourceStreamId().equals(Streams.RESTORE.name())) {
      streamPorts.deliver(tuple); // It may wait for a slow store: the dispatcher looks at the time.
      return;
    }
    activity.turn();
    try {
      if (tuple.getSourceStreamId().equals(Constants.SYSTEM_TICK_STREAM_ID)) {
        tick();
        status.holds(runs());
      } else {
        streamPorts.deliver(tuple);
      }
    } finally {
      activity.turn();
    }
  }

  @Override
  public final void cleanup() {
    if (leave != null) {
      leave.run();
      HungTaskWatchdog.ofProcess().forget(activity);
      writer.shutdownNow();
      offload.end();
      nimbusCaller.shutdownNow();
    }
    stop();
  }

  @Override
  public Map<String, Object> getComponentConfiguration() {
    return Map.of(Config.TOPOLOGY_TICK_TUPLE_FREQ_SECS, TICK_SECONDS);
  }
}
