package org.cartostream.topology;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.policy.WaitStrategyPark;
import org.apache.storm.topology.TopologyBuilder;
import org.cartostream.broker.message.Envelope;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.collectives.Communicator;
import org.cartostream.collectives.transport.GroupTransport;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.topology.bolt.Bolt;
import org.cartostream.topology.dispatch.DispatcherBolt;
import org.cartostream.topology.match.BspMatcherBolt;
import org.cartostream.topology.match.DataflowMatcherBolt;
import org.cartostream.topology.match.ResamplerBolt;
import org.cartostream.topology.metrics.MetricsEndpoint;
import org.cartostream.topology.publish.PublisherBolt;
import org.cartostream.topology.settings.ResamplingMode;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.KryoRegistration;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.TaskWaker;

/** The service as a Storm topology: its components, and the number of tasks of each. */
public final class ScanTopology {

  /** Storm's name of the component whose tasks hold the particles. */
  public static final String MATCHERS = Component.nameOf(Component.Matchers.class);

  private ScanTopology() {}

  /** Returns one class from each of this project's modules that a worker loads. */
  public static List<Class<?>> modules() {
    return List.of(
        Settings.class,
        Pose.class,
        Envelope.class,
        Communicator.class,
        CheckpointStore.class,
        ScanTopology.class);
  }

  /**
   * Returns the topology of a service. Each component receives the streams for which it has
   * registered handlers.
   *
   * @throws IllegalArgumentException if the settings contradict each other
   */
  public static StormTopology of(ServiceSettings settings) {
    check(settings.topology());
    SerializedSettings<ServiceSettings> serializedSettings =
        SerializedSettings.of(ServiceSettings.class, settings);
    Map<Class<? extends Component>, Bolt<?>> bolts =
        bolts(settings.topology().mode(), serializedSettings);
    Map<String, List<Stream<?, ?, ?>>> written = new LinkedHashMap<>();
    bolts.forEach((component, bolt) -> written.put(Component.nameOf(component), bolt.written()));

    TopologyBuilder topology = new TopologyBuilder();
    bolts.forEach(
        (component, bolt) -> {
          int tasks = tasks(component, settings.topology());
          // As many executors as tasks: each task has a thread of its own.
          bolt.subscribe(
              topology.setBolt(Component.nameOf(component), bolt, tasks).setNumTasks(tasks),
              written);
        });
    return topology.createTopology();
  }

  private static int tasks(Class<? extends Component> component, TopologySettings settings) {
    return component == Component.Matchers.class ? settings.tasks() : 1;
  }

  private static void check(TopologySettings settings) {
    String name = settings.collectiveTransport();
    boolean crossesProcesses;
    try (GroupTransport transport = GroupTransport.named(name)) {
      crossesProcesses = transport.crossesProcesses();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("topology.collectiveTransport: " + e.getMessage(), e);
    }
    if (settings.mode() == ResamplingMode.BSP && !crossesProcesses && settings.workers() > 1) {
      throw new IllegalArgumentException(
          "topology.collectiveTransport: tasks in %d processes (topology.workers) cannot meet by %s; shared-memory, tcp or rabbitmq would do"
              .formatted(settings.workers(), name));
    }
  }

  /** Returns the bolt of each component. */
  static Map<Class<? extends Component>, Bolt<?>> bolts(
      ResamplingMode mode, SerializedSettings<ServiceSettings> serializedSettings) {
    Map<Class<? extends Component>, Bolt<?>> bolts = new LinkedHashMap<>();
    bolts.put(Component.Dispatcher.class, new DispatcherBolt(serializedSettings));
    if (mode == ResamplingMode.DATAFLOW) {
      bolts.put(Component.Matchers.class, new DataflowMatcherBolt(serializedSettings));
      bolts.put(Component.Resampler.class, new ResamplerBolt(serializedSettings));
    } else {
      bolts.put(Component.Matchers.class, new BspMatcherBolt(serializedSettings));
    }
    bolts.put(Component.Publisher.class, new PublisherBolt(serializedSettings));
    return bolts;
  }

  /**
   * Returns Storm's configuration for the topology. Storm acknowledges no tuples, as messages lost
   * in a failure are repeated from a checkpoint on. Storm sends tuples one by one, not in batches:
   * a batch belongs to the thread that filled it, and some messages come from threads that may
   * never send again ({@link Streams#GATHERED}, {@link Streams#BACKGROUND_DONE}). Tasks without
   * work sleep until {@link TaskWaker} wakes them.
   */
  public static Config configuration(ServiceSettings settings) {
    Config config = new Config();
    config.setNumWorkers(settings.topology().workers());
    config.setNumAckers(0);
    config.put(Config.TOPOLOGY_PRODUCER_BATCH_SIZE, 1);
    config.put(Config.TOPOLOGY_BOLT_WAIT_STRATEGY, WaitStrategyPark.class.getName());
    config.put(
        Config.TOPOLOGY_BOLT_WAIT_PARK_MICROSEC,
        TaskWaker.parkMicros(settings.topology().workers()));
    config.put(Config.TOPOLOGY_METRICS_REPORTERS, MetricsEndpoint.reporters(settings.topology()));
    KryoRegistration.registerWithStorm(config);
    return config;
  }
}
