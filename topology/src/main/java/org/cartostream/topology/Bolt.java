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

/**
 * A component that plays one party: it names its streams in {@link #wire}, and is then called with
 * payloads.
 *
 * <p>Handlers run one at a time in the task's own thread and never block. One that throws ends its
 * robot's run ({@link Ports#onFailure}); it costs the other robots nothing. Storm hears of it, too,
 * for its own tools.
 *
 * @param <Me> the party
 */
abstract class Bolt<Me extends Party> extends BaseRichBolt {

  private static final long serialVersionUID = 1L;

  /** How often {@link #tick} is called, in seconds. */
  static final int TICK_SECONDS = AwakeClock.TICK_SECONDS;

  private transient Ports<Me> ports;
  private transient Runnable leave;

  /** Names the streams that this party reads and writes. Called more than once. */
  abstract void wire(Ports<Me> ports);

  /** Called in the task before any handler. */
  abstract void start(Place place);

  /** Called every {@link #TICK_SECONDS}. */
  void tick() {}

  /** Called when the topology ends, if Storm has the time. */
  void stop() {}

  /** Makes this bolt hear the streams that it reads, as far as {@code written}. */
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

  private Ports<Me> unconnected() {
    Ports<Me> unconnected = new Ports<>(Outlet.Sink.NOT_CONNECTED);
    wire(unconnected);
    return unconnected;
  }

  @Override
  public final void prepare(
      Map<String, Object> conf, TopologyContext context, OutputCollector collector) {
    Place place = Place.alone(context);
    Doorbell bell = Doorbell.of(context.getStormId());
    bell.answer(context.getThisTaskId());
    leave = () -> Doorbell.leave(context.getStormId(), context.getThisTaskId());
    ports =
        new Ports<>(
            (stream, task, values) -> {
              if (task == Outlet.Sink.ANY) {
                bell.ring(collector.emit(stream.name(), values));
              } else {
                int target = context.getComponentTasks(stream.target()).get(task);
                collector.emitDirect(target, stream.name(), values);
                bell.ring(target);
              }
            });
    ports.reportTo(collector::reportError);
    wire(ports);
    start(place);
  }

  @Override
  public final void execute(Tuple tuple) {
    if (tuple.getSourceStreamId().equals(Constants.SYSTEM_TICK_STREAM_ID)) {
      tick();
    } else {
      ports.deliver(tuple);
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
