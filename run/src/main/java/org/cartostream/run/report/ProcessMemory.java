package org.cartostream.run.report;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Memory of this process as Linux counts it. */
public final class ProcessMemory {

  private static final long BYTES_A_KILOBYTE = 1024;

  private ProcessMemory() {}

  /**
   * Returns the peak of the process's resident memory, bytes; 0 if the system does not report it.
   */
  public static long peakResidentBytes() {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"), StandardCharsets.UTF_8)) {
      return lines
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * BYTES_A_KILOBYTE)
          .findFirst()
          .orElse(0);
    } catch (IOException notLinux) {
      return 0;
    }
  }
}
