package org.cartostream.broker.codec;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import org.cartostream.broker.message.DroppedMessage;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.LoopsMessage;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.broker.message.UnavailableMessage;
import org.cartostream.broker.message.WorkerMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.map.server.ServerMap;
import org.cartostream.slam.motion.InitialPose;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.ClosedLoop;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;

/** Any messages of every kind, with whatever numbers and texts they may hold. */
final class Envelopes implements ArbitrarySupplier<Envelope> {

  @Override
  public Arbitrary<Envelope> get() {
    Arbitrary<String> robots =
        Arbitraries.strings()
            .withCharRange('a', 'z')
            .withChars("-_09")
            .ofMinLength(1)
            .ofMaxLength(64);
    Arbitrary<Long> longs = Arbitraries.longs();
    return Combinators.combine(robots, longs, longs, longs, bodies()).as(Envelope::new);
  }

  private static Arbitrary<Message> bodies() {
    Arbitrary<Long> counts = Arbitraries.longs().greaterOrEqual(0);
    return Arbitraries.oneOf(
        readings(),
        Combinators.combine(counts, counts).as(EndMessage::new),
        Combinators.combine(outcomes(), Arbitraries.longs(), Arbitraries.longs())
            .as(OutcomeMessage::new),
        numbers().map(each -> new ResendRequestMessage(each.get(0), each.get(1))),
        numbers().map(each -> new UnavailableMessage(each.get(0), each.get(1))),
        robotPoses().map(PoseMessage::new),
        poses().list().ofMaxSize(50).map(Envelopes::particles),
        loops(),
        maps(),
        maps().map(each -> new MapMessage.ForObservers((MapMessage) each)),
        Arbitraries.strings().ascii().map(DroppedMessage::new),
        workers(),
        trajectories(),
        reports());
  }

  private static Arbitrary<LoopsMessage> loops() {
    Arbitrary<StampedPose> moments =
        Combinators.combine(Arbitraries.longs(), poses()).as(StampedPose::new);
    return Combinators.combine(moments, moments)
        .as(ClosedLoop::new)
        .list()
        .ofMaxSize(50)
        .map(LoopsMessage::new);
  }

  private static ParticlesMessage particles(List<Pose> poses) {
    return new ParticlesMessage(poses, IntStream.range(0, poses.size()).boxed().toList());
  }

  /** Two, of which the second is not less. */
  private static Arbitrary<List<Long>> numbers() {
    return Arbitraries.longs()
        .greaterOrEqual(1)
        .list()
        .ofSize(2)
        .map(
            each ->
                List.of(Math.min(each.get(0), each.get(1)), Math.max(each.get(0), each.get(1))));
  }

  private static Arbitrary<Message> readings() {
    Arbitrary<Double> doubles = Arbitraries.doubles();
    Arbitrary<float[]> ranges = Arbitraries.floats().array(float[].class).ofMaxSize(50);
    Arbitrary<Scan> scans =
        Combinators.combine(poses(), doubles, doubles, doubles, doubles, ranges).as(Scan::new);
    return Combinators.combine(
            Arbitraries.longs(),
            poses(),
            scans,
            Arbitraries.longs().greaterOrEqual(0),
            knownMaps().injectNull(0.5),
            initialPoses().injectNull(0.3))
        .as(
            (stamp, at, scan, held, map, initialPose) ->
                new ReadingMessage(new Reading(stamp, at, scan), held, map, initialPose));
  }

  private static Arbitrary<PackedMap> knownMaps() {
    Arbitrary<Double> metres = Arbitraries.doubles().between(-1e6, 1e6);
    Arbitrary<Pose> origins = Combinators.combine(metres, metres, metres).as(Pose::new);
    return Combinators.combine(
            Arbitraries.integers().between(1, 20), Arbitraries.integers().between(1, 20), origins)
        .as(
            (width, height, origin) ->
                PackedMap.of(
                    new ServerMap(
                        new OccupancyGrid(
                            width, height, 0.1, origin.x(), origin.y(), new byte[width * height]),
                        origin,
                        65,
                        19)));
  }

  private static Arbitrary<InitialPose> initialPoses() {
    Arbitrary<Double> metres = Arbitraries.doubles().between(0, 1e6);
    return Arbitraries.oneOf(
        Arbitraries.of(new InitialPose.Anywhere(), new InitialPose.Unmoved()),
        Combinators.combine(metres, metres, metres)
            .as((x, y, turn) -> new InitialPose.At(new Pose(-x, y, -turn), turn, x, y)));
  }

  private static Arbitrary<Pose> poses() {
    Arbitrary<Double> doubles = Arbitraries.doubles();
    return Combinators.combine(doubles, doubles, doubles).as(Pose::new);
  }

