package org.cartostream.deploy.submission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.StormSubmitter;
import org.apache.storm.generated.AlreadyAliveException;
import org.apache.storm.generated.ErrorInfo;
import org.apache.storm.generated.ExecutorSummary;
import org.apache.storm.generated.InvalidTopologyException;
import org.apache.storm.generated.KillOptions;
import org.apache.storm.generated.NotAliveException;
import org.apache.storm.generated.SupervisorSummary;
import org.apache.storm.generated.TopologySummary;
import org.apache.storm.thrift.TException;
import org.apache.storm.utils.NimbusClient;
import org.apache.storm.utils.Utils;
import org.cartostream.topology.ScanTopology;
import org.cartostream.topology.settings.ServiceSettings;

/** Client of a cluster's Nimbus, by Thrift. Holds no connection: each request opens its own. */
public final class Nimbus {

  private static final int ANSWER_MILLIS = 20_000;

  private final Map<String, Object> conf = new HashMap<>(Utils.readDefaultConfig());

  /**
   * @param conf settings in the cluster's {@code storm.yaml}
   */
  public Nimbus(Map<String, Object> conf) {
    this.conf.putAll(conf);
    this.conf.put(Config.STORM_NIMBUS_RETRY_TIMES, 1);
    this.conf.put(Config.STORM_NIMBUS_RETRY_INTERVAL, 200);
    this.conf.put(Config.STORM_NIMBUS_RETRY_INTERVAL_CEILING, 1000);
  }

  /** Thrown if Nimbus does not answer, or refuses a request; the message says why. */
  public static final class NimbusException extends Exception {

    private static final long serialVersionUID = 1L;

    private final boolean refused;

    NimbusException(boolean refused, String sentence, Throwable cause) {
      super((refused ? "Nimbus refuses: " : "Nimbus does not answer: ") + sentence, cause);
      this.refused = refused;
    }

    /**
     * Returns true if Nimbus has refused; false if nobody knows whether it has received the
     * request.
     */
    public boolean refused() {
      return refused;
    }
  }

  /**
   * Topology that Nimbus knows.
   *
   * @param status Storm's word for the topology's state: ACTIVE, INACTIVE, KILLED, REBALANCING
   */
  public record Topology(String name, String status, int uptimeSeconds, int workers, int tasks) {}

  /**
   * Task of a topology, and where it runs.
   *
   * @param component name of the task's component in the topology
   * @param slot {@code host:port} of the task's worker
   * @param uptimeSeconds time since the task last started
   */
  public record Task(String component, String slot, int uptimeSeconds) {}

  /**
   * Error that a task of a topology has reported to Storm, whether the task ended by it or not.
   *
   * @param component name of the task's component in the topology
   * @param secondsAgo age of the report by this computer's clock
   * @param sentence sentence for people
   */
  public record Trouble(String component, int secondsAgo, String sentence) {}

  private interface Request<T> {
    T ask(org.apache.storm.generated.Nimbus.Iface nimbus) throws TException;
  }

  private <T> T ask(Request<T> request) throws NimbusException {
    try (NimbusClient client =
        NimbusClient.Builder.withConf(conf).withTimeout(ANSWER_MILLIS).build()) {
      return request.ask(client.getClient());
    } catch (AlreadyAliveException e) {
      throw new NimbusException(true, e.get_msg(), e);
    } catch (InvalidTopologyException e) {
      throw new NimbusException(true, e.get_msg(), e);
    } catch (NotAliveException e) {
      throw new NimbusException(true, e.get_msg(), e);
    } catch (TException | RuntimeException e) {
      throw new NimbusException(false, e.getMessage(), e);
    }
  }

  /** Returns the number of supervisors that have registered. */
  public int supervisors() throws NimbusException {
    return ask(nimbus -> nimbus.getClusterInfo().get_supervisors_size());
  }

  /** Returns the address of the leading Nimbus: {@code host:port}. */
  public String leader() throws NimbusException {
    return ask(nimbus -> nimbus.getLeader().get_host() + ":" + nimbus.getLeader().get_port());
  }

  /**
   * Returns the number of worker slots that no topology has, though a worker of a topology just
   * killed may still be ending.
   */
  public int freeSlots() throws NimbusException {
    return ask(
        nimbus ->
            nimbus.getClusterInfo().get_supervisors().stream()
                    .mapToInt(SupervisorSummary::get_num_workers)
                    .sum()
                - nimbus.getTopologySummaries().stream()
                    .mapToInt(TopologySummary::get_num_workers)
                    .sum());
  }

