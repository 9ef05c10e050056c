package org.cartostream.gateway.ros.bag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cartostream.gateway.ros.scan.OdometrySource;
import org.cartostream.gateway.ros.scan.RosSettings;
import org.cartostream.gateway.ros.scan.ScanExtents;
import org.cartostream.gateway.ros.tf.RigidTransform;
import org.cartostream.gateway.ros.tf.TransformBuffer;
import org.cartostream.gateway.ros.tf.TransformTree;
import org.cartostream.ros.RosException;
import org.cartostream.ros.bag.BagFormatException;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.ros.bag.ReadCoverage;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.message.TransformStamped;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.log.LaserLog;

/**
 * The table of contents of a bag, made by reading it once from front to back before its scans are
 * read. Scans and odometries are recognised by their type; of several topics the one in the
 * settings is used, else the usual one ({@code /scan}, {@code /tf}, {@code /odom}).
 *
 * <p>Owns the counts, the contradictions among transforms, and the places where messages are not in
 * the order of time.
 */
final class BagContents {

  private static final String USUAL_SCANS = "/scan";
  private static final String USUAL_ODOMETRY = "/odom";
  private static final String USUAL_TRANSFORMS = "/tf";

  private static final String SCAN_KEY = "ros.bagScanTopic";
  private static final String ODOMETRY_KEY = "ros.bagOdometryTopic";

  /** The bags' files, for messages. */
  private final String file;

  private final RosSettings settings;
  private final Map<String, StampTrack> scans = new TreeMap<>();

  /** Extents of the scans that can be decoded, by topic. */
  private final Map<String, ScanExtents> extents = new TreeMap<>();

  /** The frames of the scans, by topic. */
  private final Map<String, Set<String>> laserFrames = new TreeMap<>();

  /** Stamps by topic, also of topics of transforms. */
  private final Map<String, StampTrack> tracks = new TreeMap<>();

  private final Set<String> odometries = new TreeSet<>();
  private final Set<String> allTopics = new TreeSet<>();
  private final BagTransforms transforms;

  /** Each frame's parents. */
  private final Map<String, Set<String>> parents = new TreeMap<>();

  /**
   * Static transforms by topic, then by frame and parent, in the order of the file; the first of
   * each pair.
   */
  private final Map<String, Map<List<String>, TransformStamped>> fixed = new TreeMap<>();

  private final ContradictingTransforms contradictions = new ContradictingTransforms();
  private long undecodable;
  private String firstUndecodable = "";
  private ReadCoverage coverage;

  private long latestNanos = Long.MIN_VALUE;
  private String disorder = "";

  private BagContents(String file, RosSettings settings) {
    this.file = file;
    this.settings = settings;
    this.transforms = new BagTransforms(settings.odomFrame());
  }

  static BagContents of(List<Path> files, RosSettings settings) throws IOException {
    String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
    BagContents contents = new BagContents(names, settings);
    try (MessageFile bag = MessageFile.open(files)) {
      for (MessageFile.RecordedMessage each = bag.next(); each != null; each = bag.next()) {
        try {
          contents.take(each, bag.source());
        } catch (RosException e) {
          contents.cannotDecode(each, e);
        }
      }
      contents.coverage = bag.coverage();
      Optional<String> twoPlaces = contents.contradictions.ofTwoFiles();
      if (twoPlaces.isPresent()) {
        throw new FileFormatException(twoPlaces.get());
      }
    } catch (BagFormatException e) {
      throw new FileFormatException(e.getMessage(), e);
    }
    return contents;
  }

