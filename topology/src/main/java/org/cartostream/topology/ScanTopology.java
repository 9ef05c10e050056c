package org.cartostream.topology;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.topology.TopologyBuilder;
import org.cartostream.broker.Envelope;
import org.cartostream.slam.config.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.topology.collectives.Communicator;

/** The service as a Storm topology: which components there are, and how many of each. */
public final class ScanTopology {

  /** Storm's name for the component whose tasks hold the particles. */
  public static final String MATCHERS = Party.component(Party.Matchers.class);

  private ScanTopology() {}

  /** One class of each of our modules that a worker loads. */
  public static List<Class<?>> modules() {
    return List.of(
        Settings.class, Pose.class, Envelope.class, Communicator.class, ScanTopology.class);
  }

  /**
   * The topology. Who hears whom follows from the handlers that the components name.
   *
   * @throws IllegalArgumentException if the settings do not go together
   */
  public static StormTopology of(ServiceSettings settings) {
    check(settings.topology());
    Shipped<ServiceSettings> shipped = Shipped.of(ServiceSettings.class, settings);
    ScanSpout spout = new ScanSpout(shipped);
    Map<Class<? extends Party>, Bolt<?>> bolts = bolts(settings.topology().mode(), shipped);
    Set<Stream<?, ?, ?>> written = new HashSet<>(spout.written());
    bolts.values().forEach(bolt -> written.addAll(bolt.written()));

    TopologyBuilder topology = new TopologyBuilder();
    topology.setSpout(Party.component(Party.Robots.class), spout, 1);
    bolts.forEach(
        (party, bolt) -> {
          int tasks = tasks(party, settings.topology());
          // As many executors as tasks: each task has a thread of its own.
          bolt.subscribe(
              topology.setBolt(Party.component(party), bolt, tasks).setNumTasks(tasks), written);
        });
    return topology.createTopology();
  }

  private static int tasks(Class<? extends Party> party, TopologySettings settings) {
    if (party == Party.Matchers.class) {
      return settings.tasks();
    }
    return party == Party.Publisher.class ? settings.publishers() : 1;
  }

  private static void check(TopologySettings settings) {
    if (settings.mode() == Mode.BSP
        && settings.carrier() == Carrier.MEMORY
        && settings.workers() > 1) {
      throw new IllegalArgumentException(
          "topology.carrier: tasks in "
              + settings.workers()
              + " processes (topology.workers) have no memory in common; tcp or rabbitmq would do");
    }
  }

  /** The component that plays each party. */
  static Map<Class<? extends Party>, Bolt<?>> bolts(Mode mode, Shipped<ServiceSettings> shipped) {
    Map<Class<? extends Party>, Bolt<?>> bolts = new LinkedHashMap<>();
    bolts.put(Party.Dispatcher.class, new DispatcherBolt(shipped));
    if (mode == Mode.DATAFLOW) {
      bolts.put(Party.Matchers.class, new DataflowMatcherBolt(shipped));
      bolts.put(Party.Resampler.class, new ResamplerBolt(shipped));
    } else {
      bolts.put(Party.Matchers.class, new BspMatcherBolt(shipped));
    }
    bolts.put(Party.Publisher.class, new PublisherBolt(shipped));
    return bolts;
  }

  /**
   * Storm's own configuration for it. Nothing is acked, for nothing may be replayed: a reading that
   * entered a filter twice would spoil it. Nothing is held back to be sent in batches: a batch
   * belongs to the thread that filled it, and some words come from threads that may never speak
   * again ({@link Streams#GATHERED}, {@link Streams#CLOSED}). Tasks without work are woken, see
   * {@link Doorbell}.
   */
  public static Config configuration(ServiceSettings settings) {
    Config config = new Config();
    config.setNumWorkers(settings.topology().workers());
    config.setNumAckers(0);
    config.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, 1);
    config.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, WaitStrategyPark.class.getName());
    config.put(
        Config.TOPOLOGY_BOLT_WAIT_PARK_MICROSEC,
        Doorbell.parkMicros(settings.topology().workers()));
    config.put(Config.TOPOLOGY_SPOUT_WAIT_STRATEGY, WaitStrategyPark.class.getName());
    config.put(Config.TOPOLOGY_SPOUT_WAIT_PARK_MICROSEC, Doorbell.LONG_PARK_MICROS);
    config.put(Config.TOPOLOGY_METRICS_REPORTERS, MetricsEndpoint.reporters(settings.topology()));
    Wire.register(config);
    return config;
  }
}
