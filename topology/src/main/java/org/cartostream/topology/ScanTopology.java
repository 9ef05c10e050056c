package org.cartostream.topology;

import org.apache.storm.Config;
import org.apache.storm.generated.StormTopology;
import org.apache.storm.topology.TopologyBuilder;

/** The service as a Storm topology: which components there are, and how many of each. */
public final class ScanTopology {

  private ScanTopology() {}

  /** The topology. Who hears whom follows from the handlers that the components name. */
  public static StormTopology of(ServiceSettings settings) {
    Shipped<ServiceSettings> shipped = Shipped.of(ServiceSettings.class, settings);
    TopologyBuilder topology = new TopologyBuilder();
    topology.setSpout(Party.component(Party.Robots.class), new ScanSpout(shipped), 1);
    put(topology, Party.Dispatcher.class, new DispatcherBolt(shipped), 1);
    put(topology, Party.Matchers.class, new ScanMatcherBolt(shipped), settings.topology().tasks());
    put(topology, Party.Resampler.class, new ResamplerBolt(shipped), 1);
    put(topology, Party.Publisher.class, new PublisherBolt(shipped), 1);
    return topology.createTopology();
  }

  /** As many executors as tasks: each task has a thread of its own. */
  private static <T extends Party> void put(
      TopologyBuilder topology, Class<T> party, Bolt<T> bolt, int tasks) {
    bolt.subscribe(topology.setBolt(Party.component(party), bolt, tasks).setNumTasks(tasks));
  }

  /**
   * Storm's own configuration for it. Nothing is acked, for nothing may be replayed: a reading that
   * entered a filter twice would spoil it.
   */
  public static Config configuration(ServiceSettings settings) {
    Config config = new Config();
    config.setNumWorkers(settings.topology().workers());
    config.setNumAckers(0);
    Wire.register(config);
    return config;
  }
}