  /** Returns the number of worker slots that a topology has; 0 if there is no such topology. */
  public int workers(String topology) throws NimbusException {
    return ask(
        nimbus ->
            nimbus.getTopologySummaries().stream()
                .filter(each -> each.get_name().equals(topology))
                .mapToInt(TopologySummary::get_num_workers)
                .sum());
  }

  /**
   * Submits the service.
   *
   * @param name name of the topology
   * @param jar file written by {@link TopologyJar}
   */
  public void submit(String name, ServiceSettings settings, Path jar) throws NimbusException {
    Config topology = ScanTopology.configuration(settings);
    String json = json(topology);
    ask(
        nimbus -> {
          String uploaded = StormSubmitter.submitJar(conf, jar.toString());
          nimbus.submitTopology(name, uploaded, json, ScanTopology.of(settings));
          return null;
        });
  }

  private static String json(Map<String, Object> conf) {
    try {
      return new ObjectMapper().writeValueAsString(conf);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Storm's configuration is no JSON: " + conf, e);
    }
  }

  /** Returns the topologies, by name. */
  public List<Topology> topologies() throws NimbusException {
    return ask(
        nimbus ->
            nimbus.getTopologySummaries().stream()
                .map(
                    one ->
                        new Topology(
                            one.get_name(),
                            one.get_status(),
                            one.get_uptime_secs(),
                            one.get_num_workers(),
                            one.get_num_tasks()))
                .sorted(Comparator.comparing(Topology::name))
                .toList());
  }

  /**
   * Returns Storm's own name for a topology, which no other topology has ever had.
   *
   * @throws NimbusException also if there is no such topology
   */
  public String idOf(String name) throws NimbusException {
    return ask(
        nimbus ->
            nimbus.getTopologySummaries().stream()
                .filter(one -> one.get_name().equals(name))
                .map(TopologySummary::get_id)
                .findFirst()
                .orElseThrow(() -> new NotAliveException("there is no topology " + name)));
  }

  /** Returns the running tasks of a topology; none if there is no such topology. */
  public List<Task> tasks(String name) throws NimbusException {
    return ask(
        nimbus -> {
          List<Task> tasks = new ArrayList<>();
          for (TopologySummary topology : nimbus.getTopologySummaries()) {
            if (topology.get_name().equals(name)) {
              nimbus.getTopologyInfo(topology.get_id()).get_executors().stream()
                  .filter(executor -> !executor.get_component_id().startsWith("__"))
                  .forEach(executor -> tasks.add(task(executor)));
            }
          }
          return tasks;
        });
  }

  /**
   * Returns the errors that tasks of a topology have reported to Storm, the newest first; none if
   * there is no such topology.
   */
  public List<Trouble> troubles(String name) throws NimbusException {
    long now = TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
    return ask(
        nimbus -> {
          List<Trouble> troubles = new ArrayList<>();
          for (TopologySummary topology : nimbus.getTopologySummaries()) {
            if (topology.get_name().equals(name)) {
              nimbus
                  .getTopologyInfo(topology.get_id())
                  .get_errors()
                  .forEach(
                      (component, errors) ->
                          errors.forEach(each -> troubles.add(trouble(component, each, now))));
            }
          }
          troubles.sort(Comparator.comparingInt(Trouble::secondsAgo));
          return troubles;
        });
  }

  /** Returns an error with the first line of its exception, without the exception's class. */
  private static Trouble trouble(String component, ErrorInfo error, long now) {
    String line = error.get_error().lines().findFirst().orElse("");
    return new Trouble(
        component,
        Math.toIntExact(now - error.get_error_time_secs()),
        line.replaceFirst("^[\\w.$]+: ", ""));
  }

  private static Task task(ExecutorSummary executor) {
    return new Task(
        executor.get_component_id(),
        executor.get_host() + ":" + executor.get_port(),
        executor.get_uptime_secs());
  }

  /** Returns the number of tasks of a topology that can hold particles. */
  public int matchers(String topology) throws NimbusException {
    return (int)
        tasks(topology).stream()
            .filter(task -> task.component().equals(ScanTopology.MATCHERS))
            .count();
  }

  /**
   * Kills a topology; it takes some more seconds until its workers are gone.
   *
   * @throws NimbusException also if there is no such topology
   */
  public void kill(String name) throws NimbusException {
    ask(
        nimbus -> {
          KillOptions now = new KillOptions();
          now.set_wait_secs(0);
          nimbus.killTopologyWithOpts(name, now);
          return null;
        });
  }
}
