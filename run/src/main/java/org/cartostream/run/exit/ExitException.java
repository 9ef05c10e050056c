package org.cartostream.run.exit;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.slam.file.DiskName;
import org.cartostream.slam.file.FileFormatException;

/**
 * Exception that ends a command before its work is done, with a sentence for people and the exit
 * code.
 *
 * <p>The sentence names the offending value and says which values are right. The cause is shown
 * only with {@code --verbose}.
 */
public final class ExitException extends RuntimeException {

  /** Exit code for work that could not be done. */
  public static final int FAILED = 1;

  /** Exit code for a request that cannot be right. */
  public static final int WRONG_USAGE = 2;

  /** Message for a full heap: what happened, and what to do. */
  public static final String OUT_OF_MEMORY =
      "the heap of "
          + (Runtime.getRuntime().maxMemory() >> 20)
          + " MiB is full; take fewer --particles, or give it more, as in"
          + " CARTOSTREAM_JVM_OPTS=-Xmx8g";

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private ExitException(int exitCode, String sentence, Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
  }

  public static ExitException failed(String sentence) {
    return new ExitException(FAILED, sentence, null);
  }

  public static ExitException failed(String sentence, Throwable cause) {
    return new ExitException(FAILED, sentence, cause);
  }

  public static ExitException wrongUsage(String sentence) {
    return new ExitException(WRONG_USAGE, sentence, null);
  }

  public static ExitException wrongUsage(String sentence, Throwable cause) {
    return new ExitException(WRONG_USAGE, sentence, cause);
  }

  /** Returns the exception for a file that could not be read or written. */
  public static ExitException of(IOException e) {
    if (e instanceof FileFormatException || e instanceof CheckpointException) {
      return failed(e.getMessage(), e);
    }
    if (e instanceof NoSuchFileException missing) {
      return failed("there is no file '" + missing.getFile() + "'", e);
    }
    if (e instanceof AccessDeniedException denied) {
      return failed("no permission to use '" + denied.getFile() + "'", e);
    }
    if (e instanceof FileSystemException file) {
      boolean isTemporary = String.valueOf(file.getFile()).startsWith(temporaryFolder());
      return isTemporary
          ? ofTemporaryFolder(file)
          : failed("cannot use '%s': %s".formatted(file.getFile(), file.getReason()), e);
    }
    boolean isFull = String.valueOf(e.getMessage()).endsWith("No space left on device");
    return failed(
        "reading or writing failed: " + e.getMessage() + (isFull ? "; make room there" : ""), e);
  }

  /** Returns the exception for a file of the temporary folder that could not be read or written. */
  public static ExitException ofTemporaryFolder(IOException e) {
    boolean isNamed = e instanceof FileSystemException file && file.getReason() != null;
    return failed(
        "the temporary folder %s on the disk %s cannot be used: %s; make room there, or CARTOSTREAM_JVM_OPTS=-Djava.io.tmpdir=DIR names another place"
            .formatted(
                temporaryFolder(),
                DiskName.of(Path.of(temporaryFolder(), "any")),
                isNamed ? ((FileSystemException) e).getReason() : e.getMessage()),
        e);
  }

  private static String temporaryFolder() {
    return System.getProperty("java.io.tmpdir");
  }

  public int exitCode() {
    return exitCode;
  }
}
