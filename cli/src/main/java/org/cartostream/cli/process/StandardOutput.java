package org.cartostream.cli.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Standard output that keeps the reason why it could not be written; a PrintWriter tells only that
 * it failed.
 */
final class StandardOutput extends OutputStream {

  /** Path by which Linux and macOS give access to standard output as a file. */
  private static final Path FILE = Path.of("/dev/fd/1");

  private static final String MODE = "unix:mode";
  private static final int TYPE_OF_MODE = 0xF000;
  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xC000;

  private final OutputStream file = new FileOutputStream(FileDescriptor.out);
  private volatile IOException failure;

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      file.write(bytes, offset, length);
    } catch (IOException e) {
      failure = failure == null ? e : failure;
      throw e;
    }
  }

  /**
   * Returns why output is missing; empty if none is. Output to a pipe never counts as missing: its
   * reader has read enough, as {@code head} does.
   */
  Optional<IOException> failure() {
    return Optional.ofNullable(failure).filter(e -> !endsAtAReader());
  }

  /**
   * Returns true if standard output is a pipe or a socket, where writing fails only if the reader
   * has left.
   */
  private static boolean endsAtAReader() {
    try {
      int type = (int) Files.getAttribute(FILE, MODE) & TYPE_OF_MODE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }
}
