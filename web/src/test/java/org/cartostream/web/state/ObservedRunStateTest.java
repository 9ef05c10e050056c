package org.cartostream.web.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.geometry.SymmetricMatrix3;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class ObservedRunStateTest {

  private static final OccupancyGrid MAP = new OccupancyGrid(1, 1, 0.05, 0, 0, new byte[1]);

  /** By the clock of this computer. */
  private long now;

  private final ObservedRun run = new ObservedRun(() -> now);

  private static Reading reading() {
    // One beam ahead and one to the left, of a laser 0.2 m before the base.
    float[] ranges = {2, 1};
    Scan scan = new Scan(new Pose(0.2, 0, 0), 0, Math.PI / 2, 0, 10, ranges);
    return new Reading(5_000_000_000L, Pose.ORIGIN, scan);
  }

  private static Outcome processed(Pose local, Correction correction) {
    return new Outcome.Processed(new RobotPose(local, correction, 12.5, 1), false, 7_000_000);
  }

  private JsonNode json() throws Exception {
    return new ObjectMapper().readTree(ViewerFeed.whole(run));
  }

  @Test
  void itCountsByOutcomeAndReason() throws Exception {
    run.begin("r1", 4);
    assertThat(json().at("/phase").asText()).isEqualTo("waiting");
    run.outcome(1, reading(), processed(new Pose(1, 2, 0.5), Correction.NONE));
    run.outcome(0, null, new Outcome.Refused("NO_BEAMS", "line 2 has no beams"));
    run.outcome(0, null, new Outcome.Refused("NO_BEAMS", "line 3 has no beams"));
    run.outcome(2, reading(), new Outcome.Lost("the task died"));
    assertThat(json().at("/counts").toString())
        .isEqualTo("{\"scans\":4,\"processed\":1,\"refused\":2,\"lost\":1}");
    assertThat(json().at("/refusals/NO_BEAMS/count").asInt()).isEqualTo(2);
    assertThat(json().at("/refusals/NO_BEAMS/sentence").asText()).isEqualTo("line 2 has no beams");
    assertThat(json().at("/pose").toString()).isEqualTo("[1.0,2.0,0.5]");
    assertThat(json().at("/neff").asDouble()).isEqualTo(12.5);
    assertThat(json().at("/millis").asDouble()).isEqualTo(7);
    assertThat(json().at("/scanCentimetres").toString()).isEqualTo("[220,0,20,100]");
    assertThat(json().at("/readings/numbers").toString()).isEqualTo("[1.0,12.5,7.0]");
    run.end("");
    assertThat(json().at("/phase").asText()).isEqualTo("finished");
  }

  @Test
  void theRobotIsDrawnWhereItIsInTheMapThatIsShown() throws Exception {
    Correction first = new Correction(1, new Pose(10, 0, 0), 10);
    run.map(MAP, 0, 0);
    run.outcome(1, reading(), processed(new Pose(1, 0, 0), Correction.NONE));
    run.outcome(2, reading(), processed(new Pose(2, 0, 0), first));
    assertThat(json().at("/pose/0").asDouble()).as("the map lags behind").isEqualTo(2);
    assertThat(json().at("/correction").asInt()).isEqualTo(1);
    assertThat(json().at("/corrections/numbers").toString()).isEqualTo("[2.0,0.0,10.0]");
    run.map(MAP, 1, 0);
    run.outcome(3, reading(), processed(new Pose(3, 0, 0), first));
    assertThat(json().at("/pose/0").asDouble()).isEqualTo(13);
  }

  /** Of 1 m along 30 degrees and 0.5 m across: 95 % of a Gaussian are within 2.4477 deviations. */
  @Test
  void anEllipseHoldsTheRobot() throws Exception {
    RobotPose pose = new RobotPose(new Pose(1, 2, 0.5), Correction.NONE, 12.5, 1);
    run.outcome(1, reading(), new Outcome.Processed(pose, false, 1));
    assertThat(json().at("/ellipse/0").asDouble()).as("not known").isZero();
    SymmetricMatrix3 covariance = SymmetricMatrix3.diagonal(1, 0.25, 0).turned(Math.PI / 6);
    run.outcome(2, reading(), new Outcome.Processed(pose.withCovariance(covariance), false, 1));
    assertThat(json().at("/ellipse").toString()).isEqualTo("[2.448,1.224,0.524]");
    run.result(MAP, List.of(new PathPose(1, 0, Pose.ORIGIN)));
    assertThat(json().at("/ellipse/0").asDouble()).as("of the pose on the way").isZero();
  }

  @Test
  void thePathAtTheEndReplacesTheOneOnTheWay() throws Exception {
    run.outcome(1, reading(), processed(new Pose(1, 0, 0), Correction.NONE));
    run.result(MAP, List.of(new PathPose(1, 0, new Pose(4, 5, 0))));
    assertThat(json().at("/path/numbers").toString()).isEqualTo("[4.0,5.0]");
    assertThat(json().at("/pose").toString()).isEqualTo("[4.0,5.0,0.0]");
  }

  @Test
  void particlesAgeWhileReadingsComeAfterThem() throws Exception {
    at(1000);
    run.outcome(1, reading(), processed(Pose.ORIGIN, Correction.NONE));
    at(1001);
    run.particles(new ParticlesMessage(List.of(Pose.ORIGIN), List.of(0)), 1);
    assertThat(particlesAgeSeconds()).as("they are newer than the reading").isZero();
    at(1003);
    assertThat(particlesAgeSeconds()).as("no reading has come").isZero();
    run.outcome(2, reading(), processed(Pose.ORIGIN, Correction.NONE));
    assertThat(particlesAgeSeconds()).isEqualTo(2);
    at(1007.5);
    run.outcome(3, null, new Outcome.Refused("NO_BEAMS", "to an observer they have no stamp"));
    assertThat(particlesAgeSeconds()).isEqualTo(6.5);
    run.particles(new ParticlesMessage(List.of(Pose.ORIGIN), List.of(0)), 3);
    assertThat(particlesAgeSeconds()).isZero();
  }

  private void at(double seconds) {
    now = Math.round(seconds * 1e9);
  }

  private double particlesAgeSeconds() throws Exception {
    return json().at("/particlesAgeSeconds").asDouble();
  }

  private static ClosedLoop loop(double x) {
    return new ClosedLoop(
        new StampedPose(1, new Pose(x, 0, 0)), new StampedPose(2, new Pose(x, 1, 0)));
  }

  @Test
  void aViewerIsSentTheLoopsWhenTheyAreOthers() throws Exception {
    ViewerFeed feed = new ViewerFeed(run, new MapTilesCache(), List.of(), List::of);
    run.begin("r1", 0);
    assertThat(update(feed).has("loops")).isFalse();
    run.loops(List.of(loop(5)), 2);
    assertThat(update(feed).get("loops").toString()).isEqualTo("[5.0,0.0,5.0,1.0]");
    run.link("the broker is away");
    assertThat(update(feed).has("loops")).as("it has them").isFalse();
    run.loops(List.of(loop(4), loop(6)), 3);
    run.result(MAP, List.of(new PathPose(1, 1, new Pose(4, 5, 0))));
    assertThat(update(feed).get("loops").toString()).isEqualTo("[4.0,0.0,4.0,1.0,6.0,0.0,6.0,1.0]");
    assertThat(json().get("loops")).hasSize(8);
    run.begin("r1", 0);
    assertThat(update(feed).get("loops")).as("of another run").isEmpty();
  }

  private static JsonNode update(ViewerFeed feed) throws Exception {
    return new ObjectMapper().readTree(feed.next().state());
  }

  @Test
  void aViewerIsBehindUntilItHasTheNewest() {
    ViewerFeed feed = new ViewerFeed(run, new MapTilesCache(), List.of(), List::of);
    run.map(MAP, 0, 0);
    assertThat(feed.isBehind()).isTrue();
    assertThat(feed.next().tiles()).isNotNull();
    assertThat(feed.isBehind()).isFalse();
    run.link("the broker is away");
    assertThat(feed.isBehind()).isTrue();
    assertThat(feed.next().tiles()).as("it has the map").isNull();
  }
}
