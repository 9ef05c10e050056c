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
import org.cartostream.topology.broadcast.MatcherInbox;
import org.cartostream.topology.broadcast.WorkerBroadcast;
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
import org.cartostream.topology.task.TopologyKillRequest;

/**
 * A Storm bolt that implements one {@link Component}: it registers its streams and handlers in
 * {@link #wire}; the handlers are then called with payloads.
 *
 * <p>Handlers run one at a time in the task's own thread and must not block. A handler that throws
 * ends the run of its robot only ({@link StreamPorts#onFailure}). The exception is also reported to
 * Storm, whose tools show it.
 *
 * @param <Me> the component that the bolt implements
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

  /** The way to all matchers; null for a component that has no part in it. */
  private transient WorkerBroadcast broadcast;

  /** Inbox of this matcher; null for other components. */
  private transient MatcherInbox inbox;

  private transient HungTaskWatchdog.Activity activity;
  private transient TaskStatus status;
  private transient ExecutorService writer;
  private transient OffloadPool offload;
  private transient ExecutorService nimbusCaller;
  private transient TopologyKillRequest killRequest;
  private transient ErrorReporter errorReporter;

  public Bolt(SerializedSettings<ServiceSettings> serializedSettings, Class<Me> me) {
    this.serializedSettings = serializedSettings;
    this.me = me;
  }

  /** Returns the component that the bolt implements. */
  final Class<Me> component() {
    return me;
  }

  /** Returns the service's settings, decoded at the first call. */
  public final ServiceSettings settings() {
    if (settings == null) {
      settings = serializedSettings.unpack();
    }
    return settings;
  }

  /**
   * Registers the streams that this component reads, with their handlers, and those that it writes.
   * Called more than once.
   */
  public abstract void wire(StreamPorts<Me> streamPorts);

  /**
   * Starts the task; called before any handler.
   *
   * @param checkpoints writer and reader of the task's part of checkpoints
   */
  public abstract void start(TaskContext taskContext, TaskCheckpoints checkpoints);

  /** Does periodic work; called every {@link #TICK_SECONDS}. */
  public void tick() {}

  /** Returns the runs of which this task has a state. */
  public abstract List<Run> runs();

  /**
   * Learns that messages to this task were lost, of whatever runs; called in the task's thread.
   *
   * @param sentence which ones, for people
   */
  public void missed(String sentence) {}

  /** Releases resources; Storm may call it when the topology ends. */
  public void stop() {}

  /**
   * Subscribes this bolt to those of the streams it reads that other components write.
   *
   * @param written streams that each component writes, by the component's name
   */
  public final void subscribe(BoltDeclarer declarer, Map<String, List<Stream<?, ?, ?>>> written) {
    unconnected().subscribe(me, declarer, written);
  }

  /** Asks Nimbus to end the topology; does nothing in tests without Storm. */
  public final void endTopology() {
    if (killRequest != null) {
      nimbusCaller.execute(killRequest);
    }
  }

  /** Returns the reporter of errors to Storm; null in tests without Storm. */
  public final ErrorReporter errorReporter() {
    return errorReporter;
  }

  /** Returns the streams that this component writes. */
  public final List<Stream<?, ?, ?>> written() {
    return unconnected().written();
  }

  @Override
  public final void declareOutputFields(OutputFieldsDeclarer declarer) {
    unconnected().declare(me, declarer);
  }

  /** Returns the store of checkpoints; null if the settings have none. */
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
    if (me != Component.Publisher.class) {
      joinBroadcast(context, collector, taskContext, waker);
    }
    streamPorts = new StreamPorts<>(sink(context, collector, waker));
    streamPorts.reportTo(collector::reportError);
    wire(streamPorts);
    writer = Executors.newSingleThreadExecutor(new DefaultThreadFactory("checkpoint-writer", true));
    String part = TaskCheckpoints.partName(component(), taskContext.task());
    nimbusCaller = Executors.newSingleThreadExecutor(new DefaultThreadFactory("nimbus", true));
    killRequest = TopologyKillRequest.of(context);
    errorReporter = new ErrorReporter(collector::reportError, nimbusCaller);
    start(
        taskContext,
        new TaskCheckpoints(store(), writer, EncodingBudget.ofProcess(), part, System::nanoTime));
  }

  private void joinBroadcast(
      TopologyContext context,
      OutputCollector collector,
      TaskContext taskContext,
      TaskWaker waker) {
    broadcast = WorkerBroadcast.join(context, taskContext, settings());
    if (me == Component.Matchers.class) {
      int self = context.getThisTaskId();
      inbox = broadcast.inbox(taskContext.task());
      inbox.open(
          values -> {
            collector.emitDirect(self, Stream.BROADCAST, values);
            waker.wake(self);
          });
    } else {
      broadcast.awaitAll();
    }
  }

  private StreamOutput.Sink sink(
      TopologyContext context, OutputCollector collector, TaskWaker waker) {
    return new StreamOutput.Sink() {
      @Override
      public void emit(Stream<?, ?, ?> stream, int task, List<Object> values) {
        if (task == ANY) {
          waker.wake(collector.emit(stream.name(), values));
          if (stream.isBroadcastBy(Component.nameOf(me))) {
            broadcast.send(stream, values);
          }
        } else {
          // A direct stream has one receiving component.
          int target = context.getComponentTasks(stream.targets().get(0)).get(task);
          collector.emitDirect(target, stream.name(), values);
          waker.wake(target);
        }
      }

      @Override
      public boolean hasRoom() {
        return broadcast == null || broadcast.hasRoom();
      }
    };
  }

  @Override
  public final void execute(Tuple tuple) {
    if (inbox != null) {
      if (tuple.getSourceStreamId().equals(Stream.BROADCAST)) {
        inbox.taken();
      }
      inbox.missed().ifPresent(this::missed);
    }
    if (Stream.nameOf(tuple).equals(Streams.RESTORE.name())) {
      streamPorts.deliver(tuple); // Not watched: it may wait for a slow store.
      return;
    }
    activity.turn();
    try {
      if (tuple.getSourceStreamId().equals(Constants.SYSTEM_TICK_STREAM_ID)) {
        tick();
        if (broadcast != null && inbox == null) {
          broadcast.beat();
        }
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
    if (broadcast != null) {
      broadcast.close();
    }
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
