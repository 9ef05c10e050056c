package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/** A small disk of a test's own (tmpfs), which can be filled to its last block. */
public final class SmallDisk implements AutoCloseable {

  private static final Duration SOON = Duration.ofMinutes(1);
  private static final byte[] BLOCK = new byte[1 << 12];
  private static final String FILLER = "filler";

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  /**
   * Mounts one; where that is not allowed the test is left out.
   *
   * @param folder is made if it is missing
   * @param options of the mount: {@code size=64k}, {@code ro}
   */
  public static SmallDisk mount(Path folder, String options) throws IOException {
    Files.createDirectories(folder);
    Assumptions.assumeTrue(
        run("mount", "-t", "tmpfs", "-o", options, "tmpfs", folder.toString()),
        "a small disk cannot be mounted here: it needs root");
    return new SmallDisk(folder);
  }

  private static boolean run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      return process.waitFor(1, TimeUnit.MINUTES) && process.exitValue() == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + command[0] + " ran", e);
    }
  }

  /** Where it is. */
  public Path folder() {
    return folder;
  }

  /** Takes all that is free now, which may be more than was when it was filled last. */
  public void fill() {
    try (OutputStream out = filler()) {
      while (true) {
        out.write(BLOCK);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }

  /** The same, but for so many bytes. */
  public void fillUpTo(long left) throws IOException {
    try (OutputStream out = filler()) {
      while (Files.getFileStore(folder).getUsableSpace() > left) {
        out.write(BLOCK);
      }
    }
  }

  /** Gives back what was taken. */
  public void makeRoom() throws IOException {
    Files.delete(folder.resolve(FILLER));
  }

  private OutputStream filler() throws IOException {
    return Files.newOutputStream(
        folder.resolve(FILLER), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Unmounts it, as soon as nobody has a file open there. */
  @Override
  public void close() {
    await().atMost(SOON).until(() -> run("umount", folder.toString()));
  }
}
