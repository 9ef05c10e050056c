package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Each line that is logged for a robot names it, for whoever looks for that robot's lines. */
@Quick
class RobotInLogTest extends NetworkTest {

  private final Logger logger = (Logger) LoggerFactory.getLogger("org.cartostream.topology");
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.INFO);
  }

  @AfterEach
  void listenNoMore() {
    logger.setLevel(null);
    logger.detachAppender(lines);
  }

  @Test
  void eachLineAboutARobotCarriesItsId() {
    List<Reading> readings = Drive.readings(11, 2);
    Network network = network(1, settings(2));
    for (String robot : List.of("r1", "r2")) {
      network.send(reading(robot, 1, readings));
    }
    network.send(
        new Payload.Arrival.OfReading(
            new Run("r3", RUN, 0), 1, new Reading(0, null, null), 0, null, null));
    network.deliverAll();

    for (String robot : List.of("r1", "r2", "r3")) {
      assertThat(lines.list)
          .filteredOn(line -> line.getFormattedMessage().contains("robot " + robot))
          .isNotEmpty()
          .allMatch(line -> line.getMDCPropertyMap().get("robot").equals(robot));
    }
    assertThat(lines.list).extracting(ILoggingEvent::getLevel).contains(Level.INFO, Level.ERROR);
    assertThat(MDC.get("robot")).isNull();
  }

  /** Nothing hangs in silence: whoever reads the log learns which task does not come back. */
  @Test
  void aRestoreThatTakesLongSaysWhatItWaitsFor() {
    List<Reading> readings = Drive.readings(11, 2);
    Network network = network(1, settings(2));
    drive(network, readings, 1, 1);
    network.lose(Component.Matchers.class, 1);
    send(network, readings, 2, 2);
    network.pass(60);

    assertThat(lines.list)
        .extracting(ILoggingEvent::getFormattedMessage)
        .filteredOn(line -> line.contains("has waited for"))
        .singleElement()
        .asString()
        .matches(
            "robot r1, .* has waited for \\d+ s to be restored, for its tasks \\[matchers-1].*");
  }
}
