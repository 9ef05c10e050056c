package org.cartostream.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ConnectException;
import org.cartostream.run.exit.ExitException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What Storm logs before it ends the process, though its log is switched off. */
@Quick
class LibraryFaultsTest {

  private final Logger storm = (Logger) LoggerFactory.getLogger("org.apache.storm.daemon.Worker");
  private final Level before = storm.getLevel();
  private final LibraryFaults faults = LibraryFaults.listen();

  @BeforeEach
  void switchOff() {
    storm.setLevel(Level.OFF);
  }

  @AfterEach
  void switchBack() {
    storm.setLevel(before);
    storm.getLoggerContext().getTurboFilterList().remove(faults);
  }

  private void ends(Throwable why) {
    storm.error("Async loop died!", new RuntimeException(why));
    storm.error("Halting process", new RuntimeException("Halting process: Worker died"));
  }

  private String sentence() {
    StringWriter said = new StringWriter();
    new ErrorPrinter("cartostream").endedByLibrary(faults.latest(), new PrintWriter(said));
    return said.toString();
  }

  @Test
  void theCauseIsNamed() {
    ends(new IllegalStateException("the session is over"));
    assertThat(sentence())
        .startsWith("cartostream: Storm ended the process in mid-run: the session is over; ")
        .doesNotContain("heap");
  }

  @Test
  void memoryIsNamedIfItRanOutWhateverCameOfIt() {
    ends(new OutOfMemoryError("Java heap space"));
    ends(new IllegalStateException("the session is over"));
    assertThat(sentence()).contains(ExitException.OUT_OF_MEMORY);
  }

  @Test
  void theTemporaryFolderIsNamedIfItIsFull() {
    ends(new IOException("No space left on device"));
    assertThat(sentence())
        .contains(System.getProperty("java.io.tmpdir"), "No space left", "-Djava.io.tmpdir=DIR")
        .doesNotContain("heap");
    ends(new ConnectException("Connection refused"));
    assertThat(sentence()).contains("Connection refused").doesNotContain("tmpdir");
  }

  @Test
  void whatOthersLogIsNone() {
    LoggerFactory.getLogger("org.apache.other").error("harmless", new OutOfMemoryError());
    assertThat(faults.latest()).isEmpty();
    assertThat(sentence()).contains("--verbose shows why").doesNotContain("heap");
  }
}
