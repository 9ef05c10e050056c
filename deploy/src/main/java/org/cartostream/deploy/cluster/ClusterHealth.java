package org.cartostream.deploy.cluster;

import com.rabbitmq.client.AMQP.Queue;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.retry.RetryOneTime;
import org.cartostream.broker.connection.AmqpConnections;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.names.BrokerNames;
import org.cartostream.deploy.certificate.ClusterCertificates;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.deploy.process.ServerProcess;
import org.cartostream.deploy.server.ClusterServers;
import org.cartostream.deploy.submission.Nimbus;
import org.cartostream.deploy.submission.Nimbus.NimbusException;
import org.cartostream.topology.bolt.ErrorReporter;

/**
 * Health check of a cluster: uses every server as a robot, a worker or the command line would,
 * since an open port says little.
 *
 * @param cluster the cluster
 * @param layout the cluster's servers
 */
record ClusterHealth(Cluster cluster, ClusterServers layout) {

  private static final int PATIENCE_MILLIS = 15_000;

  /**
   * Minimum free room on a disk: RabbitMQ takes no more messages when its disk has less than its
   * rabbitmq.conf says.
   */
  private static final long MIN_FREE_MEGABYTES = 1_000;

  /**
   * Days before the end of certificates from which on they are a fault: time to find a day on which
   * the cluster can be made again.
   */
  private static final int MIN_CERTIFICATE_DAYS = 30;

  /**
   * Number of waiting readings up to which a service keeps up: then the next reading of each robot
   * waits, and hardly more.
   */
  private static final int MAX_WAITING_READINGS = 100;

  /**
   * Seconds by which a worker that was started again is younger than its topology, at least. Storm
   * starts a worker half a minute after the topology was submitted, and tells Nimbus a task's age
   * once a minute only.
   */
  private static final int YOUNGER_SECONDS = 150;

  /**
   * Seconds after its submission in which a topology is starting, and what it lacks is no fault.
   */
  private static final int STARTING_SECONDS = 60;

  /**
   * Age up to which an error of a task is recent, seconds: a lasting error is reported once a
   * period, and a report may be late.
   */
  private static final int RECENT_SECONDS = 2 * ErrorReporter.PERIOD_SECONDS + 15;

  List<HealthResult> findings() {
    List<HealthResult> healthResults = new ArrayList<>();
    layout.daemons().forEach(serverProcess -> healthResults.add(process(serverProcess)));
    layout.plan().hosts().forEach(host -> healthResults.add(disk(host)));
    if (layout.plan().secure()) {
      healthResults.add(certificates(Instant.now()));
    }
    healthResults.add(zookeeper());
    List<Nimbus.Topology> topologies = nimbus(healthResults);
    broker(topologies, healthResults);
    return healthResults;
  }

  private HealthResult process(ServerProcess serverProcess) {
    try {
      long pid = serverProcess.pid();
      if (pid == 0 && ServerRestart.isDrained(layout.home(), serverProcess)) {
        return HealthResult.healthy(
            serverProcess.toString(), "drained; 'cluster revive --drained' has it run workers");
      }
      if (pid == 0) {
        return new HealthResult(
            serverProcess.toString(),
            "its process has ended",
            "'cluster logs " + serverProcess.role() + "' says why, 'cluster revive' starts it");
      }
      return serverProcess.isListening()
          ? HealthResult.healthy(serverProcess.toString(), "process " + pid + " listens")
          : new HealthResult(
              serverProcess.toString(),
              "process %d does not listen at %s:%d"
                  .formatted(pid, serverProcess.host().address(), serverProcess.port()),
              "if it has only just started, wait; else 'kill " + pid + "', 'cluster revive'");
    } catch (ClusterException e) {
      return unreachable(serverProcess.host(), serverProcess.toString(), e);
    }
  }

  private static HealthResult unreachable(Host host, String part, ClusterException e) {
    String way = host.reach() == Host.Reach.SSH ? "'ssh " + host.address() + " true'" : "the host";
    return new HealthResult(part, e.getMessage(), "look at " + way + ", its network and its power");
  }

  private HealthResult disk(Host host) {
    String part = "disk of " + host.name();
    try {
      String folder = Host.quoted(layout.home().of(host).toString());
      String[] columns =
          host.run("df -Pm %s | tail -n 1\n".formatted(folder)).strip().split("\\s+");
      long free = Long.parseLong(columns[3]);
      String found = "%d MB are free on %s (%s)".formatted(free, columns[5], columns[0]);
      return free >= MIN_FREE_MEGABYTES
          ? HealthResult.healthy(part, found)
          : new HealthResult(
              part,
              found + ", fewer than " + MIN_FREE_MEGABYTES,
              "make room; the broker takes no readings when it has less than 512 MB");
    } catch (ClusterException e) {
      return unreachable(host, part, e);
    }
  }

