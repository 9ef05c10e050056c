package org.cartostream.cli;

/**
 * What ends a command without its work done: one sentence for people, and the exit code.
 *
 * <p>The sentence names the offending value and what would have been right. The cause is shown only
 * with {@code --verbose}.
 */
final class Failure extends RuntimeException {

  /** The work could not be done. */
  static final int FAILED = 1;

  /** What was asked for cannot be right. */
  static final int WRONG_USAGE = 2;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private Failure(int exitCode, String sentence, Throwable cause) {
    super(sentence, cause);
    this.exitCode = exitCode;
  }

  static Failure failed(String sentence) {
    return new Failure(FAILED, sentence, null);
  }

  static Failure failed(String sentence, Throwable cause) {
    return new Failure(FAILED, sentence, cause);
  }

  static Failure wrongUsage(String sentence) {
    return new Failure(WRONG_USAGE, sentence, null);
  }

  static Failure wrongUsage(String sentence, Throwable cause) {
    return new Failure(WRONG_USAGE, sentence, cause);
  }

  int exitCode() {
    return exitCode;
  }
}
