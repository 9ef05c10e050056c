package org.cartostream.web.recording;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.cartostream.web.observer.BufferedObserver;

/**
 * Recorder of a run as an MCAP file, see {@link McapRecording}, in a thread of its own. Never fails
 * or holds up the run: where the file cannot be written, the recording ends with a notice; readings
 * that come faster than the disk takes them are dropped and counted.
 */
public final class RunRecorder extends BufferedObserver {

  /** Name of the file. */
  public static final String FILE = "run.mcap";

  private static final int END_SECONDS = 60;

  private final Path file;
  private final Consumer<String> notices;
  private final AtomicReference<String> failure;

  /**
   * @param file file to write, replaced at the run's first outcome
   * @param notices receives sentences for people; called by any thread
   */
  public RunRecorder(Path file, Consumer<String> notices) {
    this(file, notices, new AtomicReference<>());
  }

  private RunRecorder(Path file, Consumer<String> notices, AtomicReference<String> failure) {
    super(
        new McapRecording(
            file,
            why -> {
              failure.compareAndSet(null, why);
              notices.accept(why);
            }),
        "recording");
    this.file = file;
    this.notices = notices;
    this.failure = failure;
  }

  @Override
  public Map<String, String> unwritten() {
    String why = failure.get();
    return why == null ? Map.of() : Map.of(file.toString(), why);
  }

  /** Ends the recording; returns when the file is complete, or when the disk has taken too long. */
  @Override
  public void end(String failure) {
    super.end(failure);
    if (!finish(END_SECONDS)) {
      String why = "the disk did not take it within %d s".formatted(END_SECONDS);
      this.failure.compareAndSet(null, why);
      notices.accept("%s lacks its end: %s".formatted(file, why));
    }
    if (leftOut() > 0) {
      notices.accept(
          "%s lacks %d readings: the disk did not take them as fast as they came"
              .formatted(file, leftOut()));
    }
  }
}
