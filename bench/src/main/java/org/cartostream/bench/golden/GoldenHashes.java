package org.cartostream.bench.golden;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.cartostream.gateway.sink.FileSink;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.slam.trajectory.TumFile;

/**
 * SHA-256 hashes, in hexadecimal digits, of the results of a run.
 *
 * @param trajectory hash of the bytes of {@code trajectory.tum}
 * @param map hash of the bytes of {@code map.pgm} and, behind them, of the lines of {@code
 *     map.yaml} that begin with {@code resolution:} and {@code origin:}, each with its line feed:
 *     the cells and where they lie
 * @param live hash of the poses that were told during the run, in the format of {@code live.tum}
 */
record GoldenHashes(String trajectory, String map, String live) {

  /** Names of the files that are hashed. */
  static final Set<String> FILES =
      Set.of(FileSink.TRAJECTORY, MapFiles.PICTURE, MapFiles.DESCRIPTION);

  private static final List<String> WHERE = List.of("resolution:", "origin:");

  /**
   * Computes the hashes of the files in a folder.
   *
   * @param told poses that were told during the run
   * @throws IOException if a file is missing
   */
  static GoldenHashes of(Path folder, List<StampedPose> told) throws IOException {
    ByteArrayOutputStream map = new ByteArrayOutputStream();
    map.write(Files.readAllBytes(folder.resolve(MapFiles.PICTURE)));
    for (String line : Files.readAllLines(folder.resolve(MapFiles.DESCRIPTION))) {
      if (WHERE.stream().anyMatch(line::startsWith)) {
        map.write((line + "\n").getBytes(StandardCharsets.UTF_8));
      }
    }
    StringBuilder live = new StringBuilder();
    told.forEach(pose -> live.append(TumFile.line(pose)).append('\n'));
    return new GoldenHashes(
        sha256(Files.readAllBytes(folder.resolve(FileSink.TRAJECTORY))),
        sha256(map.toByteArray()),
        sha256(live.toString().getBytes(StandardCharsets.UTF_8)));
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