  private void take(MessageFile.RecordedMessage message, String source) {
    contradictions.recorded(source, message.atNanos());
    allTopics.add(
        message.type().isEmpty() ? message.topic() : message.topic() + " (" + message.type() + ")");
    if (message.is(LaserScan.TYPE)) {
      StampTrack track = scans.computeIfAbsent(message.topic(), any -> new StampTrack());
      LaserScan scan = message.as(LaserScan.TYPE);
      track.add(scan.header().stamp(), null);
      extents.computeIfAbsent(message.topic(), any -> ScanExtents.ofFile()).add(scan);
      laserFrames
          .computeIfAbsent(message.topic(), any -> new TreeSet<>())
          .add(TransformTree.name(scan.header().frameId()));
    } else if (message.is(Odometry.TYPE)) {
      odometries.add(message.topic());
      Odometry odometry = message.as(Odometry.TYPE);
      RigidTransform pose = RigidTransform.of(odometry.pose().pose());
      track(message.topic(), odometry.header().stamp(), pose);
      String what = "odometry on " + message.topic();
      contradictions.moving(source, what, odometry.header().stamp(), pose);
    } else if (message.is(TfMessage.TYPE)) {
      take(message.topic(), message.as(TfMessage.TYPE), source);
    } else {
      return;
    }
    latestNanos = Math.max(latestNanos, message.atNanos());
    if (disorder.isEmpty() && latestNanos - message.atNanos() > TransformBuffer.MAX_GAP_NANOS) {
      disorder = disorder(message.atNanos(), latestNanos);
    }
  }

  private void take(String topic, TfMessage message, String source) {
    transforms.add(topic, message);
    for (TransformStamped each : message.transforms()) {
      String child = TransformTree.name(each.childFrameId());
      String parent = TransformTree.name(each.header().frameId());
      parents.computeIfAbsent(child, any -> new TreeSet<>()).add(parent);
      RigidTransform motion = RigidTransform.of(each.transform());
      String what = "the transform from '" + parent + "' to '" + child + "' on " + topic;
      if (BagTransforms.isFixed(topic)) {
        contradictions.fixed(source, what, motion);
        fixed
            .computeIfAbsent(topic, any -> new LinkedHashMap<>())
            .putIfAbsent(List.of(child, parent), each);
        continue;
      }
      contradictions.moving(source, what, each.header().stamp(), motion);
      if (parent.equals(TransformTree.name(settings.odomFrame()))) {
        track(topic, each.header().stamp(), motion);
      }
    }
  }

  private void track(String topic, long stampNanos, RigidTransform pose) {
    if (pose.isValid()) {
      tracks.computeIfAbsent(topic, any -> new StampTrack()).add(stampNanos, pose.planar());
    }
  }

  private void cannotDecode(MessageFile.RecordedMessage message, RosException why) {
    undecodable++;
    if (firstUndecodable.isEmpty()) {
      firstUndecodable = "on " + message.topic() + ": " + why.getMessage();
    }
    if (message.is(LaserScan.TYPE)) {
      scans.computeIfAbsent(message.topic(), any -> new StampTrack()).addUndecodable();
    }
  }

  private static String disorder(long nanos, long beforeNanos) {
    double second = TimeUnit.SECONDS.toNanos(1);
    return String.format(
        Locale.ROOT,
        "a message of %.2f s comes behind one of %.2f s",
        nanos / second,
        beforeNanos / second);
  }

  /**
   * Returns the laser's topic.
   *
   * @throws FileFormatException if no topic has scans, the topic in the settings has none, or of
   *     several topics the settings name none and none is {@code /scan}
   */
  String scanTopic() throws FileFormatException {
    if (scans.isEmpty()) {
      throw new FileFormatException(
          file
              + " has no sensor_msgs/LaserScan messages"
              + (allTopics.isEmpty() ? "" : "; what it has is on " + allTopics)
              + damage().map(what -> "; " + what).orElse(""));
    }
    if (!settings.bagScanTopic().isEmpty()) {
      return named(settings.bagScanTopic(), scans.keySet(), "laser scans", SCAN_KEY);
    }
    if (scans.size() > 1 && !scans.containsKey(USUAL_SCANS)) {
      throw new FileFormatException(
          file
              + " has the scans of several lasers, "
              + scans.keySet()
              + ", and none on /scan; name the one to take, as by --set "
              + SCAN_KEY
              + "="
              + scans.keySet().iterator().next());
    }
    return scans.size() == 1 ? scans.keySet().iterator().next() : USUAL_SCANS;
  }

  /** Returns the topic of this name; the first slash may be missing. */
  private String named(String name, Set<String> topics, String what, String key)
      throws FileFormatException {
    for (String topic : List.of(name, "/" + name)) {
      if (topics.contains(topic)) {
        return topic;
      }
    }
    String there = topics.isEmpty() ? "there is none at all" : "there are some on " + topics;
    throw new FileFormatException(
        "%s has no %s on '%s', which the setting %s names; %s"
            .formatted(file, what, name, key, there));
  }

