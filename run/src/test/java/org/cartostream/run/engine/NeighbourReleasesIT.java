package org.cartostream.run.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.cartostream.run.engine.NeighbourGateway.READINGS;
import static org.cartostream.run.engine.NeighbourGateway.ROBOT;
import static org.cartostream.run.engine.NeighbourGateway.SETTINGS;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.cartostream.broker.embedded.EmbeddedBroker;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.run.Logs;
import org.cartostream.run.checkpoint.RunCheckpoints;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.log.text.CarmenLog;
import org.cartostream.testing.Default;
import org.cartostream.topology.local.LocalService;
import org.cartostream.web.observer.RunObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Gateways of other releases map against a service of this one, in one JVM: their messages are
 * compiled from other sources, and loaded by class loaders of their own.
 */
@Default
class NeighbourReleasesIT {

  /** Has fields that the service does not know: of a message each way, within one, around all. */
  private static final Map<String, String> NEWER =
      Map.of(
          "org.cartostream.broker.message.Envelope",
          """
          public record Envelope(
              String robot, long run, long sequence, long stampNanos, Message body, String trace) {
            public Envelope(String robot, long run, long sequence, long stampNanos, Message body) {
              this(robot, run, sequence, stampNanos, body, "trace " + sequence);
            }
            public static long newRun() {
              return new java.security.SecureRandom().nextLong() >>> 1;
            }
            public Envelope answer(Message answer) {
              return new Envelope(robot, run, sequence, stampNanos, answer);
            }
          }
          """,
          "org.cartostream.broker.message.EndMessage",
          """
          public record EndMessage(long readings, long heldMap, double voltage) implements Message {
            public EndMessage(long readings, long heldMap) {
              this(readings, heldMap, 11.5);
            }
          }
          """,
          "org.cartostream.slam.sensor.Reading",
          """
          import org.cartostream.slam.geometry.Pose;
          public record Reading(
              long stampNanos, Pose odometry, Scan scan, double celsius, Scan second) {
            public Reading(long stampNanos, Pose odometry, Scan scan) {
              this(stampNanos, odometry, scan, 21.5, scan);
            }
          }
          """,
          "org.cartostream.broker.message.OutcomeMessage",
          """
          public record OutcomeMessage(
              Outcome outcome, long answeredAtNanos, long durable, double load, Outcome before)
              implements Message {
            public OutcomeMessage {
              if (load != 0 || before != null) {
                throw new IllegalArgumentException("no service sends that yet");
              }
            }
          }
          """);

  /** Lacks fields that the service sends and expects. */
  private static final Map<String, String> OLDER =
      Map.of(
          "org.cartostream.broker.message.EndMessage",
          """
          public record EndMessage(long readings) implements Message {
            public EndMessage(long readings, long heldMap) {
              this(readings);
            }
          }
          """,
          "org.cartostream.broker.message.OutcomeMessage",
          """
          public record OutcomeMessage(Outcome outcome, long answeredAtNanos) implements Message {
            public long durable() {
              return 0;
            }
          }
          """,
          "org.cartostream.slam.localisation.RobotPose",
          """
          import org.cartostream.slam.geometry.Pose;
          import org.cartostream.slam.trajectory.Correction;
          public record RobotPose(Pose local, Correction correction, double effectiveSampleSize) {
            public LocalisationQuality quality() {
              return null;
            }
            public Pose inMap() {
              return correction.apply(local);
            }
          }
          """);

  @TempDir private Path folder;

  /** Those of the class path, but for some that are compiled from other sources. */
  private URLClassLoader loader(String name, Map<String, String> sources) throws Exception {
    Path out = Files.createDirectories(folder.resolve(name));
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-proc:none", "-d", out.toString(), "-cp", System.getProperty("java.class.path")));
    for (Map.Entry<String, String> each : sources.entrySet()) {
      int dot = each.getKey().lastIndexOf('.');
      Path source = out.resolve(each.getKey().substring(dot + 1) + ".java");
      Files.writeString(
          source, "package " + each.getKey().substring(0, dot) + ";\n" + each.getValue());
      arguments.add(source.toString());
    }
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    assertThat(compiler.run(null, null, null, arguments.toArray(String[]::new))).isZero();
    List<URL> urls = new ArrayList<>(List.of(out.toUri().toURL()));
    for (String each : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(each).toUri().toURL());
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private Path replay(String name, Map<String, String> sources, String broker) throws Exception {
    Path out = folder.resolve("map-" + name);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader = loader(name, sources)) {
      thread.setContextClassLoader(loader);
      Class<?> gateway = loader.loadClass(NeighbourGateway.class.getName());
      assertThat(gateway.getMethod("replay", String.class, Path.class).invoke(null, broker, out))
          .isEqualTo(new ReadingCounts(READINGS, READINGS, 0, 0, 0).toString());
      for (String each : sources.keySet()) {
        assertThat(loader.loadClass(each).getRecordComponents().length)
            .as("fields of %s", each)
            .isNotEqualTo(Class.forName(each).getRecordComponents().length);
      }
    } finally {
      thread.setContextClassLoader(before);
    }
    return out;
  }

  private Path serial() throws Exception {
    Path out = folder.resolve("serial");
    RunMetrics runMetrics = new RunMetrics(READINGS, System::nanoTime, RunObserver.NONE);
    try (LaserLog log = CarmenLog.open(Logs.OFFICE, CarmenSettings.defaults())) {
      new SerialEngine(SETTINGS, ROBOT, RunCheckpoints.none(), Optional.empty())
          .run(
              runMetrics.watch(Stream.generate(log::next).limit(READINGS).iterator()),
              runMetrics,
              out,
              new ShutdownRequest());
    }
    return out;
  }

  @Test
  @Timeout(300)
  void gatewaysOfOtherReleasesGetTheSameMapAndPath() throws Exception {
    Path expected = serial();
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        LocalService service =
            LocalService.start(SETTINGS.service(SETTINGS.broker().withUri(broker.uri())))) {
      for (Path each :
          List.of(replay("newer", NEWER, broker.uri()), replay("older", OLDER, broker.uri()))) {
        for (String file : List.of("trajectory.tum", "map.pgm")) {
          assertThat(each.resolve(file))
              .as("%s of %s", file, each.getFileName())
              .hasSameBinaryContentAs(expected.resolve(file));
        }
      }
    }
  }
}
