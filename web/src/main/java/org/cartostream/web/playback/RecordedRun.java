package org.cartostream.web.playback;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.ros.bag.McapReader;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Marker;
import org.cartostream.ros.message.PoseArray;
import org.cartostream.ros.message.PoseWithCovariance;
import org.cartostream.ros.message.PoseWithCovarianceStamped;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.Vector3;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.web.state.ErrorEllipse;
import org.cartostream.web.topic.MapState;
import org.cartostream.web.topic.ParticleTasks;

/**
 * Recording of a run, opened for playback: gives the state of the run at any of its readings,
 * called steps here. A recording that was cut off plays as far as it goes. Owns the open file;
 * thread-safe.
 */
public final class RecordedRun implements Closeable {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final McapReader file;
  private final RecordingIndex index;
  private final RecordedMessages messages;
  private final RecordedMaps maps;
  private final int unreadParts;

  private RecordedRun(McapReader file, RecordingIndex index) {
    this.file = file;
    this.index = index;
    this.messages = new RecordedMessages(file);
    this.maps = new RecordedMaps(messages, index.maps());
    this.unreadParts = file.unreadParts();
  }

  /**
   * Opens a recording, which takes as long as reading it once.
   *
   * @throws IOException if the file cannot be read, or has no reading; the message is one sentence
   */
  public static RecordedRun open(Path path) throws IOException {
    McapReader file = McapReader.open(path);
    try {
      RecordingIndex index = RecordingIndex.of(file);
      if (index.steps().isEmpty()) {
        throw new IOException(path + " has no reading that could be played back");
      }
      return new RecordedRun(file, index);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  public List<StampedPose> path() {
    return index.path();
  }

  List<RecordedReading> steps() {
    return index.steps();
  }

  List<RecordingIndex.Event> events() {
    return index.events();
  }

  /** Returns the number of maps, whole ones and updates. */
  int maps() {
    return index.maps().size();
  }

  /** Returns the recorded identification of a map's cells; empty if there is none. */
  Optional<MapState> mapState(int map) {
    return Optional.ofNullable(index.mapState(map));
  }

  /** Returns for each map the number of the newest correction that it shows. */
  int[] corrections() {
    return IntStream.range(0, maps())
        .map(map -> mapState(map).map(MapState::correction).orElse(0))
        .toArray();
  }

  /**
   * Returns a map by its number.
   *
   * @param number number of the map, from 0; -1 for none
   * @return null for none
   */
  synchronized OccupancyGrid map(int number) throws IOException {
    return number < 0 ? null : maps.at(number);
  }

  /** Returns the scan of a step. */
  synchronized Scan scan(int step) throws IOException {
    LaserScan scan = LaserScan.TYPE.decodeCdr(messages.bytes(index.steps().get(step).scan()));
    Pose mount = index.mount(step);
    return new Scan(
        mount,
        scan.angleMin(),
        scan.angleIncrement(),
        scan.rangeMin(),
        scan.rangeMax(),
        scan.ranges());
  }

  /** Returns the ellipse that holds the robot at a step; of size 0 if the covariance is unknown. */
  synchronized ErrorEllipse ellipse(int step) throws IOException {
    McapReader.Place place = index.steps().get(step).covariance();
    if (place == null) {
      return ErrorEllipse.of(0, 0, 0);
    }
    PoseWithCovariance pose =
        PoseWithCovarianceStamped.TYPE.decodeCdr(messages.bytes(place)).pose();
    return ErrorEllipse.of(pose.xx(), pose.xy(), pose.yy());
  }

  /** Returns x and y of the newest particles at a step, metres; empty if there were none yet. */
  synchronized double[] particles(int step) throws IOException {
    int cloud = index.steps().get(step).newest().cloud();
    if (cloud < 0) {
      return new double[0];
    }
    McapReader.Place place = index.clouds().get(cloud).poses();
    return places(
        PoseArray.TYPE.decodeCdr(messages.bytes(place)).poses().stream().map(RosPose::position));
  }

  /**
   * Returns the task of each of the newest particles at a step; empty if tasks were not recorded.
   */
  synchronized List<Integer> particleTasks(int step) throws IOException {
    int cloud = index.steps().get(step).newest().cloud();
    McapReader.Place place = cloud < 0 ? null : index.clouds().get(cloud).tasks();
    return place == null
        ? List.of()
        : JSON.readValue(messages.json(place), ParticleTasks.class).tasks();
  }

  /**
   * Returns the age of the newest particles at a step, by the robot's clock; 0 if there were none
   * yet.
   */
  double particlesAgeSeconds(int step) {
    RecordedReading reading = index.steps().get(step);
    int cloud = reading.newest().cloud();
    return cloud < 0
        ? 0
        : Math.max(0, reading.stampNanos() - index.clouds().get(cloud).stampNanos()) / 1e9;
  }

  /** Returns the number of messages with loop edges. */
  int loops() {
    return index.loops().size();
  }

  /** Returns the two ends of each loop edge of a message: x and y, x and y; metres. */
  synchronized double[] loops(int number) throws IOException {
    return places(
        Marker.TYPE.decodeCdr(messages.bytes(index.loops().get(number))).points().stream());
  }

  /** Returns coordinates rounded to thousandths of a metre: nobody sees less. */
  private static double[] places(Stream<Vector3> points) {
    return points
        .flatMapToDouble(each -> DoubleStream.of(each.x(), each.y()))
        .map(each -> Math.rint(1000 * each) / 1000)
        .toArray();
  }

  /** Returns a sentence about damage of the recording; empty if there is none. */
  public String damage() {
    if (!file.hasEnd()) {
      return "the recording was cut off: it plays as far as it goes";
    }
    return unreadParts == 0 && index.unreadable() == 0
        ? ""
        : "%d parts and %d messages of the recording are damaged, and left out"
            .formatted(unreadParts, index.unreadable());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
