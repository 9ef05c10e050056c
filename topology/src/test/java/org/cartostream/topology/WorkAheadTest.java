package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.cartostream.broker.connection.BrokerSettings;
import org.cartostream.settings.Settings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.timing.KeyFrameTiming;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** While one matcher has not even heard of a key frame, the other goes on as far as it can. */
@Quick
class WorkAheadTest extends NetworkTest {

  /** Few readings are resampled, and the first ones never. */
  private static final FilterSettings FILTER =
      Settings.build(FilterSettings.class, Map.of("particles", "12"));

  private final List<Reading> readings = Drive.readings(11, 4);
  private Network network;

  private static ServiceSettings settings(String workAhead) {
    ServiceSettings settings = settings(2, "workAhead", workAhead);
    return new ServiceSettings(FILTER, BrokerSettings.defaults(), settings.topology());
  }

  @BeforeEach
  void theFirstReadingIsServed() {
    network = network(1, settings("true"));
    send(1);
    network.deliverAll();
  }

  private void send(int sequence) {
    network.send(reading("r1", sequence, readings));
    network.deliverAllFromRobots();
  }

  private void fastMatcher() {
    network.deliverAllTo(Component.Matchers.class, 0);
  }

  /** The other one's opinion, and the verdict. */
  private void slowMatcher() {
    network.deliverAllTo(Component.Matchers.class, 1);
    network.deliverAllTo(Component.Resampler.class, 0);
  }

  private KeyFrameTiming fastMatchersStint(long sequence) {
    return network.onItsWay(Streams.READY).stream()
        .filter(ready -> ready.sequence() == sequence && ready.timing().task() == 0)
        .map(Payload.Ready::timing)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void itEntersTheScanAndMatchesTheNext() {
    send(2);
    send(3);
    fastMatcher();
    slowMatcher();
    fastMatcher();
    KeyFrameTiming second = fastMatchersStint(2);
    slowMatcher();
    fastMatcher();
    KeyFrameTiming third = fastMatchersStint(3);

    assertThat(second.earlyNanos()).isZero();
    assertThat(second.aheadNanos()).isPositive();
    assertThat(second.nextNanos()).isPositive();
    assertThat(third.earlyNanos()).isEqualTo(second.nextNanos());
    assertThat(third.nextNanos()).isZero();
    theAnswersAreTheSerialFilters();
  }

  /** It had nothing to do any more, and is not asked again to go on. */
  @Test
  void itGoesOnWhenTheNextComesLate() {
    send(2);
    fastMatcher();
    send(3);
    fastMatcher();
    slowMatcher();
    fastMatcher();

    KeyFrameTiming second = fastMatchersStint(2);
    assertThat(second.nextNanos()).isPositive();
    assertThat(second.nextFrom()).isGreaterThan(second.matched());
    theAnswersAreTheSerialFilters();
  }

  @Test
  void itWaitsIfItIsToldTo() {
    network = network(1, settings("false"));
    int before = network.delivered(Streams.CONTINUE);
    send(1);
    network.deliverAll();
    send(2);
    send(3);
    fastMatcher();
    slowMatcher();
    fastMatcher();

    assertThat(network.delivered(Streams.CONTINUE)).isEqualTo(before);
    assertThat(fastMatchersStint(2).aheadNanos()).isZero();
    theAnswersAreTheSerialFilters();
  }

  private void theAnswersAreTheSerialFilters() {
    send(4);
    network.send(end("r1", 4));
    network.deliverAll();
    assertThat(of("r1").result()).isEqualTo(Answers.serial(FILTER, "r1", readings));
  }
}
