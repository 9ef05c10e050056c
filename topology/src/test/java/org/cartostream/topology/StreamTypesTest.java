package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.StringWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.testing.Quick;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Stream;
import org.cartostream.topology.stream.Streams;
import org.junit.jupiter.api.Test;

/** Components that keep to their streams compile, others do not. */
@Quick
class StreamTypesTest extends NetworkTest {

  private static final int MAX_STREAMS = 32;

  /** Half of the time after which a silent robot is forgotten: its run is kept alive meanwhile. */
  private static final int SILENT_SECONDS = 4;

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all, for it remembers what is in the jars. */
  private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

  /**
   * Whatever an undisturbed run has no use for serves recovery, or the end of runs that failed or
   * are refused; such a run restores nothing but the nothing that it begins with.
   */
  @Test
  void fewStreamsServeRecovery() throws IllegalAccessException {
    List<Stream<?, ?, ?>> all = ScanTopologyTest.streams();
    System.out.println("streams: " + all.size());
    assertThat(all).hasSizeLessThanOrEqualTo(MAX_STREAMS);

    List<Stream<?, ?, ?>> unused = new ArrayList<>(all);
    unused.removeIf(undisturbed("dataflow")::contains);
    unused.removeIf(undisturbed("bsp")::contains);
    assertThat(unused)
        .containsExactlyInAnyOrder(
            Streams.BARRIERS,
            Streams.WEIGHTS_BARRIERS,
            Streams.STORED,
            Streams.FAILED,
            Streams.PAUSE_MAPS,
            Streams.RESPONSE_SENT,
            Streams.LOST,
            Streams.RESEND_REQUEST,
            Streams.MEMORY_PRESSURE,
            Streams.MATCHER_OFFLOAD_DONE);
  }

  /** The streams of a run in which nothing is stored and nothing dies. */
  private List<Stream<?, ?, ?>> undisturbed(String mode) throws IllegalAccessException {
    answers.clear();
    List<Reading> readings = Drive.readings(11, 12);
    readings.set(7, Drive.blind(readings.get(7)));
    ServiceSettings settings =
        settings(2, "mode", mode, "balanceTolerance", "0", "robotTimeoutSeconds", "8");
    Network network = network(1, settings, null);
    drive(network, readings, 1, 1);
    send(network, readings, 1, 1); // The robot has not received its answer.
    network.pass(SILENT_SECONDS);
    driveToTheEnd(network, readings, 2);
    assertThat(of("r1").report().processed()).isEqualTo(11);
    List<Stream<?, ?, ?>> used = new ArrayList<>(ScanTopologyTest.streams());
    used.removeIf(stream -> network.delivered(stream) == 0);
    return used;
  }

  @Test
  void aComponentWritesAndReadsItsOwnStreams() {
    assertThat(
            errorsOf(
                "Component.Matchers",
                """
                ports.out(Streams.WEIGHTS).emit(weights);
                ports.out(Streams.PARTICLES).emit(1, particles);
                ports.on(Streams.RESAMPLING_DECISIONS, decision -> decision.owners());
                """))
        .isEmpty();
  }

  @Test
  void anotherPayloadThanTheStreamsIsNotWritten() {
    assertThat(errorsOf("Component.Matchers", "ports.out(Streams.WEIGHTS).emit(particles);"))
        .singleElement(STRING)
        .contains("ParticleDelivery cannot be converted to", "TaskWeights");
  }

  @Test
  void aHandlerOfAnotherPayloadIsNotTaken() {
    assertThat(
            errorsOf(
                "Component.Matchers",
                "java.util.function.Consumer<Payload.TaskWeights> handler = payload -> {};"
                    + "ports.on(Streams.RESAMPLING_DECISIONS, handler);"))
        .hasSize(1);
    assertThat(
            errorsOf(
                "Component.Matchers",
                "ports.on(Streams.RESAMPLING_DECISIONS, decision -> decision.beliefs());"))
        .singleElement(STRING)
        .contains("cannot find symbol");
  }

  @Test
  void aStreamThatStartsElsewhereIsNotWritten() {
    assertThat(errorsOf("Component.Matchers", "ports.out(Streams.RESAMPLING_DECISIONS);"))
        .hasSize(1);
    assertThat(errorsOf("Component.Resampler", "ports.out(Streams.KEY_FRAMES);")).hasSize(1);
    assertThat(errorsOf("Component.Publisher", "ports.out(Streams.READY);")).hasSize(1);
  }

  @Test
  void aStreamThatEndsElsewhereIsNotRead() {
    assertThat(errorsOf("Component.Matchers", "ports.on(Streams.WEIGHTS, payload -> {});"))
        .hasSize(1);
    assertThat(errorsOf("Component.Dispatcher", "ports.on(Streams.PARTICLES, payload -> {});"))
        .hasSize(1);
    assertThat(errorsOf("Component.Publisher", "ports.on(Streams.ARRIVALS, payload -> {});"))
        .hasSize(1);
  }

  @Test
  void aDirectStreamIsNotWrittenWithoutNamingTheTask() {
    assertThat(errorsOf("Component.Matchers", "ports.out(Streams.PARTICLES).emit(particles);"))
        .hasSize(1);
    assertThat(errorsOf("Component.Matchers", "ports.out(Streams.WEIGHTS).emit(1, weights);"))
        .hasSize(1);
  }

  /** Compiles {@code body}, in which {@code component} has its ports and two payloads in hand. */
  private static List<String> errorsOf(String component, String body) {
    String source =
        """
        package elsewhere;

        import org.cartostream.topology.stream.*;
        import org.cartostream.topology.task.*;

        final class Snippet {
          void wire(StreamPorts<%s> ports, Payload.TaskWeights weights, Payload.ParticleDelivery particles) {
            %s
          }
        }
        """
            .formatted(component, body);
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    COMPILER
        .getTask(
            new StringWriter(),
            FILES,
            found,
            List.of("-proc:none", "-implicit:none", "-d", System.getProperty("java.io.tmpdir")),
            null,
            List.of(new Snippet(source)))
        .call();
    return found.getDiagnostics().stream()
        .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
        .map(diagnostic -> diagnostic.getMessage(Locale.ROOT))
        .toList();
  }

  private static final class Snippet extends SimpleJavaFileObject {
    private final String source;

    Snippet(String source) {
      super(URI.create("string:///elsewhere/Snippet.java"), Kind.SOURCE);
      this.source = source;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return source;
    }
  }
}