  /**
   * Checks the certificates of the cluster itself, which all end at the same time; robots'
   * certificates are younger.
   */
  HealthResult certificates(Instant now) {
    Path own = new ClusterCertificates(layout.home()).client().certificate();
    try (InputStream in = Files.newInputStream(own)) {
      X509Certificate certificate =
          (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
      long days = ChronoUnit.DAYS.between(now, certificate.getNotAfter().toInstant());
      String found = days < 0 ? "they have ended" : "good for " + days + " days";
      return days >= MIN_CERTIFICATE_DAYS
          ? HealthResult.healthy("certificates", found)
          : new HealthResult(
              "certificates",
              found,
              "'cluster down', 'cluster up --secure', 'cluster robot' again");
    } catch (IOException | CertificateException e) {
      return new HealthResult("certificates", own + " cannot be read: " + e, "'cluster up' again");
    }
  }

  private HealthResult zookeeper() {
    long start = System.nanoTime();
    try (CuratorFramework client =
        cluster.zookeeper().client(PATIENCE_MILLIS, PATIENCE_MILLIS, new RetryOneTime(1))) {
      client.start();
      if (!client.blockUntilConnected(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)) {
        return new HealthResult(
            "zookeeper",
            "no session at " + cluster.zookeeper() + " within " + PATIENCE_MILLIS + " ms",
            "'cluster logs zookeeper' says why; its disk may be full or slow");
      }
      int entries = client.getChildren().forPath("/").size();
      return HealthResult.healthy(
          "zookeeper", entries + " entries read in " + millisSince(start) + " ms");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterException("interrupted while asking ZooKeeper", e);
    } catch (Exception e) { // Curator's methods declare Exception.
      return new HealthResult("zookeeper", e.toString(), "'cluster logs zookeeper' says why");
    }
  }

  private static long millisSince(long start) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
  }

  /**
   * Checks the number of supervisors. Too many are no fault, as Nimbus misses a drained one only
   * after a minute.
   */
  static HealthResult supervisors(int known, long wanted, String found) {
    return known >= wanted
        ? HealthResult.healthy("nimbus", found)
        : new HealthResult(
            "nimbus", found, "'cluster logs supervisor' says why; 'cluster revive' if down");
  }

  /**
   * Checks Nimbus and all topologies; returns the topologies, or none if Nimbus does not answer.
   */
  private List<Nimbus.Topology> nimbus(List<HealthResult> healthResults) {
    Nimbus nimbus = cluster.nimbus();
    try {
      String leader = nimbus.leader();
      int supervisors = nimbus.supervisors();
      long wanted =
          layout.daemons().stream()
              .filter(server -> server.role() == HostRole.SUPERVISOR)
              .filter(server -> !ServerRestart.isDrained(layout.home(), server))
              .count();
      String found =
          "%s is in charge, of %d of %d supervisors; %d of %d slots are free"
              .formatted(leader, supervisors, wanted, nimbus.freeSlots(), cluster.slots());
      healthResults.add(supervisors(supervisors, wanted, found));
      List<Nimbus.Topology> topologies = nimbus.topologies();
      for (Nimbus.Topology topology : topologies) {
        healthResults.add(workers(nimbus, topology));
        healthResults.addAll(troubles(nimbus, topology));
      }
      healthResults.addAll(missing(topologies));
      if (!topologies.isEmpty()) {
        healthResults.addAll(new CheckpointAges(cluster.zookeeper()).findings(Instant.now()));
      }
      return topologies;
    } catch (NimbusException e) {
      healthResults.add(
          new HealthResult(
              "nimbus",
              e.getMessage(),
              "a Nimbus that has just started needs some 20 s; else 'cluster logs nimbus'"));
      return List.of();
    }
  }

  /** Returns a finding for each service that was submitted, was not killed, and does not run. */
  private List<HealthResult> missing(List<Nimbus.Topology> topologies) {
    List<String> running = topologies.stream().map(Nimbus.Topology::name).toList();
    try {
      return layout.home().services().names().stream()
          .filter(service -> !running.contains(service))
          .map(
              service ->
                  new HealthResult(
                      "service " + service,
                      "it was submitted, and does not run",
                      "'cluster restart %1$s' starts it; 'kill %1$s' if it is not wanted"
                          .formatted(service)))
          .toList();
    } catch (IOException e) {
      return List.of(
          new HealthResult("services", e.toString(), "the cluster's folder must be readable"));
    }
  }

