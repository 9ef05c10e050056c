package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.cartostream.broker.message.Outcome;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;

class ObservedGatewayTest {

  private static final OccupancyGrid MAP = new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]);

  private final List<String> told = new ArrayList<>();

  private final RunObserver observer =
      new RunObserver() {
        @Override
        public void begin(String robot, long scans) {
          told.add("begin " + robot + " " + scans);
        }

        @Override
        public void outcome(long number, Reading reading, Outcome outcome) {
          told.add("outcome " + number);
        }

        @Override
        public void map(OccupancyGrid map, int correction, long stampNanos) {
          told.add("map " + correction);
        }

        @Override
        public void link(String trouble) {
          told.add("link " + trouble);
        }

        @Override
        public void result(OccupancyGrid map, List<PathPose> path) {
          told.add("result");
        }
      };

  @Test
  void itIsToldWhatTheGatewayIsAnswered() {
    ObservedGateway gateway = new ObservedGateway("r1", observer);
    gateway.onOutcome(null, new Outcome.Lost("gone"));
    gateway.onMap(MAP, false, 3, 0);
    gateway.onMap(MAP, true, 0, 0);
    gateway.onOutage("connection refused");
    gateway.onReconnect();
    gateway.onLost(null, "gone, too");
    gateway.onEnd(MAP, List.of());
    assertThat(told)
        .containsExactly(
            "begin r1 0",
            "link ",
            "outcome 1",
            "map 3",
            "link the broker is away: connection refused",
            "link ",
            "link ",
            "outcome 2",
            "result");
  }

  @Test
  void aRunThatBeginsAnewBeginsAgain() {
    ObservedGateway gateway = new ObservedGateway("r1", observer);
    gateway.onRestart("the service has lost the filter");
    assertThat(told)
        .containsExactly("begin r1 0", "begin r1 0", "link the service has lost the filter");
  }
}
