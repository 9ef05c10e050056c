package org.cartostream.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.settings.Settings;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.LocalisationSettings;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.testing.Quick;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;

@Quick
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
        public void particles(ParticlesMessage newest, long stampNanos) {
          told.add("particles " + newest.poses().size() + " " + stampNanos);
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
    ObservedGateway gateway = new ObservedGateway("r1", observer, Optional.empty());
    gateway.onOutcome(null, new Outcome.Lost("gone"));
    gateway.onMap(MAP, false, 3, 0);
    gateway.onMap(MAP, true, 0, 0);
    gateway.onParticles(7, new ParticlesMessage(List.of(Pose.ORIGIN), List.of(0)));
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
            "particles 1 7",
            "link the broker is away: connection refused",
            "link ",
            "link ",
            "outcome 2",
            "result");
  }

  @Test
  void ofARobotInAKnownMapTheMapIsShownOnceAndAnotherAfterIt() {
    ServerMap first = ServerMap.of(MAP, Pose.ORIGIN);
    LocalisationAttachment known =
        new LocalisationAttachment(
            first, Settings.defaults(LocalisationSettings.class), Optional.empty());
    ObservedGateway gateway = new ObservedGateway("r1", observer, Optional.of(known));
    Reading reading = new Reading(7, Pose.ORIGIN, null);
    gateway.onOutcome(reading, new Outcome.Lost("one"));
    gateway.onOutcome(reading, new Outcome.Lost("two"));
    known.replace(ServerMap.of(MAP, Pose.ORIGIN), new InitialPose.Anywhere());
    gateway.onRestart("another map");
    gateway.onOutcome(reading, new Outcome.Lost("three"));
    assertThat(told.stream().filter(each -> !each.startsWith("link")))
        .containsExactly(
            "begin r1 0", "map 0", "outcome 1", "outcome 2", "begin r1 0", "map 0", "outcome 3");
  }

  @Test
  void aRunThatBeginsAnewBeginsAgain() {
    ObservedGateway gateway = new ObservedGateway("r1", observer, Optional.empty());
    gateway.onRestart("the service has lost the filter");
    assertThat(told)
        .containsExactly("begin r1 0", "begin r1 0", "link the service has lost the filter");
  }
}
