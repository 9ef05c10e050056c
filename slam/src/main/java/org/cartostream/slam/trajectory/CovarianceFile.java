package org.cartostream.slam.trajectory;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.geometry.SymmetricMatrix3;

/**
 * Covariances of the poses of {@code live.tum}, line by line, as comma-separated values: the pose's
 * stamp in seconds, and the upper triangle of the matrix of x, y and yaw, in square metres and
 * radians. Equal covariances give equal bytes on every machine.
 */
public final class CovarianceFile {

  /** The file's name. */
  public static final String NAME = "live.covariance.csv";

  /** The first line, without its end. */
  public static final String HEADER = "stamp,xx,xy,xyaw,yy,yyaw,yawyaw";

  private CovarianceFile() {}

  /** Returns one line, without its end. */
  public static String line(long stampNanos, SymmetricMatrix3 covariance) {
    return String.format(
        Locale.ROOT,
        "%s,%.6e,%.6e,%.6e,%.6e,%.6e,%.6e",
        BigDecimal.valueOf(stampNanos, 9).toPlainString(),
        covariance.xx(),
        covariance.xy(),
        covariance.xt(),
        covariance.yy(),
        covariance.yt(),
        covariance.tt());
  }

  /** Writes the file into a folder; readers see the old one or the whole new one. */
  public static void write(Path folder, List<String> lines) throws IOException {
    String all =
        Stream.concat(Stream.of(HEADER), lines.stream())
            .map(line -> line + "\n")
            .collect(Collectors.joining());
    AtomicFile.write(
        folder.resolve(NAME), out -> out.write(all.getBytes(StandardCharsets.US_ASCII)));
  }
}
