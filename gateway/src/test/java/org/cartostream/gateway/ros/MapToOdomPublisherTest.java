package org.cartostream.gateway.ros;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.session.ServiceClock;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.node.RosNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MapToOdomPublisherTest {

  private static final long NOW = TimeUnit.SECONDS.toNanos(1_700_000_000);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  private final RobotClock clock = new RobotClock(new ServiceClock());
  private final List<Long> stamps = new ArrayList<>();
  private final MapToOdomPublisher mapToOdomPublisher =
      new MapToOdomPublisher(
          new RosNode.Publisher<TfMessage>() {
            @Override
            public void send(TfMessage message) {
              stamps.add(message.transforms().get(0).header().stamp());
            }

            @Override
            public int subscribers() {
              return 1;
            }
          },
          RosSettings.defaults(),
          clock);

  /**
   * Under simulated time tf2 would take no transform any more after one of this computer's time.
   */
  @Test
  void sendsNothingBeforeTheRobotsClockIsKnown() {
    mapToOdomPublisher.publish(NOW);
    assertThat(stamps).isEmpty();
    clock.onStamp(12 * SECOND, NOW);
    mapToOdomPublisher.publish(NOW);
    assertThat(stamps)
        .singleElement()
        .satisfies(stamp -> assertThat(stamp).isLessThan(13 * SECOND));
  }

  /** A timer that was held up makes good for what it has missed, all within a millisecond. */
  @Test
  void sendsNoStampTwice() {
    clock.onStamp(NOW, NOW);
    for (long at : new long[] {NOW, NOW, NOW, NOW + 50 * MILLISECOND, NOW + 50 * MILLISECOND}) {
      mapToOdomPublisher.publish(at);
    }
    assertThat(stamps).hasSize(2).doesNotHaveDuplicates().isSorted();
  }

  /** As of a simulator on a slow computer: what tells the time here is the newest stamp. */
  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.5, 1, 2})
  void staysBesideAClockThatGoesAtAnotherPace(double factor) {
    long messagePeriod = (long) (50 * MILLISECOND / factor);
    long nextMessage = 0;
    List<Double> aheadSeconds = new ArrayList<>();
    for (long passed = 0; passed < 60 * SECOND; passed += 10 * MILLISECOND) {
      long robotsNow = 1000 * SECOND + (long) (passed * factor);
      if (passed >= nextMessage) {
        clock.onStamp(robotsNow, NOW + passed);
        nextMessage += messagePeriod;
      }
      if (passed % (50 * MILLISECOND) == 0) {
        int before = stamps.size();
        mapToOdomPublisher.publish(NOW + passed);
        if (stamps.size() > before) {
          aheadSeconds.add((stamps.get(before) - robotsNow) / (double) SECOND);
        }
      }
    }
    assertThat(stamps).isSorted().doesNotHaveDuplicates();
    assertThat(aheadSeconds).hasSizeGreaterThan((int) (60 * Math.min(10, 20 * factor)));
    assertThat(aheadSeconds).allSatisfy(ahead -> assertThat(ahead).isBetween(-0.05, 0.7));
  }

  /** A simulator that is started again begins with its time anew; not one stamp is of the old. */
  @Test
  void followsAClockThatIsSetBack() {
    clock.onStamp(1000 * SECOND, NOW);
    mapToOdomPublisher.publish(NOW);
    assertThat(stamps).hasSize(1);
    for (long later = SECOND; later <= 3 * SECOND; later += 50 * MILLISECOND) {
      clock.onStamp(later, NOW + later);
      mapToOdomPublisher.publish(NOW + later);
    }
    List<Long> anew = stamps.subList(1, stamps.size());
    assertThat(anew).hasSizeGreaterThan(10).isSorted();
    assertThat(anew).allSatisfy(stamp -> assertThat(stamp).isLessThan(4 * SECOND));
  }
}
