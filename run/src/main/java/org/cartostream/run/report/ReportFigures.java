package org.cartostream.run.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Main figures of a written {@link RunReport} for people, as rows of a name and a text. */
public final class ReportFigures {

  /**
   * A row of the figures.
   *
   * @param at JSON pointer to the figure in the report
   * @param form format of the figure, for {@link String#format}
   */
  private record Row(String name, String at, String form) {}

  private static final List<Row> ROWS =
      List.of(
          new Row("log", "/log", "%s"),
          new Row("ended", "/end", "%s"),
          new Row("readings", "/readings/read", "%.0f"),
          new Row("processed", "/readings/processed", "%.0f"),
          new Row("refused", "/readings/refused", "%.0f"),
          new Row("skipped", "/readings/skipped", "%.0f"),
          new Row("lost", "/readings/lost", "%.0f"),
          new Row("driven", "/distanceMetres", "%.0f m"),
          new Row("loops closed", "/loops/closed", "%.0f"),
          new Row("moved by loops at most", "/loops/movedMetres", "%.2f m"),
          new Row("loops of the way or end", "/loops/path", "%s"),
          new Row("error (ATE)", "/accuracy/ateMetres", "%.3f m"),
          new Row("a reading took, mean", "/millisPerReading/mean", "%.1f ms"),
          new Row("a reading took, 99 %", "/millisPerReading/p99", "%.1f ms"),
          new Row("the run took", "/wallSeconds", "%.0f s"),
          new Row("particles", "/particles", "%.0f"),
          new Row("tasks", "/tasks", "%.0f"),
          new Row("engine", "/engine", "%s"),
          new Row("seed", "/seed", "%.0f"),
          new Row("version", "/versions/cartostream", "%s"));

  private ReportFigures() {}

  /**
   * Reads the rows of a report; leaves out those whose figure the report does not have.
   *
   * @throws IOException if the file is no report; the message is one sentence for people
   */
  public static List<List<String>> read(Path file) throws IOException {
    JsonNode report = RunReport.read(file);
    List<List<String>> figures = new ArrayList<>();
    for (Row row : ROWS) {
      JsonNode figure = report.at(row.at);
      if (figure.isValueNode() && !figure.isNull()) {
        Object value = figure.isNumber() ? (Object) figure.asDouble() : figure.asText();
        boolean isPath = row.at.equals("/log"); // The log's folder is private.
        figures.add(
            List.of(
                row.name,
                isPath
                    ? figure.asText().replaceFirst("(?s).*/", "")
                    : String.format(Locale.ROOT, figure.isNumber() ? row.form : "%s", value)));
      }
    }
    return figures;
  }
}