  /** Returns the number of scans of the laser's topic. */
  int scanCount() throws FileFormatException {
    return Math.toIntExact(scans.get(scanTopic()).count());
  }

  /** Returns the stamps of the laser's scans. */
  StampTrack scanTrack() throws FileFormatException {
    return scans.get(scanTopic());
  }

  /**
   * Checks that the frame which the settings place on the robot is that of scans.
   *
   * @throws FileFormatException if no scan has this frame
   */
  void checkMount() throws FileFormatException {
    Optional<String> mismatch =
        settings.mount().mismatch(laserFrames.getOrDefault(scanTopic(), Set.of()));
    if (mismatch.isPresent()) {
      throw new FileFormatException(file + ": " + mismatch.get());
    }
  }

  /**
   * Checks that there is odometry for any time of the scans.
   *
   * @throws FileFormatException if their clocks never meet
   */
  void checkClocks() throws FileFormatException {
    StampTrack ofScans = scanTrack();
    Optional<StampTrack> odometry = odometryTrack();
    if (odometry.isEmpty() || ofScans.earliest() > ofScans.latest()) {
      return;
    }
    long lag = Math.round(settings.laserLagSeconds() * TimeUnit.SECONDS.toNanos(1));
    long before = ofScans.earliest() - lag - odometry.get().latest();
    long behind = odometry.get().earliest() - (ofScans.latest() - lag);
    if (Math.max(before, behind) > TransformBuffer.KEPT_NANOS) {
      throw new FileFormatException(
          "%s has two clocks that never meet: its scans are stamped from %s, and odometry on %s from %s; one is likely simulated time and the other the wall's: record with use_sim_time the same for all nodes (true with --clock or a simulator, else false)"
              .formatted(file, range(ofScans), odometryTopic(), range(odometry.get())));
    }
  }

  private String odometryTopic() throws FileFormatException {
    OdometrySource.Topics topics = odometry();
    return topics.isNamed() ? topics.messages() : topics.transforms();
  }

  private static String range(StampTrack track) {
    double second = TimeUnit.SECONDS.toNanos(1);
    return String.format(
        Locale.ROOT, "%.2f to %.2f s", track.earliest() / second, track.latest() / second);
  }

  /** Returns the extents of the laser's scans. */
  ScanExtents scanExtents() throws FileFormatException {
    return extents.getOrDefault(scanTopic(), ScanExtents.ofFile());
  }

  /** Returns the stamps of the odometry that is used; empty if there is none. */
  Optional<StampTrack> odometryTrack() throws FileFormatException {
    return Optional.ofNullable(tracks.get(odometryTopic()));
  }

  /** Returns the static transforms, however late they were recorded. */
  Map<String, TfMessage> fixedTransforms() {
    Map<String, TfMessage> all = new TreeMap<>();
    fixed.forEach((topic, byChild) -> all.put(topic, new TfMessage(List.copyOf(byChild.values()))));
    return all;
  }

  /**
   * Returns the topics of odometry: at most one of transforms and one of {@code nav_msgs/Odometry}.
   * Two odometries differ, and a path made of both would jump.
   *
   * @throws FileFormatException if the topic in the settings has no odometry, or of several topics
   *     the settings name none and none is a usual one
   */
  OdometrySource.Topics odometry() throws FileFormatException {
    Set<String> tfs = transforms.odometries();
    String key = settings.bagOdometryTopic();
    if (!key.isEmpty()) {
      String topic = named(key, allOdometries(), "odometry", ODOMETRY_KEY);
      return tfs.contains(topic)
          ? new OdometrySource.Topics(topic, "", false)
          : new OdometrySource.Topics(USUAL_TRANSFORMS, topic, true);
    }
    boolean severalTfs = tfs.size() > 1 && !tfs.contains(USUAL_TRANSFORMS);
    boolean several = odometries.size() > 1 && !odometries.contains(USUAL_ODOMETRY);
    if (severalTfs || (several && tfs.isEmpty())) {
      String usual = severalTfs ? "/tf" : "/tf or /odom";
      throw new FileFormatException(
          "%s has several odometries, %s, and none on %s; name the one to take, as by --set %s=%s"
              .formatted(
                  file, allOdometries(), usual, ODOMETRY_KEY, allOdometries().iterator().next()));
    }
    String tf = tfs.size() == 1 ? tfs.iterator().next() : USUAL_TRANSFORMS;
    String topic = odometries.size() == 1 ? odometries.iterator().next() : USUAL_ODOMETRY;
    boolean topicServes = !several && odometries.contains(topic) && !transformsServe();
    return new OdometrySource.Topics(tf, several ? "" : topic, topicServes);
  }

