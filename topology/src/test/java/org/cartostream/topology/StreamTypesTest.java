package org.cartostream.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.io.StringWriter;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** What the compiler says to parties that keep to their streams, and to those that do not. */
class StreamTypesTest {

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();

  /** One for all, for it remembers what is in the jars. */
  private static final JavaFileManager FILES = COMPILER.getStandardFileManager(null, null, null);

  @Test
  void aPartyWritesAndReadsItsOwnStreams() {
    assertThat(
            errorsOf(
                "Party.Matchers",
                """
                ports.out(Streams.OPINIONS).emit(opinion);
                ports.out(Streams.DELIVERIES).emit(1, delivery);
                ports.on(Streams.VERDICTS, verdict -> verdict.owners());
                """))
        .isEmpty();
  }

  @Test
  void anotherPayloadThanTheStreamsIsNotWritten() {
    assertThat(errorsOf("Party.Matchers", "ports.out(Streams.OPINIONS).emit(delivery);"))
        .singleElement(STRING)
        .contains("Delivery cannot be converted to", "Opinion");
  }

  @Test
  void aHandlerOfAnotherPayloadIsNotTaken() {
    assertThat(
            errorsOf(
                "Party.Matchers",
                "java.util.function.Consumer<Payload.Opinion> handler = heard -> {};"
                    + "ports.on(Streams.VERDICTS, handler);"))
        .hasSize(1);
    assertThat(
            errorsOf("Party.Matchers", "ports.on(Streams.VERDICTS, verdict -> verdict.beliefs());"))
        .singleElement(STRING)
        .contains("cannot find symbol");
  }

  @Test
  void aStreamThatStartsElsewhereIsNotWritten() {
    assertThat(errorsOf("Party.Matchers", "ports.out(Streams.VERDICTS);")).hasSize(1);
    assertThat(errorsOf("Party.Robots", "ports.out(Streams.KEY_FRAMES);")).hasSize(1);
    assertThat(errorsOf("Party.Publisher", "ports.out(Streams.READY);")).hasSize(1);
  }

  @Test
  void aStreamThatEndsElsewhereIsNotRead() {
    assertThat(errorsOf("Party.Matchers", "ports.on(Streams.OPINIONS, heard -> {});")).hasSize(1);
    assertThat(errorsOf("Party.Dispatcher", "ports.on(Streams.DELIVERIES, heard -> {});"))
        .hasSize(1);
    assertThat(errorsOf("Party.Robots", "ports.on(Streams.ARRIVALS, heard -> {});")).hasSize(1);
  }

  @Test
  void aDirectStreamIsNotWrittenWithoutNamingTheTask() {
    assertThat(errorsOf("Party.Matchers", "ports.out(Streams.DELIVERIES).emit(delivery);"))
        .hasSize(1);
    assertThat(errorsOf("Party.Matchers", "ports.out(Streams.OPINIONS).emit(1, opinion);"))
        .hasSize(1);
  }

  /** Compiles {@code body}, in which {@code party} has its ports and two payloads in hand. */
  private static List<String> errorsOf(String party, String body) {
    String source =
        """
        package elsewhere;

        import org.cartostream.topology.*;

        final class Snippet {
          void wire(Ports<%s> ports, Payload.Opinion opinion, Payload.Delivery delivery) {
            %s
          }
        }
        """
            .formatted(party, body);
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
