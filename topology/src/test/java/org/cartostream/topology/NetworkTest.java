package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.checkpoint.CheckpointSettings;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.settings.TopologySettings;
import org.cartostream.topology.stream.Payload;
import org.junit.jupiter.api.AfterEach;

/** What tests of robots, bolts and a {@link Network} between them have in common. */
abstract class NetworkTest {

  static final long RUN = 1_000_000;

  /** Much longer than a reading may take where each time is a second. */
  private static final int MAX_TIMES = 1000;

  final Map<String, Answers> answers = new HashMap<>();

  static ServiceSettings settings(int tasks, String... topology) {
    Map<String, String> values = new HashMap<>();
    values.put("tasks", Integer.toString(tasks));
    values.put("mapIntervalSeconds", "0");
    // As many particles for each task, however long its work takes.
    values.put("balanceTolerance", "1000000");
    for (int i = 0; i < topology.length; i += 2) {
      values.put(topology[i], topology[i + 1]);
    }
    return new ServiceSettings(
        Filters.restless(12),
        BrokerSettings.defaults(),
        Settings.build(TopologySettings.class, values));
  }

  /** The same with checkpoints so often, in seconds. */
  static ServiceSettings checkpointed(ServiceSettings settings, double everySeconds) {
    return checkpointed(settings, CheckpointSettings.every(everySeconds));
  }

  /** The same with these checkpoints. */
  static ServiceSettings checkpointed(ServiceSettings settings, CheckpointSettings checkpoints) {
    return new ServiceSettings(
        settings.filter(),
        settings.localisation(),
        settings.broker(),
        settings.topology(),
        settings.registry(),
        checkpoints);
  }

  private final List<Network> networks = new ArrayList<>();

  final Network network(long seed, ServiceSettings settings) {
    return network(seed, settings, new MemoryStore());
  }

  /**
   * @param store where checkpoints are; null for none
   */
  final Network network(long seed, ServiceSettings settings, CheckpointStore store) {
    Network network =
        new Network(seed, settings, store, envelope -> of(envelope.robot()).hear(envelope));
    networks.add(network);
    return network;
  }

  @AfterEach
  final void nobodyWasToldOneThingAndThenAnother() {
    answers.values().forEach(each -> assertThat(each.contradictions()).isEmpty());
  }

  @AfterEach
  final void closeNetworks() {
    networks.forEach(Network::close);
    networks.clear();
  }

  final Answers of(String robot) {
    return answers.computeIfAbsent(robot, name -> new Answers());
  }

  static Envelope envelope(String robot, long run, long sequence, Message body) {
    long stamp = body instanceof ReadingMessage message ? message.reading().stampNanos() : 0;
    return new Envelope(robot, run, sequence, stamp, body);
  }

  static Envelope reading(String robot, long sequence, List<Reading> readings) {
    Reading reading = readings.get((int) sequence - 1);
    return envelope(robot, RUN, sequence, new ReadingMessage(reading));
  }

  static Envelope end(String robot, long readings) {
    return envelope(robot, RUN, readings, new EndMessage(readings, 0));
  }

  /** A network in which the robot r1 has its answers to so many of the readings. */
  final Network networkAfter(int answered, List<Reading> readings, ServiceSettings settings) {
    Network network = network(1, settings);
    drive(network, readings, 1, answered);
    return network;
  }

  /**
   * A whole service dies halfway through r1's drive, and another goes on from its checkpoint and
   * with what the broker keeps: r1 is told what it would have been told had nothing happened.
   */
  final void assertGoesOn(ServiceSettings first, ServiceSettings second, List<Reading> readings) {
    int half = readings.size() / 2;
    MemoryStore store = new MemoryStore();
    Network died = network(1, first, store);
    for (int sequence = 1; sequence <= half; sequence++) {
      drive(died, readings, sequence, sequence);
      died.pass(1);
    }
    List<Payload.Arrival> kept = died.unacknowledgedMessages();
    assertThat(kept).as("kept by the broker").hasSizeLessThan(half);

    Network goesOn = network(2, second, store);
    kept.forEach(goesOn::send);
    driveToTheEnd(goesOn, readings, half + 1);

    assertUndisturbed(second, readings);
    assertThat(of("r1").report().recovery().times()).isPositive();
    assertThat(goesOn.unacknowledged()).isZero();
  }

  /** A network in which r1 has sent this reading and the next, and so many messages arrived. */
  final Network halfDone(
      List<Reading> readings, int sequence, int deliveries, ServiceSettings settings) {
    Network network = network(deliveries, settings);
    drive(network, readings, 1, sequence - 1);
    network.pass(1);
    send(network, readings, sequence, sequence + 1);
    network.deliver(deliveries);
    return network;
  }

  /** The robot r1 sends readings, and waits for nothing. */
  static void send(Network network, List<Reading> readings, int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      network.send(reading("r1", sequence, readings));
    }
  }

  /** The robot r1 sends readings, each when the one before is answered. */
  final void drive(Network network, List<Reading> readings, int from, int to) {
    drive(network, "r1", readings, from, to);
  }

  /** The same of a robot. */
  final void drive(Network network, String robot, List<Reading> readings, int from, int to) {
    for (int sequence = from; sequence <= to; sequence++) {
      int count = sequence;
      network.send(reading(robot, sequence, readings));
      network.deliverAll();
      passUntil(network, () -> of(robot).answered() >= count);
    }
  }

  /** The robot r1 sends the readings that are left, and the end, and waits for its report. */
  final void driveToTheEnd(Network network, List<Reading> readings, int from) {
    drive(network, readings, from, readings.size());
    finish(network, "r1", readings.size());
  }

  /** A robot sends the end behind so many readings, and waits for its report. */
  final void finish(Network network, String robot, long readings) {
    network.send(end(robot, readings));
    awaitReport(network, robot);
  }

  /** The robot r1 was told, to the last bit, what it would have been had nothing happened. */
  final void assertUndisturbed(ServiceSettings settings, List<Reading> readings) {
    assertUndisturbed(settings, "r1", readings);
  }

  /** The same of a robot. */
  final void assertUndisturbed(ServiceSettings settings, String robot, List<Reading> readings) {
    FinishedMessage report = of(robot).report();
    assertThat(report.failure()).isEmpty();
    assertThat(report.processed() + report.refused()).isEqualTo(readings.size());
    Answers.Result undisturbed = Answers.serial(settings.filter(), robot, readings);
    of(robot)
        .result()
        .outcomes()
        .forEach(
            (number, outcome) -> assertThat(outcome).isEqualTo(undisturbed.outcomes().get(number)));
    assertThat(of(robot).result().path()).isEqualTo(undisturbed.path());
    assertThat(of(robot).result().map()).isEqualTo(undisturbed.map());
  }

  /** Lets seconds pass until the robot has its report. */
  final void awaitReport(Network network, String robot) {
    passUntil(network, () -> of(robot).report() != null);
  }

  /** Lets seconds pass until the robot r1 has so many outcomes. */
  final void awaitAnswers(Network network, int count) {
    network.deliverAll();
    passUntil(network, () -> of("r1").answered() >= count);
  }

  /** Lets seconds pass until this is so. */
  static void passUntil(Network network, BooleanSupplier done) {
    if (!done.getAsBoolean()) {
      stepUntil(done, () -> network.pass(1));
    }
  }

  /** Goes on with something until this is so, {@value #MAX_TIMES} times at most. */
  static void stepUntil(BooleanSupplier done, Runnable step) {
    int times = 0;
    do {
      assertThat(times).isLessThan(MAX_TIMES);
      step.run();
      times++;
    } while (!done.getAsBoolean());
  }
}
