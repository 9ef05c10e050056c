package org.cartostream.slam.log.text;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.cartostream.slam.file.FieldReader;
import org.cartostream.slam.file.LineReader;
import org.cartostream.slam.file.UnpackedFile;
import org.cartostream.slam.file.UnusableLineException;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.log.LaserLog;
import org.cartostream.slam.log.LogEntry;
import org.cartostream.slam.log.LogFormat;
import org.cartostream.slam.log.carmen.CarmenSettings;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;
import org.cartostream.slam.trajectory.RelativePose;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * A pose graph in g2o's text format with the scans it was made from, each behind the vertex at
 * which it was taken. The poses inside the scan lines are not used: they repeat the vertex.
 *
 * <p>Odometry is the chain of the edges from each vertex to the one with the next greater id, or
 * back from that one, from the origin; edges may stand anywhere and in any order, so the file is
 * read as a whole. Behind a missing edge there is no odometry. The vertices are the reference
 * trajectory, all other edges its loop edges. TORO's {@code VERTEX2} and {@code EDGE2} are read as
 * g2o's {@code VERTEX_SE2} and {@code EDGE_SE2}.
 */
public final class G2oLog implements LaserLog {

  private record VertexScan(int vertex, int line, Reading reading, UnusableLineException failure) {}

  private record Edge(int from, int to, Pose motion) {}

  private final List<LogEntry> entries;
  private final List<StampedPose> reference;
  private final List<RelativePose> loopEdges;
  private final LogPreScan logPreScan;
  private final Iterator<LogEntry> remaining;

  private G2oLog(
      List<LogEntry> entries,
      List<StampedPose> reference,
      List<RelativePose> loopEdges,
      LogPreScan logPreScan) {
    this.entries = entries;
    this.reference = reference;
    this.loopEdges = loopEdges;
    this.logPreScan = logPreScan;
    this.remaining = entries.iterator();
  }

  /**
   * The format.
   *
   * @param settings say what the scan lines leave open
   */
  public static LogFormat format(CarmenSettings settings) {
    return new LogFormat(
        "g2o file",
        "a g2o file with scans",
        file -> LogPreScan.hasLine(file, LogPreScan.GRAPH_KEYWORDS),
        files -> read(files.get(0), settings),
        "is a pose graph, whose odometry begins at the origin; map it by itself",
        true,
        List.of(CarmenSettings.FLASER_DEGREES));
  }

  private static G2oLog read(Path file, CarmenSettings settings) throws IOException {
    Parser parser = new Parser(LogPreScan.of(file, settings));
    try (LineReader lineReader = new LineReader(UnpackedFile.open(file))) {
      for (String line = lineReader.next(); line != null; line = lineReader.next()) {
        parser.take(lineReader.number(), line);
      }
    }
    return parser.toLog();
  }

  @Override
  public int scanCount() {
    return entries.size();
  }

  @Override
  public List<StampedPose> reference() {
    return reference;
  }

  @Override
  public List<RelativePose> loopEdges() {
    return loopEdges;
  }

  @Override
  public List<String> notices() {
    return logPreScan.notices();
  }

  @Override
  public Optional<String> damage() {
    return logPreScan.damage();
  }

  @Override
  public boolean hasNext() {
    return remaining.hasNext();
  }

  @Override
  public LogEntry next() {
    return remaining.next();
  }

  /** Closes nothing: the file was read as a whole. */
  @Override
  public void close() {}

  /** Collects the lines of a file. */
  private static final class Parser {

    private final LogPreScan logPreScan;
    private final TreeMap<Integer, Pose> vertices = new TreeMap<>();
    private final List<Edge> edges = new ArrayList<>();
    private final List<VertexScan> scans = new ArrayList<>();
    private Integer lastVertex;

    /** Reason why the last vertex cannot be read, with its line; empty if it could be read. */
    private String unreadableVertex = "";

    Parser(LogPreScan logPreScan) {
      this.logPreScan = logPreScan;
    }

    void take(int number, String line) {
      String keyword = LineReader.keyword(line);
      switch (logPreScan.isPassedOver(number, keyword) ? "" : keyword) {
        case "VERTEX_SE2", "VERTEX2" -> takeVertex(number, line);
        case "EDGE_SE2", "EDGE2" -> takeEdge(line);
        case "FLASER", "ROBOTLASER1" -> takeScan(number, line);
        default -> {}
      }
    }

    private void takeVertex(int number, String line) {
      FieldReader fieldReader = new FieldReader(line);
      try {
        fieldReader.word("keyword");
        int id = fieldReader.integer("vertex");
        vertices.put(id, FieldReader.finite("vertex", fieldReader.pose("vertex")));
        lastVertex = id;
      } catch (UnusableLineException e) {
        lastVertex = null; // The scans that follow have no pose, and are refused.
        unreadableVertex = "its vertex in line " + number + " cannot be read: " + e.getMessage();
      }
    }

