package org.cartostream.web.playback;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.cartostream.ros.bag.McapMessage;
import org.cartostream.ros.bag.McapReader;
import org.cartostream.ros.message.PoseStamped;
import org.cartostream.ros.message.RosLog;
import org.cartostream.ros.message.RosPath;
import org.cartostream.ros.message.RosPose;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.Transform;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.web.topic.Counters;
import org.cartostream.web.topic.MapState;
import org.cartostream.web.topic.Topic;

/**
 * Index of a recording: its steps, one for each reading, and the places of its maps and scans in
 * the file. The recording is read once for it. A step begins with a reading's scan, and contains
 * all that was recorded before the next scan; the last step contains the rest, with the run's final
 * map. Takes some 200 bytes of memory for each reading. Not thread-safe.
 */
final class RecordingIndex {

  /** Maximum number of log sentences that are kept. */
  private static final int MAX_EVENTS = 2_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final Map<String, Topic> TOPICS =
      Arrays.stream(Topic.values()).collect(Collectors.toMap(Topic::topic, Function.identity()));

  /**
   * Message with a map, or with the changes of one.
   *
   * @param isWhole true if the message does not build on the one before
   */
  record MapMessage(McapReader.Place place, boolean isWhole) {}

  /**
   * Messages about some of the particles.
   *
   * @param poses place of the message with their poses
   * @param tasks place of the message with the tasks that weighed them; null if that was not
   *     recorded
   * @param stampNanos stamp of the reading at which the particles were weighed
   */
  record Cloud(McapReader.Place poses, McapReader.Place tasks, long stampNanos) {

    Cloud of(McapReader.Place itsTasks) {
      return new Cloud(poses, itsTasks, stampNanos);
    }
  }

  /**
   * Log sentence of a recording.
   *
   * @param step number of the step at which it was recorded
   */
  record Event(int step, String sentence) {}

  private final List<RecordedReading> steps = new ArrayList<>();
  private final List<MapMessage> maps = new ArrayList<>();
  private final List<MapState> mapStates = new ArrayList<>();
  private final List<Cloud> clouds = new ArrayList<>();
  private final List<McapReader.Place> loops = new ArrayList<>();
  private final TreeMap<Integer, Pose> mounts = new TreeMap<>();
  private final List<Event> events = new ArrayList<>();
  private List<StampedPose> path = List.of();
  private long unreadable;

  // State of the step that is being read.
  private McapReader.Place scan;
  private long stampNanos;
  private Pose pose;
  private McapReader.Place covariance;
  private Counters counters;

  private RecordingIndex() {}

  static RecordingIndex of(McapReader file) throws IOException {
    RecordingIndex index = new RecordingIndex();
    for (McapMessage each = file.next(); each != null; each = file.next()) {
      index.take(each, file.place());
    }
    index.endStep();
    return index;
  }

  private void take(McapMessage message, McapReader.Place place) {
    Topic topic = TOPICS.get(message.topic());
    if (topic == null) {
      return; // From another program, which may add to a recording.
    }
    try {
      take(topic, message, place);
    } catch (IOException | RuntimeException e) {
      unreadable++;
    }
  }

  private void take(Topic topic, McapMessage message, McapReader.Place place) throws IOException {
    byte[] bytes = message.bytes();
    switch (topic) {
      case SCAN -> {
        endStep();
        scan = place;
        stampNanos = message.atNanos();
      }
      case TF_STATIC -> mounts.put(steps.size() + (scan == null ? 0 : 1), mount(bytes));
      case POSE -> {
        pose = pose(PoseStamped.TYPE.decodeCdr(bytes));
        covariance = null; // Comes behind its pose, where it is known.
      }
      case SURE_POSE -> covariance = place;
      case COUNTERS -> {
        Counters now = JSON.readValue(RecordedMessages.json(message), Counters.class);
        counters = counters == null ? now : now.ofReading(counters.reading());
      }
      case LOG -> {
        if (events.size() < MAX_EVENTS) {
          events.add(new Event(steps.size(), RosLog.TYPE.decodeCdr(bytes).msg()));
        }
      }
      case MAP, MAP_UPDATES -> {
        if (topic == Topic.MAP || !maps.isEmpty()) {
          maps.add(new MapMessage(place, topic == Topic.MAP));
          mapStates.add(null);
        }
      }
      case MAP_STATE -> {
        if (!maps.isEmpty()) {
          mapStates.set(
              maps.size() - 1, JSON.readValue(RecordedMessages.json(message), MapState.class));
        }
      }
      case PATH ->
          path =
              RosPath.TYPE.decodeCdr(bytes).poses().stream()
                  .map(each -> new StampedPose(each.header().stamp(), pose(each)))
                  .toList();
      case PARTICLES -> clouds.add(new Cloud(place, null, message.atNanos()));
      case PARTICLE_TASKS -> {
        if (!clouds.isEmpty()) {
          clouds.set(clouds.size() - 1, clouds.get(clouds.size() - 1).of(place));
        }
      }
      case LOOPS -> loops.add(place);
      default -> {} // Transforms only repeat the poses.
    }
  }

  private void endStep() {
    if (scan != null) {
      RecordedReading.Newest newest =
          new RecordedReading.Newest(maps.size() - 1, clouds.size() - 1, loops.size() - 1);
      steps.add(new RecordedReading(stampNanos, pose, covariance, counters, newest, scan));
    }
    counters = null;
  }

  private static Pose mount(byte[] bytes) {
    Transform transform = TfMessage.TYPE.decodeCdr(bytes).transforms().get(0).transform();
    return pose(
        transform.translation().x(),
        transform.translation().y(),
        transform.rotation().z(),
        transform.rotation().w());
  }

  private static Pose pose(PoseStamped stamped) {
    RosPose pose = stamped.pose();
    return pose(
        pose.position().x(), pose.position().y(), pose.orientation().z(), pose.orientation().w());
  }

  private static Pose pose(double x, double y, double sinHalf, double cosHalf) {
    return new Pose(x, y, Pose.wrap(2 * StrictMath.atan2(sinHalf, cosHalf)));
  }

  List<RecordedReading> steps() {
    return steps;
  }

  List<MapMessage> maps() {
    return maps;
  }

  /** Returns the messages about particles, by number. */
  List<Cloud> clouds() {
    return clouds;
  }

  /** Returns the places of the messages with loop edges, by number. */
  List<McapReader.Place> loops() {
    return loops;
  }

  /** Returns the recorded identification of a map's cells; null if there is none. */
  MapState mapState(int map) {
    return mapStates.get(map);
  }

  /** Returns the pose of the laser on the base at a step. */
  Pose mount(int step) {
    Map.Entry<Integer, Pose> newest = mounts.floorEntry(step);
    return newest == null ? Pose.ORIGIN : newest.getValue();
  }

  List<Event> events() {
    return events;
  }

  /** Returns the whole path after loop closure; empty if the run did not end in order. */
  List<StampedPose> path() {
    return path;
  }

  /** Returns the number of messages that could not be read. */
  long unreadable() {
    return unreadable;
  }
}
