package org.cartostream.bench.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Draws one figure of many rows as lines, one for each name, over a number such as that of tasks.
 *
 * @param <R> what a row shows
 * @param file its name
 * @param title with the figure's unit
 * @param figure of a row; null if it was not measured
 */
public record Plot<R>(String file, String title, Function<R, MeanAndRange> figure) {

  /**
   * Writes it, if there is something to draw. A value of 0 or less has no place on the axis.
   *
   * @param across what the horizontal axis shows
   * @param x of a row
   * @param name of a row's line
   */
  public Optional<Path> write(
      Path folder, List<R> rows, String across, Function<R, Integer> x, Function<R, String> name)
      throws IOException {
    Map<String, List<LinePlot.Point>> lines = new LinkedHashMap<>();
    for (R row : rows) {
      MeanAndRange value = figure.apply(row);
      if (value != null && value.min() > 0) {
        lines
            .computeIfAbsent(name.apply(row), each -> new ArrayList<>())
            .add(new LinePlot.Point(x.apply(row), value.mean(), value.min(), value.max()));
      }
    }
    return new LinePlot(title, across, lines).write(folder.resolve(file));
  }
}
