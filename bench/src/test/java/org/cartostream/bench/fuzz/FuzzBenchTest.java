package org.cartostream.bench.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.cartostream.broker.codec.Codec;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.checkpoint.CheckpointId;
import org.cartostream.checkpoint.CheckpointPart;
import org.cartostream.checkpoint.CheckpointStore;
import org.cartostream.checkpoint.DirectoryStore;
import org.cartostream.checkpoint.Manifest;
import org.cartostream.checkpoint.RunState;
import org.cartostream.checkpoint.StateCodec;
import org.cartostream.gateway.journal.BlockLog;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.ros.bag.McapWriter;
import org.cartostream.ros.bag.MessageFile;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.ros.message.Odometry;
import org.cartostream.ros.message.TfMessage;
import org.cartostream.ros.node.TopicQos;
import org.cartostream.ros.serialization.MessageType;
import org.cartostream.run.Logs;
import org.cartostream.settings.Settings;
import org.cartostream.sim.log.SimulatedLog;
import org.cartostream.sim.world.Route;
import org.cartostream.sim.world.World;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.mapping.SerialFilter;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever is done to a log, nothing of it is lost without a word. {@code bench fuzz} does the same
 * for longer.
 */
@Quick
class FuzzBenchTest {

  private static final Path HERE =
      Logs.ROOT.resolve("bench/src/test/resources/org/cartostream/bench/fuzz");
  private static final Path MCAP =
      Logs.ROOT.resolve("gateway/src/test/resources/org/cartostream/gateway/ros/bag/mcap");

  /** 17 logs and maps: 660 files in all. */
  private static final int TIMES = 39;

  private static final int STATES = 100;

  /** Of each folder and further picture. */
  private static final int FORMS = 30;

  private static final long SEED = 29;

  private static final List<MessageType<?>> TYPES =
      List.of(LaserScan.TYPE, Odometry.TYPE, TfMessage.TYPE);

  private static final String MISSED = "lost one that is not there without a word";

  @TempDir private Path folder;

  static Stream<Path> logs() throws IOException {
    List<Path> logs = new ArrayList<>();
    for (Path each : List.of(HERE, MCAP)) {
      try (Stream<Path> files = Files.list(each)) {
        files.filter(file -> !file.toString().endsWith(".py")).sorted().forEach(logs::add);
      }
    }
    return logs.stream();
  }

  @ParameterizedTest
  @MethodSource("logs")
  void nothingIsLostWithoutAWord(Path log) throws IOException {
    assertThat(Files.size(log)).isLessThan(50_000);
    FuzzBench.Result result = new FuzzBench(folder).run(log, TIMES, SEED, () -> false);
    assertThat(result.files()).isEqualTo(TIMES);
    assertThat(result.faults()).isEmpty();
    assertThat(result.faulty()).isZero();
  }

  /** Of a filter after some readings, whose checkpoint is kept as a run's last one is. */
  private Path state() throws IOException {
    SerialFilter filter =
        new SerialFilter(Settings.build(FilterSettings.class, Map.of("particles", "1")), "robot");
    List<Reading> readings =
        SimulatedLog.of(World.office(), Route.deadEnds(), SEED).first(3).readings();
    for (int i = 0; i < readings.size(); i++) {
      filter.process(i + 1, readings.get(i));
    }
    CheckpointStore store = new DirectoryStore(folder.resolve("store"));
    CheckpointId id = new CheckpointId("robot", 1, readings.size());
    CheckpointPart part = store.write(id, "filter", StateCodec.encode(filter).blocks());
    SortedMap<String, String> identity = new TreeMap<>(Map.of("slam.seed", "1"));
    Path file = folder.resolve("some.state");
    Manifest manifest = new Manifest(id, "0.1.0", identity, List.of(part));
    AtomicFile.write(file, out -> RunState.write(out, store, manifest));
    return file;
  }

  @Test
  void aStateOrAManifestThatWasChangedIsReadOrRefused() throws IOException {
    FuzzBench.Result result = new FuzzBench(folder).run(state(), STATES, SEED, () -> false);
    assertThat(result.faults()).isEmpty();
    assertThat(result.files()).isEqualTo(STATES);
  }