  private static HealthResult workers(Nimbus nimbus, Nimbus.Topology topology)
      throws NimbusException {
    String part = "topology " + topology.name();
    List<Nimbus.Task> tasks = nimbus.tasks(topology.name());
    int youngest = tasks.stream().mapToInt(Nimbus.Task::uptimeSeconds).min().orElse(0);
    String found =
        "%d tasks in %d workers, %s for %d s"
            .formatted(
                tasks.size(),
                tasks.stream().map(Nimbus.Task::slot).distinct().count(),
                topology.status(),
                topology.uptimeSeconds());
    if (topology.uptimeSeconds() < STARTING_SECONDS) {
      return HealthResult.healthy(part, found + "; starting");
    }
    if (tasks.isEmpty()) {
      return new HealthResult(
          part, found, "no worker has it: are slots free? 'cluster logs nimbus'");
    }
    return topology.uptimeSeconds() - youngest < YOUNGER_SECONDS
        ? HealthResult.healthy(part, found)
        : new HealthResult(
            part,
            found + "; a worker was started again " + youngest + " s ago",
            "'cluster logs " + topology.name() + "' says why (OutOfMemoryError: --worker-heap)");
  }

  /** Returns the recent errors that a topology's tasks report, one for each component. */
  private static List<HealthResult> troubles(Nimbus nimbus, Nimbus.Topology topology)
      throws NimbusException {
    Set<String> components = new HashSet<>();
    return nimbus.troubles(topology.name()).stream()
        .filter(trouble -> trouble.secondsAgo() < RECENT_SECONDS)
        .filter(trouble -> components.add(trouble.component()))
        .map(
            trouble ->
                new HealthResult(
                    "topology " + topology.name(),
                    "%s, %d s ago: %s"
                        .formatted(trouble.component(), trouble.secondsAgo(), trouble.sentence()),
                    "'cluster logs " + topology.name() + "' says more"))
        .toList();
  }

  private void broker(List<Nimbus.Topology> topologies, List<HealthResult> healthResults) {
    long start = System.nanoTime();
    BrokerSettings settings = cluster.access().brokerForService(BrokerSettings.defaults());
    try (Connection connection = AmqpConnections.factory(settings).newConnection("health");
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclarePassive(BrokerNames.READINGS);
      healthResults.add(
          HealthResult.healthy("broker", "login and exchange in " + millisSince(start) + " ms"));
    } catch (IOException | TimeoutException | GeneralSecurityException e) {
      healthResults.add(
          new HealthResult("broker", "the service cannot log in: " + e, "'cluster logs broker'"));
      return;
    }
    for (Nimbus.Topology topology : topologies) {
      if (topology.uptimeSeconds() >= STARTING_SECONDS) {
        healthResults.add(queue(settings, topology.name()));
      }
    }
  }

  /**
   * Checks the queue of a service, by a channel of its own: RabbitMQ closes the channel where there
   * is no such queue.
   */
  private static HealthResult queue(BrokerSettings settings, String service) {
    String name = BrokerNames.serviceQueue(service);
    try (Connection connection = AmqpConnections.factory(settings).newConnection("health");
        Channel channel = connection.createChannel()) {
      Queue.DeclareOk queue = channel.queueDeclarePassive(name);
      long waiting = AmqpConnections.waitingReadings(channel, service);
      String found = waiting + " readings wait, " + queue.getConsumerCount() + " read them";
      if (queue.getConsumerCount() == 0) {
        return new HealthResult(
            "queue " + name,
            found,
            "the topology's worker is away: 'cluster logs " + service + "'");
      }
      return waiting <= MAX_WAITING_READINGS
          ? HealthResult.healthy("queue " + name, found)
          : new HealthResult(
              "queue " + name,
              found + "; more than " + MAX_WAITING_READINGS + " say that it does not keep up",
              "fewer particles, more --tasks and --workers, or fewer robots");
    } catch (IOException | TimeoutException | GeneralSecurityException e) {
      return new HealthResult(
          "queue " + name,
          "it is not there: " + (e.getCause() == null ? e : e.getCause()).getMessage(),
          "the service has not started yet, or cannot reach the broker: 'cluster logs "
              + service
              + "'");
    }
  }
}
