package org.cartostream.slam.map.file;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.RenderingHints;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Path2D;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.stream.ImageOutputStream;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.StampedPose;

/**
 * Picture of a map for people: free white, occupied black, unknown grey, over it the robot's way
 * from its start (green) to its end (red), and a scale bar in the corner where it hides least.
 *
 * <p>Owns the picture's scale: a small map is enlarged, by a whole number of pixels per cell; of a
 * large one several cells share a pixel, which is as dark as the darkest of them, so that thin
 * walls stay.
 */
public final class MapPicture {

  public static final String FILE = "map.png";

  private static final int MAX_PIXELS = 4000;
  private static final int WANTED_PIXELS = 800;
  private static final Color FREE = Color.WHITE;
  private static final Color OCCUPIED = new Color(20, 20, 20);
  private static final Color UNKNOWN = new Color(205, 205, 205);
  private static final Color WAY = new Color(30, 100, 220);
  private static final Color START = new Color(20, 150, 60);
  private static final Color END = new Color(215, 40, 40);

  private final OccupancyGrid grid;
  private final int cellsPerPixel;
  private final int pixelsPerCell;
  private final BufferedImage image;

  private MapPicture(OccupancyGrid grid) {
    this.grid = grid;
    int side = Math.max(1, Math.max(grid.width(), grid.height()));
    this.cellsPerPixel = (side + MAX_PIXELS - 1) / MAX_PIXELS;
    this.pixelsPerCell = cellsPerPixel > 1 ? 1 : Math.max(1, WANTED_PIXELS / side);
    this.image =
        new BufferedImage(pixels(grid.width()), pixels(grid.height()), BufferedImage.TYPE_INT_RGB);
  }

  /**
   * Writes {@link #FILE} into a folder, which is created if it is missing.
   *
   * @param trajectory in the grid's frame, in the order driven; may be empty
   */
  public static void write(OccupancyGrid grid, List<StampedPose> trajectory, Path folder)
      throws IOException {
    Files.createDirectories(folder);
    MapPicture picture = new MapPicture(grid);
    picture.drawCells();
    picture.drawOver(trajectory.stream().map(StampedPose::pose).toList());
    AtomicFile.write(
        folder.resolve(FILE),
        out -> {
          // By itself ImageIO writes a temporary file, which wants a folder, and ends with a stack
          // trace on a full disk.
          try (ImageOutputStream inMemory = new MemoryCacheImageOutputStream(out)) {
            if (!ImageIO.write(picture.image, "png", inMemory)) {
              throw new IOException("this Java runtime cannot write PNG pictures");
            }
          }
        });
  }

  private int pixels(int cells) {
    return Math.max(1, (cells + cellsPerPixel - 1) / cellsPerPixel * pixelsPerCell);
  }

  private void drawCells() {
    for (int row = 0; row < image.getHeight(); row++) {
      int bottom = (image.getHeight() - 1 - row) / pixelsPerCell * cellsPerPixel;
      for (int column = 0; column < image.getWidth(); column++) {
        image.setRGB(column, row, colour(column / pixelsPerCell * cellsPerPixel, bottom).getRGB());
      }
    }
  }

  /** Returns the colour of a pixel: that of the square of cells with the given lower left one. */
  private Color colour(int left, int bottom) {
    Color colour = UNKNOWN;
    for (int y = bottom; y < Math.min(bottom + cellsPerPixel, grid.height()); y++) {
      for (int x = left; x < Math.min(left + cellsPerPixel, grid.width()); x++) {
        switch (MapFiles.CellState.of(grid.at(x, y))) {
          case OCCUPIED -> {
            return OCCUPIED;
          }
          case FREE -> colour = FREE;
          case UNKNOWN -> {}
        }
      }
    }
    return colour;
  }