    private void takeEdge(String line) {
      FieldReader fieldReader = new FieldReader(line);
      try {
        fieldReader.word("keyword");
        int from = fieldReader.integer("from");
        int to = fieldReader.integer("to");
        edges.add(new Edge(from, to, FieldReader.finite("edge", fieldReader.pose("edge"))));
      } catch (UnusableLineException e) {
        // An unreadable edge counts as missing: the scans behind it are refused with its line as
        // the reason.
      }
    }

    private void takeScan(int number, String line) {
      int vertex = lastVertex == null ? Integer.MAX_VALUE : lastVertex;
      try {
        if (lastVertex == null) {
          throw new UnusableLineException(
              ReadingRefusal.NO_ODOMETRY.because(
                  unreadableVertex.isEmpty()
                      ? "no VERTEX_SE2 stands before the scan"
                      : unreadableVertex));
        }
        Reading reading = logPreScan.reading(line);
        scans.add(new VertexScan(vertex, number, reading, null));
      } catch (UnusableLineException e) {
        scans.add(new VertexScan(vertex, number, null, e));
      }
    }

    G2oLog toLog() {
      scans.sort(Comparator.comparingInt(VertexScan::vertex));
      OdometryChain odometryChain = OdometryChain.of(vertices, edges);
      List<LogEntry> entries = new ArrayList<>();
      Map<Integer, Long> stamps = new TreeMap<>();
      for (VertexScan scan : scans) {
        entries.add(entry(scan, odometryChain));
        if (scan.reading != null) {
          stamps.putIfAbsent(scan.vertex, scan.reading.stampNanos());
        }
      }
      List<StampedPose> reference = new ArrayList<>();
      stamps.forEach((id, stamp) -> reference.add(new StampedPose(stamp, vertices.get(id))));
      List<RelativePose> loops = new ArrayList<>();
      for (Edge edge : edges) {
        boolean isLoop = !odometryChain.isSequential(edge);
        if (isLoop && stamps.containsKey(edge.from) && stamps.containsKey(edge.to)) {
          loops.add(new RelativePose(stamps.get(edge.from), stamps.get(edge.to), edge.motion));
        }
      }
      return new G2oLog(
          List.copyOf(entries), List.copyOf(reference), List.copyOf(loops), logPreScan);
    }

    private static LogEntry entry(VertexScan scan, OdometryChain odometryChain) {
      if (scan.failure != null) {
        return new LogEntry.Refused(scan.line, scan.failure.why());
      }
      Pose odometry = odometryChain.poses.get(scan.vertex);
      if (odometry == null) {
        return new LogEntry.Refused(
            scan.line, ReadingRefusal.NO_ODOMETRY.because(odometryChain.missing + " is missing"));
      }
      Reading read = scan.reading;
      return new LogEntry.Usable(scan.line, new Reading(read.stampNanos(), odometry, read.scan()));
    }
  }

  /**
   * Odometry by vertex, as far as the chain of edges leads.
   *
   * @param next for each id of a vertex or an edge, the next greater id
   * @param missing the first missing edge of the chain; "" if none is missing
   */
  private record OdometryChain(
      Map<Integer, Pose> poses, TreeMap<Integer, Integer> next, String missing) {

    static OdometryChain of(TreeMap<Integer, Pose> vertices, List<Edge> edges) {
      TreeSet<Integer> ids = new TreeSet<>(vertices.keySet());
      edges.forEach(edge -> ids.addAll(List.of(edge.from, edge.to)));
      TreeMap<Integer, Integer> next = new TreeMap<>();
      for (int id : ids) {
        next.put(id, ids.higher(id));
      }
      OdometryChain empty = new OdometryChain(new TreeMap<>(), next, "");
      return vertices.isEmpty() ? empty : empty.chained(vertices, edges);
    }

    private OdometryChain chained(TreeMap<Integer, Pose> vertices, List<Edge> edges) {
      Map<Integer, Pose> steps = new TreeMap<>();
      for (Edge edge : edges) {
        if (isSequential(edge) && edge.from < edge.to) {
          steps.putIfAbsent(edge.from, edge.motion);
        }
      }
      for (Edge edge : edges) {
        if (isSequential(edge) && edge.to < edge.from) {
          steps.putIfAbsent(edge.to, edge.motion.inverse());
        }
      }
      int id = vertices.firstKey();
      Pose pose = Pose.ORIGIN;
      poses.put(id, pose);
      while (id < vertices.lastKey()) {
        Pose step = steps.get(id);
        int following = next.get(id);
        if (step == null) {
          return new OdometryChain(poses, next, "EDGE_SE2 " + id + " " + following);
        }
        pose = pose.then(step);
        id = following;
        poses.put(id, pose);
      }
      return this;
    }

    /**
     * Returns true if an edge joins two vertices with consecutive ids, either way: it is odometry.
     */
    boolean isSequential(Edge edge) {
      int from = Math.min(edge.from, edge.to);
      Integer following = next.get(from);
      return edge.from != edge.to && following != null && following == Math.max(edge.from, edge.to);
    }
  }
}