  /** True if transforms lead from the robot's base up to odometry's frame. */
  private boolean transformsServe() {
    String odom = TransformTree.name(settings.odomFrame());
    Set<String> above = new TreeSet<>(Set.of(TransformTree.name(settings.baseFrame())));
    Deque<String> open = new ArrayDeque<>(above);
    while (!open.isEmpty()) {
      parents.getOrDefault(open.remove(), Set.of()).stream().filter(above::add).forEach(open::add);
    }
    return above.contains(odom);
  }

  /**
   * Returns the transforms; if several topics of transforms have odometry, only that of {@link
   * #odometry} is used.
   */
  BagTransforms transforms() throws FileFormatException {
    OdometrySource.Topics topics = odometry();
    if (transforms.odometries().contains(topics.transforms()) && !topics.isNamed()) {
      transforms.select(topics.transforms());
    }
    return transforms;
  }

  private Set<String> allOdometries() {
    Set<String> all = new TreeSet<>(odometries);
    all.addAll(transforms.odometries());
    return all;
  }

  /** Returns sentences for people about the choices that the settings left open. */
  List<String> notices() throws FileFormatException {
    List<String> notices = new ArrayList<>(contradictions.notes());
    if (undecodable > 0) {
      notices.add(
          undecodable + " messages make no sense and are left out; the first " + firstUndecodable);
    }
    if (coverage.repeatedMessages() > 0) {
      notices.add(
          coverage.repeatedMessages()
              + " messages are in several of the files, and are taken once");
    }
    if (settings.bagScanTopic().isEmpty() && scans.size() > 1) {
      notices.add(choice("lasers", scans.keySet(), USUAL_SCANS, SCAN_KEY));
    }
    // Most robots send the same odometry as transforms and on one topic.
    boolean several = odometries.size() > 1 || transforms.odometries().size() > 1;
    if (settings.bagOdometryTopic().isEmpty() && several) {
      OdometrySource.Topics topics = odometry();
      List<String> taken = new ArrayList<>(List.of(topics.transforms(), topics.messages()));
      taken.retainAll(allOdometries());
      notices.add(
          choice("odometries", allOdometries(), String.join(", or else ", taken), ODOMETRY_KEY));
    }
    return notices;
  }

  /** Returns the damage of the bag, see {@link LaserLog#damage}. */
  Optional<String> damage() {
    if (coverage.isWhole()) {
      return Optional.empty();
    }
    double share = 1 - coverage.unreadBytes() / (double) Math.max(1, coverage.bytes());
    return Optional.of(
        String.format(
            Locale.ROOT,
            "the log %s; %.1f %% of %s bytes are read: %s",
            whatIsWrong(),
            100 * share,
            coverage.endsEarly() ? "these" : "its",
            String.join("; ", coverage.damages())));
  }

  private String whatIsWrong() {
    if (coverage.endsEarly()) {
      return String.format(
          Locale.ROOT,
          "ends early: %,d of some %,d bytes are there (%.0f %%)",
          coverage.bytes(),
          coverage.wholeBytes(),
          100.0 * coverage.bytes() / coverage.wholeBytes());
    }
    if (coverage.isAllRead()) {
      return coverage.missingFiles() > 0 ? "is not all there" : "was not closed in order";
    }
    return "is damaged";
  }

  private static String choice(String what, Set<String> topics, String taken, String key) {
    return String.format(
        "of the %s on %s the one on %s is taken; the setting %s names another",
        what, topics, taken, key);
  }

  /**
   * Returns a sentence for people about the places where messages are not in the order of time;
   * empty if they are.
   */
  String disorder() {
    return disorder;
  }
}