  private void drawOver(List<Pose> way) {
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setRenderingHint(RenderingHints.KEY_ANTIALIASING, RenderingHints.VALUE_ANTIALIAS_ON);
      graphics.setRenderingHint(
          RenderingHints.KEY_STROKE_CONTROL, RenderingHints.VALUE_STROKE_PURE);
      float thickness = Math.max(1.5f, Math.max(image.getWidth(), image.getHeight()) / 600f);
      if (!way.isEmpty()) {
        drawWay(graphics, way, thickness);
      }
      drawScaleBar(graphics, thickness);
    } finally {
      graphics.dispose();
    }
  }

  private void drawWay(Graphics2D graphics, List<Pose> way, float thickness) {
    Path2D.Double line = new Path2D.Double();
    line.moveTo(column(way.get(0)), row(way.get(0)));
    way.forEach(pose -> line.lineTo(column(pose), row(pose)));
    graphics.setColor(WAY);
    graphics.setStroke(new BasicStroke(thickness, BasicStroke.CAP_ROUND, BasicStroke.JOIN_ROUND));
    graphics.draw(line);
    drawMark(graphics, way.get(0), START, 4 * thickness);
    drawMark(graphics, way.get(way.size() - 1), END, 4 * thickness);
  }

  private void drawMark(Graphics2D graphics, Pose pose, Color colour, double radius) {
    double left = column(pose) - radius;
    double top = row(pose) - radius;
    Ellipse2D.Double disc = new Ellipse2D.Double(left, top, 2 * radius, 2 * radius);
    graphics.setColor(colour);
    graphics.fill(disc);
    graphics.setColor(Color.WHITE);
    graphics.setStroke(new BasicStroke((float) radius / 4));
    graphics.draw(disc);
  }

  /**
   * Draws a bar of 1, 2 or 5 times a power of ten metres, a tenth to a quarter of the picture long.
   */
  private void drawScaleBar(Graphics2D graphics, float thickness) {
    double metres = roundLength(image.getWidth() / pixelsPerMetre() / 4);
    int length = (int) Math.round(metres * pixelsPerMetre());
    int margin = Math.round(8 * thickness);
    String label = label(metres);
    int dot = Math.round(2 * thickness);
    int width = Math.max(length, PixelText.width(label) * dot) + margin;
    Rectangle plate = emptiestCorner(width, 9 * dot + margin / 2, margin / 2);
    int left = plate.x + margin - margin / 2;
    int base = plate.y + 9 * dot;
    graphics.setColor(new Color(255, 255, 255, 200));
    graphics.fill(plate);
    graphics.setColor(Color.BLACK);
    graphics.fillRect(left, base - dot / 2, length, dot);
    PixelText.draw(graphics, label, left, base - 8 * dot, dot);
  }

  /** Returns the corner with the fewest known pixels; of equal ones, the lower left. */
  private Rectangle emptiestCorner(int width, int height, int margin) {
    // In a small picture the corners coincide.
    int right = Math.max(margin, image.getWidth() - margin - width);
    int bottom = Math.max(margin, image.getHeight() - margin - height);
    return Stream.of(
            new Rectangle(margin, bottom, width, height),
            new Rectangle(right, bottom, width, height),
            new Rectangle(margin, margin, width, height),
            new Rectangle(right, margin, width, height))
        .min(Comparator.comparingLong(this::shown))
        .orElseThrow();
  }

  /** Returns the number of known pixels in a part of the picture. */
  private long shown(Rectangle part) {
    Rectangle inside = part.intersection(new Rectangle(image.getWidth(), image.getHeight()));
    return IntStream.range(0, inside.height)
        .mapToLong(
            y ->
                IntStream.range(0, inside.width)
                    .filter(x -> image.getRGB(inside.x + x, inside.y + y) != UNKNOWN.getRGB())
                    .count())
        .sum();
  }

  static double roundLength(double maxMetres) {
    double power = StrictMath.pow(10, Math.floor(StrictMath.log10(maxMetres)));
    double lead = maxMetres / power;
    return power * (lead >= 5 ? 5 : lead >= 2 ? 2 : 1);
  }

  private static String label(double metres) {
    return metres >= 1 ? Math.round(metres) + " m" : Math.round(metres * 100) + " cm";
  }

  private double pixelsPerMetre() {
    return pixelsPerCell / (grid.resolution() * cellsPerPixel);
  }

  private double column(Pose pose) {
    return (pose.x() - grid.originX()) * pixelsPerMetre();
  }

  private double row(Pose pose) {
    return image.getHeight() - (pose.y() - grid.originY()) * pixelsPerMetre();
  }
}