  private static Arbitrary<Correction> corrections() {
    Arbitrary<Double> moved = Arbitraries.doubles().between(0, 1e9);
    return Arbitraries.oneOf(
        Arbitraries.just(Correction.NONE),
        Combinators.combine(Arbitraries.integers().greaterOrEqual(1), poses(), moved)
            .as(Correction::new));
  }

  private static Arbitrary<Outcome> outcomes() {
    Arbitrary<String> texts = Arbitraries.strings().ascii().ofMaxLength(200);
    return Arbitraries.oneOf(
        Combinators.combine(robotPoses(), Arbitraries.of(true, false), Arbitraries.longs())
            .as(Outcome.Processed::new),
        Combinators.combine(texts, texts).as(Outcome.Refused::new),
        texts.map(Outcome.Lost::new));
  }

  private static Arbitrary<RobotPose> robotPoses() {
    Arbitrary<Double> doubles = Arbitraries.doubles();
    return Combinators.combine(
            poses(), corrections(), doubles, doubles, qualities().injectNull(0.5))
        .as(
            (local, correction, neff, entropy, quality) ->
                new RobotPose(local, correction, neff, entropy).withQuality(quality));
  }

  private static Arbitrary<LocalisationQuality> qualities() {
    Arbitrary<Double> doubles = Arbitraries.doubles();
    return Combinators.combine(
            doubles, doubles, doubles, doubles, Arbitraries.of(LocalisationQuality.State.class))
        .as(LocalisationQuality::new);
  }

  private static Arbitrary<Message> maps() {
    Arbitrary<Integer> sides = Arbitraries.integers().between(0, 40);
    Arbitrary<Integer> cells = Arbitraries.integers().between(-1000, 1000);
    Arbitrary<OccupancyGrid> grids =
        Combinators.combine(sides, sides, cells, cells)
            .as(
                (width, height, column, row) ->
                    new OccupancyGrid(
                        width, height, 0.5, 0.5 * column, 0.5 * row, new byte[width * height]));
    return Arbitraries.oneOf(
        grids.map(MapMessage::ofEnd),
        Combinators.combine(grids, Arbitraries.integers().greaterOrEqual(0)).as(MapMessage::of));
  }

  private static Arbitrary<Message> workers() {
    Arbitrary<String> names = Arbitraries.strings().alpha().ofMaxLength(10);
    Arbitrary<Long> longs = Arbitraries.longs();
    Arbitrary<Integer> counts = Arbitraries.integers().greaterOrEqual(0);
    Arbitrary<List<WorkerMessage.HeldRun>> runs =
        Combinators.combine(names, longs, longs).as(WorkerMessage.HeldRun::new).list().ofMaxSize(4);
    Arbitrary<List<WorkerMessage.Task>> tasks =
        Combinators.combine(names, counts, longs, runs, counts)
            .as(WorkerMessage.Task::new)
            .list()
            .ofMaxSize(4);
    return Combinators.combine(names, names, longs, longs, tasks).as(WorkerMessage::new);
  }

  private static Arbitrary<Message> trajectories() {
    Arbitrary<PathPose> path =
        Combinators.combine(Arbitraries.longs(), Arbitraries.longs(), poses()).as(PathPose::new);
    return path.list().ofMaxSize(20).map(poses -> new TrajectoryMessage(2, 5, poses));
  }

  private static Arbitrary<Message> reports() {
    Arbitrary<Map<String, Long>> stages =
        Arbitraries.maps(Arbitraries.strings().alpha().ofMaxLength(10), Arbitraries.longs())
            .ofMaxSize(8);
    Arbitrary<Long> longs = Arbitraries.longs();
    return Combinators.combine(
            longs, longs, longs, stages, longs, longs, longs, Arbitraries.integers())
        .as(
            (processed, refused, lost, nanos, resamplings, bytes, evaluations, tasks) ->
                new FinishedMessage(
                    processed,
                    refused,
                    lost,
                    nanos,
                    resamplings,
                    bytes,
                    evaluations,
                    0.25 * tasks,
                    new OdometryStatistics(bytes, processed, new Pose(0.1, -0.02, 0.03), 0.2),
                    tasks,
                    new TaskBalance(
                        lost,
                        List.of(bytes, lost),
                        List.of(tasks, 7),
                        bytes,
                        1,
                        2,
                        3,
                        4,
                        processed),
                    new RecoveryReport(refused, lost, bytes, processed, "full " + tasks),
                    new LoopClosureReport(
                        lost, 0.5 + tasks, processed, 9.5 + lost, 8.5 + lost, 7 + tasks, 3),
                    0.25 * tasks,
                    "failure of " + tasks));
  }
}
