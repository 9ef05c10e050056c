package org.cartostream.slam.file;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.StringTokenizer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cartostream.settings.file.PrintableText;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.sensor.ReadingRefusal;

/** The blank-separated fields of one line, read from left to right. Owns the place reached. */
public final class FieldReader {

  /** Maximum number of digits of seconds: a long holds 292 years of nanoseconds. */
  private static final int MAX_DIGITS_OF_SECONDS = 10;

  private static final int MAX_DECIMALS = 40;

  /**
   * Numbers that are not finite as Microsoft's C library writes them, cut or filled up to any
   * width.
   */
  private static final Pattern OF_WINDOWS = Pattern.compile("([+-]?)1\\.#([A-Z]+)0*");

  private final StringTokenizer tokens;

  public FieldReader(String line) {
    tokens = new StringTokenizer(line);
  }

  /** Number of fields not yet read. Takes time in proportion to them. */
  public int remaining() {
    return tokens.countTokens();
  }

  public String word(String what) throws UnusableLineException {
    if (!tokens.hasMoreTokens()) {
      throw new UnusableLineException(
          ReadingRefusal.TOO_FEW_NUMBERS.because("the line ends before " + what));
    }
    return tokens.nextToken();
  }

  public int integer(String what) throws UnusableLineException {
    String word = word(what);
    try {
      return Integer.parseInt(word);
    } catch (NumberFormatException e) {
      throw notANumber(what, word);
    }
  }

  /**
   * Reads a decimal number; also ROS's {@code nan}, {@code inf} and {@code -inf}, in any case, and
   * their forms by Microsoft's C library: {@code 1.#QNAN}, {@code 1.#INF}, {@code -1.#IND}.
   */
  public double number(String what) throws UnusableLineException {
    String word = word(what);
    if (word.indexOf('#') >= 0) {
      return ofWindows(what, word);
    }
    char last = word.charAt(word.length() - 1);
    if (Character.isDigit(last) || last == '.') {
      try {
        return Double.parseDouble(word);
      } catch (NumberFormatException e) {
        throw notANumber(what, word);
      }
    }
    return switch (word.toLowerCase(java.util.Locale.ROOT)) {
      case "nan", "-nan" -> Double.NaN;
      case "inf", "+inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      default -> throw notANumber(what, word);
    };
  }

  /**
   * Reads a number that is not finite, as Microsoft's C library prints it. Printed with few
   * decimals, INF is rounded to 1.#IO or 1.#J, and so is IND: these are NaN.
   */
  private static double ofWindows(String what, String word) throws UnusableLineException {
    Matcher matcher = OF_WINDOWS.matcher(word);
    if (!matcher.matches()) {
      throw notANumber(what, word);
    }
    if (!matcher.group(2).equals("INF")) {
      return Double.NaN;
    }
    return matcher.group(1).equals("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
  }

  public Pose pose(String what) throws UnusableLineException {
    return new Pose(
        number("x of " + what), number("y of " + what), Pose.wrap(number("theta of " + what)));
  }

  /** Returns the pose, if none of its numbers is NaN or infinite. */
  public static Pose finite(String what, Pose pose) throws UnusableLineException {
    if (!pose.isFinite()) {
      throw new UnusableLineException(
          ReadingRefusal.NOT_A_NUMBER.because("the " + what + " is not finite: " + pose));
    }
    return pose;
  }

  /** Reads seconds as nanoseconds, digit by digit: a double would lose what lies below 100 ns. */
  public long nanos(String what) throws UnusableLineException {
    String word = word(what);
    try {
      BigDecimal seconds = new BigDecimal(word);
      if (seconds.precision() - seconds.scale() <= MAX_DIGITS_OF_SECONDS
          && seconds.scale() <= MAX_DECIMALS) {
        return seconds.movePointRight(9).setScale(0, RoundingMode.HALF_EVEN).longValueExact();
      }
    } catch (NumberFormatException e) {
      throw notANumber(what, word);
    } catch (ArithmeticException e) {
      // The number is larger than a long holds.
    }
    // Most likely the stamps are milliseconds, microseconds or nanoseconds since 1970.
    throw notANumber(
        what,
        word,
        "; seconds are needed, up to "
            + Long.MAX_VALUE / 1_000_000_000
            + ", with at most "
            + MAX_DECIMALS
            + " decimals");
  }

  private static UnusableLineException notANumber(String what, String word) {
    return notANumber(what, word, "");
  }

  private static UnusableLineException notANumber(String what, String word, String needed) {
    return new UnusableLineException(
        ReadingRefusal.NOT_A_NUMBER.because(
            what + " is \"" + PrintableText.of(word, 20) + "\"" + needed));
  }
}
