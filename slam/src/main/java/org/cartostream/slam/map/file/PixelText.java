package org.cartostream.slam.map.file;

import java.awt.Graphics2D;
import java.util.Map;

/**
 * Text in letters of 3 x 5 pixels, for a length on a picture. On a server without fonts, drawing
 * text by {@link java.awt.Font} would fail.
 */
final class PixelText {

  private static final int GLYPH_WIDTH = 3;
  private static final int GLYPH_HEIGHT = 5;

  /** Dots of each character, row by row from the top, from left to right. */
  private static final Map<Character, String> GLYPHS =
      Map.of(
          '0', "#### ## ## ####",
          '1', " # ##  #  # ###",
          '2', "###  #####  ###",
          '5', "####  ###  ####",
          'm', "   ####### ## #",
          'c', "   ####  #  ###",
          ' ', "               ");

  private PixelText() {}

  /** Width of a text in dots. */
  static int width(String text) {
    return text.length() * (GLYPH_WIDTH + 1) - 1;
  }

  /**
   * Draws a text of the digits 0, 1, 2, 5 and "m", "c", blank: all that a scale bar needs.
   *
   * @param left pixels
   * @param top pixels
   * @param dot side of a dot in pixels
   */
  static void draw(Graphics2D graphics, String text, int left, int top, int dot) {
    for (int i = 0; i < text.length(); i++) {
      String glyph = GLYPHS.get(text.charAt(i));
      for (int k = 0; k < GLYPH_WIDTH * GLYPH_HEIGHT; k++) {
        if (glyph.charAt(k) == '#') {
          int column = i * (GLYPH_WIDTH + 1) + k % GLYPH_WIDTH;
          graphics.fillRect(left + column * dot, top + k / GLYPH_WIDTH * dot, dot, dot);
        }
      }
    }
  }
}
