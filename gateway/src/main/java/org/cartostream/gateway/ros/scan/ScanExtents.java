package org.cartostream.gateway.ros.scan;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.cartostream.ros.message.LaserScan;
import org.cartostream.slam.sensor.Refusal;

/**
 * Detector of scans that were cut short, as while a laser starts up: they have less than half of
 * the beams, or of the field of view, of the scans around them (median). Drivers spread the few
 * beams over the whole field of view, which would put walls at wrong places. Where most of the
 * scans around have the same number of beams, one that has wider steps lacks some, too, however
 * few.
 *
 * <p>A file's scans are all known before the first is used. Of a live laser only earlier scans are
 * known: until there are enough, a scan all around with coarse angle steps counts as cut short.
 *
 * <p>Owns the extents of the scans and the number of the next.
 */
public final class ScanExtents {

  private record Extent(int beams, double radians) {
    @Override
    public String toString() {
      return "%d beams over %.0f degrees".formatted(beams, Math.toDegrees(radians));
    }

    double step() {
      return radians / Math.max(1, beams - 1);
    }
  }

  /**
   * Number of a live laser's latest scans in the median; some seconds. After half as many, a laser
   * that is reconfigured to fewer beams is used again.
   */
  private static final int LIVE_SCANS = 20;

  /**
   * Number of a file's scans around each scan in the median. The start-up of a laser must take less
   * than half of them.
   */
  private static final int FILE_SCANS = 101;

  /**
   * Extent that is too coarse for a robot's laser: fewer than 90 beams in a full turn. Lasers with
   * a full turn have at least a beam per degree.
   */
  private static final Extent COARSE = new Extent(90, 2 * Math.PI);

  /** Steps that are wider by this factor put the last of 360 degrees 11 degrees off. */
  private static final double WIDER = 1.03;

  private final List<Extent> extents;
  private final boolean isLive;
  private int next;

  private ScanExtents(List<Extent> extents, boolean isLive) {
    this.extents = extents;
    this.isLive = isLive;
  }

  /** Returns the extents of a laser of which nothing is known yet. */
  static ScanExtents live() {
    return new ScanExtents(new ArrayList<>(), true);
  }

  /**
   * Returns the extents of a file, whose scans are to be {@linkplain #add added} before the first
   * call of {@link #next}.
   */
  public static ScanExtents ofFile() {
    return new ScanExtents(new ArrayList<>(), false);
  }

  /** Returns a copy of these extents whose next scan is the first. */
  ScanExtents fromStart() {
    return new ScanExtents(extents, isLive);
  }

  /** Adds the next scan. */
  public void add(LaserScan scan) {
    extents.add(of(scan));
  }

  private static Extent of(LaserScan scan) {
    int beams = scan.ranges().length;
    return new Extent(beams, Math.abs(scan.angleIncrement()) * Math.max(0, beams - 1));
  }

  /** Returns why the next scan counts as cut short; null if it does not. */
  Refusal.Reason next(LaserScan scan) {
    Extent extent = of(scan);
    List<Extent> around = isLive ? latest(extent) : around(next++);
    Extent usual = isLive ? usual(around) : median(around);
    return extent.beams < usual.beams / 2.0
            || extent.radians < usual.radians / 2
            || isSpread(extent, usual, around)
        ? RosRefusal.TRUNCATED.because(extent + "; usual are " + usual)
        : null;
  }

  /** True if a laser whose scans have the same number of beams gave fewer, at wider steps. */
  private static boolean isSpread(Extent extent, Extent usual, List<Extent> around) {
    long same = around.stream().filter(each -> each.beams == usual.beams).count();
    return extent.beams < usual.beams
        && extent.step() > WIDER * usual.step()
        && 2 * same > around.size();
  }

  private List<Extent> latest(Extent extent) {
    extents.add(extent);
    if (extents.size() > LIVE_SCANS) {
      extents.remove(0);
    }
    return extents;
  }

  private static Extent usual(List<Extent> latest) {
    Extent median = median(latest);
    boolean coarse = median.beams < COARSE.beams && median.radians > COARSE.radians * 0.9;
    return coarse && latest.size() < LIVE_SCANS ? COARSE : median;
  }

  private List<Extent> around(int at) {
    int from = Math.max(0, Math.min(at - FILE_SCANS / 2, extents.size() - FILE_SCANS));
    return extents.subList(from, Math.min(extents.size(), from + FILE_SCANS));
  }

  private static Extent median(List<Extent> of) {
    return new Extent((int) median(of, Extent::beams), median(of, Extent::radians));
  }

  private static double median(List<Extent> of, ToDoubleFunction<Extent> value) {
    return of.stream().mapToDouble(value).sorted().skip(of.size() / 2).findFirst().orElseThrow();
  }
}
