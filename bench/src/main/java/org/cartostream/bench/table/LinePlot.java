package org.cartostream.bench.table;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Plot as SVG: lines through points, each with a whisker from its least to its largest value. The
 * vertical axis is logarithmic, since logs differ by factors of ten.
 *
 * @param title quantity of the vertical axis, with its unit
 * @param across quantity of the horizontal axis, with its unit
 * @param lines points by the names of the lines; all values are positive
 */
record LinePlot(String title, String across, Map<String, List<Point>> lines) {

  /** Point with its whisker: {@code low <= y <= high}. */
  public record Point(double x, double y, double low, double high) {}

  // The layout in pixels.
  private static final int WIDTH = 760;
  private static final int HEIGHT = 400;
  private static final int LEFT = 70;
  private static final int RIGHT = 280;
  private static final int TOP = 40;
  private static final int BOTTOM = 50;
  private static final int LEGEND = WIDTH - RIGHT + 10;
  private static final int LEGEND_STEP = 18;

  /** Colours of lines, which the colour-blind can tell apart: Okabe and Ito (2008). */
  private static final List<String> COLOURS =
      List.of(
          "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442");

  private static final List<BigDecimal> TICKS =
      List.of(BigDecimal.ONE, BigDecimal.valueOf(2), BigDecimal.valueOf(5));

  /** Writes the plot as an SVG file, and returns the file; empty if there are no lines. */
  public Optional<Path> write(Path file) throws IOException {
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(Files.writeString(file, svg(), StandardCharsets.UTF_8));
  }

  String svg() {
    StringBuilder svg = new StringBuilder();
    add(
        svg,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif'"
            + " font-size='12'>",
        WIDTH,
        HEIGHT);
    add(svg, "<rect width='%d' height='%d' fill='white'/>", WIDTH, HEIGHT);
    text(svg, LEFT, TOP - 15, "start", title);
    text(svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 12, "middle", across);
    frame(svg);
    int number = 0;
    for (Map.Entry<String, List<Point>> line : lines.entrySet()) {
      String colour = COLOURS.get(number % COLOURS.size());
      line(svg, line.getValue(), colour);
      int y = TOP + 10 + LEGEND_STEP * number;
      add(svg, "<rect x='%d' y='%d' width='10' height='10' fill='%s'/>", LEGEND, y - 9, colour);
      text(svg, LEGEND + 16, y, "start", line.getKey());
      number++;
    }
    return svg.append("</svg>\n").toString();
  }

  private void frame(StringBuilder svg) {
    double bottom = HEIGHT - BOTTOM;
    double right = WIDTH - RIGHT;
    ticks(low(), high())
        .forEach(
            tick -> {
              double y = down(tick);
              add(svg, "<path d='M%d %.1fH%.1f' stroke='#ddd'/>", LEFT, y, right);
              text(
                  svg,
                  LEFT - 6,
                  y + 4,
                  "end",
                  new BigDecimal(Double.toString(tick)).stripTrailingZeros().toPlainString());
            });
    for (double x : points().mapToDouble(Point::x).distinct().toArray()) {
      add(svg, "<path d='M%.1f %.1fv5' stroke='black'/>", right(x), bottom);
      text(svg, right(x), bottom + 18, "middle", String.format(Locale.ROOT, "%.0f", x));
    }
    add(svg, "<path d='M%d %dV%.1fH%.1f' fill='none' stroke='black'/>", LEFT, TOP, bottom, right);
  }

  private void line(StringBuilder svg, List<Point> points, String colour) {
    StringBuilder path = new StringBuilder();
    for (Point point : points) {
      double x = right(point.x);
      add(path, "%s%.1f %.1f", path.length() == 0 ? "M" : "L", x, down(point.y));
      add(svg, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", x, down(point.y), colour);
      add(
          svg,
          "<path d='M%.1f %.1fV%.1f' stroke='%s'/>",
          x,
          down(point.low),
          down(point.high),
          colour);
    }
    add(svg, "<path d='%s' fill='none' stroke='%s' stroke-width='1.5'/>", path, colour);
  }

  private Stream<Point> points() {
    return lines.values().stream().flatMap(Collection::stream);
  }

  /** Returns the beginning of the vertical axis: the last tick that is not above any value. */
  private double low() {
    double min = points().mapToDouble(Point::low).min().orElse(1);
    return ticks(min / 10, min).max().orElse(min);
  }

  /** Returns the end of the vertical axis: the first tick above all values. */
  private double high() {
    double max = points().mapToDouble(Point::high).max().orElse(1);
    return ticks(max * 1.001, max * 10).min().orElse(max);
  }

  /** Returns round numbers between two positive ones. */
  private static DoubleStream ticks(double from, double to) {
    int first = (int) Math.floor(Math.log10(from));
    int last = (int) Math.floor(Math.log10(to));
    return IntStream.rangeClosed(first, last)
        .mapToObj(power -> BigDecimal.ONE.scaleByPowerOfTen(power))
        .flatMap(power -> TICKS.stream().map(power::multiply))
        .mapToDouble(BigDecimal::doubleValue)
        .filter(tick -> tick >= from && tick <= to);
  }

  private double down(double value) {
    double share = Math.log(value / low()) / Math.log(high() / low());
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
  }

  /** Returns the place of a value on the horizontal axis, which begins at 0; pixels. */
  private double right(double x) {
    double max = points().mapToDouble(Point::x).max().orElse(1);
    return LEFT + x / max * 0.95 * (WIDTH - LEFT - RIGHT);
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String text) {
    String escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    add(svg, "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>", x, y, anchor, escaped);
  }

  private static void add(StringBuilder svg, String format, Object... values) {
    svg.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
