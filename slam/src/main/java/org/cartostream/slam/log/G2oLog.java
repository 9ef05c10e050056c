package org.cartostream.slam.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.ReadingRefusal;

/**
 * A pose graph in g2o's text format with the scans it was made from, each behind the vertex at
 * which it was taken. The poses inside the scan lines are not used: they repeat the vertex.
 *
 * <p>Odometry is the chain of the edges from vertex i to i + 1, from the origin; they may stand
 * anywhere and in any order, so the file is read as a whole. Behind a missing edge there is no
 * odometry. The vertices are the reference trajectory, all other edges its loop edges, but those
 * one vertex back, which say again what odometry was.
 */
final class G2oLog implements LaserLog {

  private record VertexScan(int vertex, int line, Reading reading, UnusableLine failure) {}

  private record Edge(int from, int to, Pose motion) {}

  private final List<LogEntry> entries;
  private final List<StampedPose> reference;
  private final List<Relation> loopEdges;
  private final List<String> notices;
  private final Iterator<LogEntry> remaining;

  private G2oLog(
      List<LogEntry> entries,
      List<StampedPose> reference,
      List<Relation> loopEdges,
      List<String> notices) {
    this.entries = entries;
    this.reference = reference;
    this.loopEdges = loopEdges;
    this.notices = notices;
    this.remaining = entries.iterator();
  }

  static G2oLog read(Path file, Survey survey) throws IOException {
    Graph graph = new Graph(survey);
    try (Lines lines = new Lines(LogBytes.open(file))) {
      for (String line = lines.next(); line != null; line = lines.next()) {
        graph.take(lines.number(), line);
      }
    }
    return graph.toLog();
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
  public List<Relation> loopEdges() {
    return loopEdges;
  }

  @Override
  public List<String> notices() {
    return notices;
  }

  @Override
  public boolean hasNext() {
    return remaining.hasNext();
  }

  @Override
  public LogEntry next() {
    return remaining.next();
  }

  /** Nothing is open any more: the file was read as a whole. */
  @Override
  public void close() {}

  /** Collects the lines of a file. */
  private static final class Graph {

    private final Survey survey;
    private final TreeMap<Integer, Pose> vertices = new TreeMap<>();
    private final Map<Integer, Pose> sequential = new TreeMap<>();
    private final List<Edge> loops = new ArrayList<>();
    private final List<VertexScan> scans = new ArrayList<>();
    private Integer lastVertex;

    Graph(Survey survey) {
      this.survey = survey;
    }

    void take(int number, String line) {
      switch (Lines.keyword(line)) {
        case "VERTEX_SE2" -> takeVertex(line);
        case "EDGE_SE2" -> takeEdge(line);
        case "FLASER", "ROBOTLASER1" -> takeScan(number, line);
        default -> {}
      }
    }

    private void takeVertex(String line) {
      Fields fields = new Fields(line);
      try {
        fields.word("keyword");
        int id = fields.integer("vertex");
        vertices.put(id, Fields.finite("vertex", fields.pose("vertex")));
        lastVertex = id;
      } catch (UnusableLine e) {
        lastVertex = null; // The scans that follow have no place, and are refused.
      }
    }

    private void takeEdge(String line) {
      Fields fields = new Fields(line);
      try {
        fields.word("keyword");
        int from = fields.integer("from");
        int to = fields.integer("to");
        Edge edge = new Edge(from, to, Fields.finite("edge", fields.pose("edge")));
        boolean consecutive = edge.to - edge.from == 1;
        if (consecutive) {
          sequential.putIfAbsent(edge.from, edge.motion);
        } else if (edge.from - edge.to != 1) {
          loops.add(edge); // One back by a single vertex is odometry, too.
        }
      } catch (UnusableLine e) {
        // An unreadable edge is a missing edge: the scans behind it are refused, and name it.
      }
    }

    private void takeScan(int number, String line) {
      int vertex = lastVertex == null ? Integer.MAX_VALUE : lastVertex;
      try {
        if (lastVertex == null) {
          throw new UnusableLine(
              ReadingRefusal.NO_ODOMETRY.because("no readable VERTEX_SE2 stands before the scan"));
        }
        Reading reading = survey.reading(line);
        scans.add(new VertexScan(vertex, number, reading, null));
      } catch (UnusableLine e) {
        scans.add(new VertexScan(vertex, number, null, e));
      }
    }

    G2oLog toLog() {
      scans.sort(Comparator.comparingInt(VertexScan::vertex));
      Chain chain = Chain.of(vertices, sequential);
      List<LogEntry> entries = new ArrayList<>();
      Map<Integer, Long> stamps = new TreeMap<>();
      for (VertexScan scan : scans) {
        entries.add(entry(scan, chain));
        if (scan.reading != null) {
          stamps.putIfAbsent(scan.vertex, scan.reading.stampNanos());
        }
      }
      List<StampedPose> reference = new ArrayList<>();
      stamps.forEach((id, stamp) -> reference.add(new StampedPose(stamp, vertices.get(id))));
      List<Relation> edges = new ArrayList<>();
      for (Edge edge : loops) {
        if (stamps.containsKey(edge.from) && stamps.containsKey(edge.to)) {
          edges.add(new Relation(stamps.get(edge.from), stamps.get(edge.to), edge.motion));
        }
      }
      return new G2oLog(
          List.copyOf(entries), List.copyOf(reference), List.copyOf(edges), survey.notices());
    }

    private static LogEntry entry(VertexScan scan, Chain chain) {
      if (scan.failure != null) {
        return new LogEntry.Refused(scan.line, scan.failure.why());
      }
      Pose odometry = chain.poses.get(scan.vertex);
      if (odometry == null) {
        return new LogEntry.Refused(
            scan.line, ReadingRefusal.NO_ODOMETRY.because(chain.missing + " is missing"));
      }
      Reading read = scan.reading;
      return new LogEntry.Taken(scan.line, new Reading(read.stampNanos(), odometry, read.scan()));
    }
  }

  /**
   * Odometry by vertex, as far as the chain of edges leads.
   *
   * @param missing the first edge that is not there; "" if none is missing
   */
  private record Chain(Map<Integer, Pose> poses, String missing) {

    static Chain of(TreeMap<Integer, Pose> vertices, Map<Integer, Pose> sequential) {
      Map<Integer, Pose> poses = new TreeMap<>();
      if (vertices.isEmpty()) {
        return new Chain(poses, "");
      }
      int id = vertices.firstKey();
      Pose pose = Pose.ORIGIN;
      poses.put(id, pose);
      while (id < vertices.lastKey()) {
        Pose step = sequential.get(id);
        if (step == null) {
          return new Chain(poses, "EDGE_SE2 " + id + " " + (id + 1));
        }
        pose = pose.then(step);
        poses.put(++id, pose);
      }
      return new Chain(poses, "");
    }
  }
}