  /** As a gateway's process leaves them that is killed: one reading is answered, others wait. */
  private Path left(String name) throws IOException {
    Path file = folder.resolve(name);
    List<Reading> readings =
        SimulatedLog.of(World.office(), Route.deadEnds(), SEED).first(4).readings();
    List<Envelope> sent = new ArrayList<>();
    for (Reading each : readings) {
      sent.add(
          new Envelope(
              FuzzableJournal.ROBOT,
              1,
              sent.size() + 1,
              each.stampNanos(),
              new ReadingMessage(each)));
    }
    if (name.endsWith(".spool")) {
      Codec codec = new Codec(BlockLog.MAX_BLOCK_BYTES);
      try (BlockLog log = new BlockLog(file, "")) {
        for (Envelope each : sent) {
          log.append(codec.encode(each), false);
        }
      }
      return file;
    }
    try (RunJournal journal =
        RunJournal.begin(
            file,
            RunJournal.Keeps.READINGS,
            Map.of("robot", FuzzableJournal.ROBOT),
            new RunBeginning(1, 0))) {
      sent.forEach(journal::sent);
      RobotPose pose = new RobotPose(readings.get(0).odometry(), Correction.NONE, 15, 2.5);
      journal.answered(sent.get(0), OutcomeMessage.now(new Outcome.Processed(pose, false, 1), 0));
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(strings = {"run.journal", "backlog.spool"})
  void whatAGatewayLeftAndWasChangedIsReadOrRefused(String name) throws IOException {
    FuzzBench.Result result = new FuzzBench(folder).run(left(name), STATES, SEED, () -> false);
    assertThat(result.faults()).isEmpty();
    assertThat(result.files()).isEqualTo(STATES);
  }

  /** Every third message of a recording. */
  private static void part(int part, Path file) throws IOException {
    try (MessageFile all = MessageFile.open(List.of(HERE.resolve("unchunked.mcap")));
        McapWriter out = McapWriter.create(file, "test")) {
      Map<String, McapWriter.Channel> topics = new TreeMap<>();
      int count = 0;
      for (var each = all.next(); each != null; each = all.next()) {
        MessageType<?> type = TYPES.stream().filter(each::is).findFirst().orElseThrow();
        if (count++ % 3 == part) {
          String topic = each.topic();
          topics.computeIfAbsent(topic, name -> out.topic(name, type, TopicQos.RELIABLE));
          out.write(topics.get(topic), each.atNanos(), encoded(each, type));
          if (count % 5 == 0) {
            out.endChunk();
          }
        }
      }
    }
  }

  private static <M extends Record> byte[] encoded(
      MessageFile.RecordedMessage message, MessageType<M> type) {
    return type.encodeCdr(message.as(type));
  }

  /** A recording that was split into three files; one of the databases is packed. */
  private Path split(String ending) throws Exception {
    Path split = Files.createDirectory(folder.resolve(ending.substring(1) + "s"));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Path file = split.resolve("b_" + i + ending);
      if (ending.equals(".mcap")) {
        part(i, file);
      } else {
        Files.copy(HERE.resolve("small.db3"), file);
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file);
            Statement change = database.createStatement()) {
          change.execute("DELETE FROM messages WHERE id % 3 <> " + i);
          change.execute("VACUUM");
        }
        if (i == 1) {
          Path packed = split.resolve(file.getFileName() + ".zstd");
          Files.write(packed, Zstd.compress(Files.readAllBytes(file)));
          Files.delete(file);
          file = packed;
        }
      }
      names.add("    - " + file.getFileName() + "\n");
    }
    Files.writeString(
        split.resolve("metadata.yaml"),
        "rosbag2_bagfile_information:\n  version: 5\n  relative_file_paths:\n"
            + String.join("", names)
            + "  message_count: 180\n  compression_format: \"\"\n  compression_mode: \"\"\n");
    return split;
  }

  @ParameterizedTest
  @ValueSource(strings = {".mcap", ".db3"})
  void ofAFolderNothingIsLostWithoutAWord(String ending) throws Exception {
    Path split = split(ending);
    FuzzBench.Result result = new FuzzBench(folder).run(split, FORMS, SEED, () -> false);
    assertThat(result.faults()).isEmpty();
    assertThat(result.files()).isEqualTo(FORMS);

    FuzzInput whole = FuzzInput.of(split);
    List<FuzzInput> files = new ArrayList<>(whole.members());
    files.set(3, withOneMorePart(files.get(3)));
    FuzzInput wanted =
        new FuzzInput("", whole.kind(), whole.bytes(), List.of(), false, List.of(), files);
    assertThat(fault(wanted, MutatedFile.whole(whole.bytes()))).isEqualTo(MISSED);
  }

  /** In the format that the ending names. */
  private Path picture(String ending) throws IOException {
    BufferedImage map = ImageIO.read(HERE.resolve("map.png").toFile());
    Path file = folder.resolve("map." + ending);
    if (!ending.startsWith("p")) {
      assertThat(ImageIO.write(map, ending, file.toFile())).isTrue();
      return file;
    }
    boolean isBits = ending.startsWith("pbm");
    StringBuilder text = new StringBuilder(isBits ? "P1 20 12" : "P3 20 12 255");
    for (int i = 0; i < 20 * 12; i++) {
      int grey = map.getRaster().getSample(i % 20, i / 20, 0);
      text.append(isBits ? " " + (grey == 0 ? 1 : 0) : (" " + grey).repeat(3));
    }
    return Files.writeString(file, text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"pbm", "ppm", "bmp", "gif", "jpg", "tiff"})
  void aPictureThatWasChangedIsReadOrRefused(String ending) throws IOException {
    FuzzBench.Result result = new FuzzBench(folder).run(picture(ending), FORMS, SEED, () -> false);
    assertThat(result.faults()).isEmpty();
    assertThat(result.files()).isEqualTo(FORMS);
  }

  private String fault(FuzzInput log, MutatedFile file) throws IOException {
    return FuzzReader.fault(log, file, Files.write(folder.resolve("changed"), file.bytes()));
  }

  @ParameterizedTest
  @MethodSource("logs")
  void aPartThatIsNotReadIsMissed(Path path) throws IOException {
    FuzzInput log = FuzzInput.of(path);
    MutatedFile whole = MutatedFile.whole(log.bytes());
    assertThat(fault(log, whole)).isEmpty();

    assertThat(fault(withOneMorePart(log), whole)).isEqualTo(MISSED);
  }

  private static FuzzInput withOneMorePart(FuzzInput log) {
    List<FuzzInput.Part> more = new ArrayList<>(log.parts());
    more.add(new FuzzInput.Part("one that is not there", List.of(), List.of()));
    return new FuzzInput(log.name(), log.kind(), log.bytes(), more, log.isCounted(), log.lengths());
  }

  @Test
  void knowsWhatItTouched() {
    byte[] bytes = new byte[1000];
    new Random(SEED).nextBytes(bytes);
    Random random = new Random(SEED);
    int untouched = 0;
    for (int i = 0; i < 200; i++) {
      MutatedFile file = MutatedFile.of(bytes, List.of(0, 500), random);
      assertThat(file.origins()).hasSameSizeAs(file.bytes());
      for (int at = 0; at < file.bytes().length; at++) {
        int origin = file.origins()[at];
        assertThat(origin == MutatedFile.NEW || bytes[origin] == file.bytes()[at])
            .as("%s, byte %d", file.what(), at)
            .isTrue();
      }
      int first = file.member(0, 400).bytes().length;
      assertThat(first + file.member(400, 1000).bytes().length).isEqualTo(file.bytes().length);
      int found = file.find(100, 200);
      untouched += found < 0 ? 0 : 1;
      for (int j = 0; found >= 0 && j < 100; j++) {
        assertThat(file.bytes()[found + j]).isEqualTo(bytes[100 + j]);
      }
    }
    assertThat(untouched).isBetween(50, 180);
  }
}
