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
 * @param log the replayed log's file; several files are joined with commas
 * @param robot the robot's id, under which the log's readings were sent
 * @param engine {@code storm} or {@code serial}
 * @param seed seed of all random numbers
 * @param particles maximum number of the filter's particles
 * @param tasks number of tasks that shared the particles
 * @param end how the run ended
 * @param readings numbers of readings by outcome
 * @param refusals readings refused, by reason
 * @param damage how much of the log's file was read and what is wrong with the rest; null if the
 *     file is intact
 * @param resumed checkpoint from which the run resumed; null if it began anew
 * @param notices notes for people, such as assumptions where the log leaves something open
 * @param unwritten files that could not be written, or not to the run's end: path, and why
 * @param wallSeconds time from when the filter took the first reading to the last answer, seconds
 * @param millisPerReading times from a reading's admission to the filter until the filter can take
 *     the next one
 * @param millisPerTrustedReading times of only the readings that needed no wide search
 * @param millisPerSearchedReading times of only the readings that needed a wide search
 * @param jvmPerReading CPU and garbage-collection time of this JVM per reading
 * @param serviceNanos time of each processed reading, nanoseconds; not in the file
 * @param distanceMetres distance driven along the filter's poses, metres
 * @param stages share of each stage in the time of all tasks, 0 to 1
 * @param resamplings number of times that the particles were resampled
 * @param bytesMoved bytes of particles sent from task to task
 * @param evaluations number of poses that the scan matcher scored
 * @param meanParticles mean number of particles that were matched at a key frame; less than the
 *     maximum if the number is adapted to the particles' spread
 * @param odometry how often odometry was doubted or replaced by the laser's motion, and the
 *     estimated errors of the laser's mount and stamps
 * @param loops result of the loop closure at the end
 * @param localisation how well the robot was localised in a known map; null if the run made a map
 * @param team balance of the tasks' work; null if the filter ran in one thread
 * @param liveHeapBytes bytes in this JVM's heap after a garbage collection at the end of the log;
 *     the filter is still in the heap, and so are Storm and the embedded broker if they run in this
 *     JVM
 * @param peakResidentBytes peak of this process's resident memory, bytes; 0 if the system does not
 *     report it
 * @param broker what happened between gateway and broker; null without a broker
 * @param recovered restores of the run after failures; null if there is nothing to report
 * @param accuracy errors of the trajectory; null without ground truth
 * @param files written files: path to description
 * @param configuration values of all settings by key, without the broker's user and password
 * @param versions versions of this program and its libraries
 * @param processor the processor's name and number of cores
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

  /**
   * Number of readings of which at least one must have been processed; below this share the run has
   * failed.
   */
  private static final int MIN_USED_ONE_IN = 20;

  public static final String FILE = "report.json";

  /** Maximum size of a file that is read as a report: some hundred times a report's usual size. */
  private static final int MAX_BYTES = 1 << 20;

  /** End of a run. */
  public enum End {
    /** Every reading was answered. */
    COMPLETE,
    /** The run was given up. */
    FAILED,
    /** The run was ended early by a shutdown request; its results until then are written. */
    INTERRUPTED
  }

  /**
   * Result of the loop closure. Each return of the robot to an earlier place gives several loop
   * edges.
   *
   * @param closed number of loop edges that the path fits
   * @param movedMetres largest displacement of a pose by the loop closure, metres
   * @param seconds duration of the loop closure, seconds
   * @param path the path that was taken, the one along which the scans agree better: {@code way},
   *     with the loops closed during the run, or {@code end}, with those of the search at the end
   * @param wayBits bits to encode the scans by the map along the {@code way} path; 0 without loops
   * @param endBits bits to encode the scans by the map along the {@code end} path
   * @param places check of the path by the places that were seen twice
   */
  public record Loops(
      long closed,
      double movedMetres,
      double seconds,
      String path,
      double wayBits,
      double endBits,
      Places places) {

    /**
     * Places of a path, half a metre apart.
     *
     * @param revisited number of places that were seen twice
     * @param contradicted number of these in stretches where most scans contradict earlier ones
     */
    public record Places(int revisited, int contradicted) {}

    public static Loops of(LoopClosureReport loops) {
      return new Loops(
          loops.loops(),
          loops.movedMetres(),
          loops.nanos() / 1e9,
          loops.isEnd() ? "end" : "way",
          loops.wayBits(),
          loops.endBits(),
          new Places(loops.revisited(), loops.contradicted()));
    }
  }

  /**
   * Reads the report in a file.
   *
   * @throws IOException if the file is no report; the message is one sentence for people
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
   * Returns the exit code of the process.
   *
   * @throws ExitException if the run's result is useless or incomplete, with the reason
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
