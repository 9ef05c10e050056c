package org.cartostream.run.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.cartostream.gateway.ReadingCounts;
import org.cartostream.run.engine.Engine;
import org.cartostream.run.engine.LocalisationReport;
import org.cartostream.run.evaluation.Accuracy;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.exit.ShutdownRequest;
import org.cartostream.run.metrics.JvmUsage;
import org.cartostream.run.metrics.RunMetrics;
import org.cartostream.settings.file.RegularFile;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.file.FileFormatException;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.topology.stream.TopologyRefusal;

/**
 * Report of a run: the contents of {@code report.json}, key by key.
 *
 * @param log the file that was replayed; of several, all with commas between them
 * @param robot the id under which its readings went
 * @param engine {@code storm} or {@code serial}
 * @param seed of all random numbers
 * @param particles of the filter, at most
 * @param tasks that shared the particles
 * @param end how the run ended
 * @param readings by their outcome
 * @param refusals readings refused, by reason
 * @param damage how much of the log's file was read and what is wrong with the rest; null if it is
 *     whole
 * @param resumed from where the run went on; null if it began anew
 * @param notices what the log leaves open and was taken for granted
 * @param unwritten files that could not be written, or not to the run's end: path, and why
 * @param wallSeconds from when the filter took the first reading to the last answer
 * @param millisPerReading from a reading's admission to the filter until the next can be taken
 * @param millisPerTrustedReading the same, of the readings that needed no wide search
 * @param millisPerSearchedReading the same, of those that did
 * @param jvmPerReading what this JVM used
 * @param serviceNanos of each reading processed, nanoseconds; not in the file
 * @param distanceMetres driven, along the filter's own poses
 * @param stages share of each stage in the time of all tasks, 0 to 1
 * @param resamplings how often the particles were resampled
 * @param bytesMoved bytes of particles sent from task to task
 * @param evaluations poses scored by the scan matcher
 * @param meanParticles how many were matched at a key frame, on average: fewer than there may be if
 *     their number follows their spread
 * @param odometry how often it was doubted: readings searched for, and those of them whose motion
 *     is the laser's; how far the laser seems to stand from its declared mount, and by how much its
 *     stamps lag
 * @param loops of the path that were closed at the end
 * @param localisation how far the robot was found in a map; null if it made one
 * @param team how the tasks worked side by side; null if there was but one thread
 * @param liveHeapBytes what the heap of this JVM held, after a collection, at the end of the log,
 *     with the filter (and with Storm and the embedded broker, where they run) still in it
 * @param peakResidentBytes most memory that this process had of the machine since it began; 0 where
 *     the system does not tell
 * @param broker what happened between gateway and broker; null without one
 * @param recovered what the run's restores cost, after failures; null if there were none
 * @param accuracy null if there was nothing to measure by
 * @param files what was written: path, and what it is
 * @param configuration every key; the broker's password is left out
 * @param versions of this program and what it stands on
 * @param processor as the system names it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunReport(
    String log,
    String robot,
    String engine,
    long seed,
    int particles,
    int tasks,
    End end,
    ReadingCounts readings,
    Map<String, RunMetrics.Reason> refusals,
    RunMetrics.Resumed resumed,
    String damage,
    List<String> notices,
    Map<String, String> unwritten,
    double wallSeconds,
    RunMetrics.Millis millisPerReading,
    RunMetrics.Millis millisPerTrustedReading,
    RunMetrics.Millis millisPerSearchedReading,
    JvmUsage jvmPerReading,
    @JsonIgnore List<Long> serviceNanos,
    double distanceMetres,
    Map<String, Double> stages,
    long resamplings,
    long bytesMoved,
    long evaluations,
    double meanParticles,
    OdometryStatistics odometry,
    Loops loops,
    LocalisationReport localisation,
    TaskBalanceReport team,
    long liveHeapBytes,
    long peakResidentBytes,
    Engine.BrokerStatistics broker,
    Engine.Recovered recovered,
    Accuracy accuracy,
    Map<String, String> files,
    Map<String, String> configuration,
    Map<String, String> versions,
    String processor) {

  /** A run that used fewer than one reading in so many has failed. */
  private static final int MIN_USED_ONE_IN = 20;

  public static final String FILE = "report.json";

  /** Some hundred times what one takes. */
  private static final int MAX_BYTES = 1 << 20;

  /** End of a run. */
  public enum End {
    /** Every reading was answered. */
    COMPLETE,
    /** The run was given up. */
    FAILED,
    /** Somebody ended it early; what was done until then is there. */
    INTERRUPTED
  }

  /**
   * Loop edges of the path; wherever the robot came back to where it had been there are several.
   *
   * @param closed how many the path fits
   * @param movedMetres how far closing them has moved the pose that moved furthest
   * @param seconds that it took
   * @param path whose loops these are: {@code way}, as they were closed on the way, or {@code end},
   *     of the search at the end, if the scans agree better along that
   * @param wayBits what the scans take to be written down by the map along the path of the way; 0
   *     if there were no loops
   * @param endBits the same along that of the search at the end
   */
  public record Loops(
      long closed,
      double movedMetres,
      double seconds,
      String path,
      double wayBits,
      double endBits) {

    public static Loops of(LoopClosureReport loops) {
      return new Loops(
          loops.loops(),
          loops.movedMetres(),
          loops.nanos() / 1e9,
          loops.isEnd() ? "end" : "way",
          loops.wayBits(),
          loops.endBits());
    }
  }

  /**
   * The report in a file.
   *
   * @throws IOException if it is none: one sentence says so
   */
  public static JsonNode read(Path file) throws IOException {
    RegularFile.requireSmall(file, "report of a run", MAX_BYTES, FileFormatException::new);
    try {
      return json().readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw new IOException(file + " is no report of a run: it is no JSON", e);
    }
  }

  public void write(Path folder) {
    try {
      byte[] content = json().writeValueAsBytes(this);
      AtomicFile.write(folder.resolve(FILE), out -> out.write(content));
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  /**
   * The exit code of the process.
   *
   * @throws ExitException if the run is over and something is wrong with it
   */
  public int exitCode(ShutdownRequest shutdownRequest) {
    if (readings.open() != 0) {
      throw ExitException.failed(
          "the account does not balance: of "
              + readings.read()
              + " readings read, "
              + readings.done()
              + " have an outcome");
    }
    if (end == End.INTERRUPTED) {
      return shutdownRequest.exitCode();
    }
    if (readings.lost() > 0) {
      throw ExitException.failed(
          readings.lost() + " readings were lost; a replay should lose none");
    }
    if (readings.processed() == 0) {
      throw ExitException.failed(
          "no reading of '%s' could be used, so %s: %s"
              .formatted(
                  log,
                  localisation == null ? "there is no map" : "the robot was not found",
                  maxFrequentRefusal()));
    }
    if (refusals.containsKey(ReadingRefusal.MIRRORED_SCAN.name())) {
      throw ExitException.failed(
          ("the scans of '%s' turn against odometry: the laser is upside down, or odometry turns"
                  + " the wrong way; %s; what to do stands above")
              .formatted(
                  log,
                  localisation == null
                      ? "the map may be a mirror image"
                      : "the robot cannot be found in a map"));
    }
    boolean isNextToNothing = readings.processed() * MIN_USED_ONE_IN < readings.read();
    if (readings.read() > 1 && (readings.processed() == 1 || isNextToNothing)) {
      throw ExitException.failed(
          ("only %d of %d readings of '%s' could be used, so %s; why the others were refused stands"
                  + " above")
              .formatted(
                  readings.processed(),
                  readings.read(),
                  log,
                  localisation == null
                      ? "the map shows next to nothing"
                      : "next to nothing is known of where the robot was"));
    }
    long lacking = refusedForWantOfRoom();
    if (lacking > 0) {
      throw ExitException.failed(
          "%d of %d readings were refused for want of memory or disk, and the map lacks them; what to do stands above"
              .formatted(lacking, readings.read()));
    }
    if (!unwritten.isEmpty()) {
      throw ExitException.failed(
          "not all could be written: "
              + unwritten.entrySet().stream()
                  .map(each -> each.getKey() + ": " + each.getValue())
                  .collect(Collectors.joining("; ")));
    }
    if (localisation != null && localisation.ok() == 0) {
      throw ExitException.failed(
          "the robot was found nowhere in '%s' for certain; %s"
              .formatted(
                  localisation.map(),
                  localisation.ambiguous() > localisation.lost()
                      ? "what it saw fits several places of it alike"
                      : "is that a map of the place, and at the right scale?"));
    }
    return 0;
  }

  private String maxFrequentRefusal() {
    return refusals.entrySet().stream()
        .max(Comparator.comparingLong(each -> each.getValue().count()))
        .map(
            each ->
                "%d of %d were refused for %s: %s"
                    .formatted(
                        each.getValue().count(),
                        readings.read(),
                        each.getKey(),
                        each.getValue().first()))
        .orElse(readings.read() == 0 ? "it has no scan" : "all were skipped");
  }

  private long refusedForWantOfRoom() {
    return Stream.of(TopologyRefusal.values())
        .filter(TopologyRefusal::isForWantOfRoom)
        .map(why -> refusals.get(why.name()))
        .filter(Objects::nonNull)
        .mapToLong(RunMetrics.Reason::count)
        .sum();
  }

  public static ObjectMapper json() {
    return JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .disable(MapperFeature.AUTO_DETECT_IS_GETTERS) // Pose.isFinite is no figure.
        .build();
  }
}
