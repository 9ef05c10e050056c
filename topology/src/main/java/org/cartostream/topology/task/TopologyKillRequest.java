package org.cartostream.topology.task;

import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Request to Nimbus to end the topology that this task belongs to, which frees its slots. */
public final class TopologyKillRequest implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(TopologyKillRequest.class);

  private final Map<String, Object> conf;

  private TopologyKillRequest(Map<String, Object> conf) {
    this.conf = conf;
  }

  public static TopologyKillRequest of(TopologyContext context) {
    return new TopologyKillRequest(context.getConf());
  }

  /** Sends the request once; a failure is only logged. */
  @Override
  public void run() {
    String name = (String) conf.get(Config.TOPOLOGY_NAME);
    try (NimbusClient nimbus = NimbusClient.Builder.withConf(conf).build()) {
      nimbus.getClient().killTopology(name);
    } catch (TException | RuntimeException e) {
      LOG.warn("Nimbus does not end {}: {}", name, e.toString());
    }
  }
}
