package org.cartostream.topology.memory;

import java.util.ArrayDeque;
import java.util.Deque;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.map.MapGrowth;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.tree.ScanBlock;
import org.cartostream.topology.metrics.MemoryMeters;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.TopologyRefusal;

/**
 * One run's share of the service's memory ({@code topology.robotMegabytes}). Before a reading goes
 * to the filter, what the run's maps take was counted and must fit, and so must what they may take
 * more with the reading ({@link MapGrowth}), by itself; else it is refused, and all that follow.
 * Both together may be more, for the maps may have most of what the reading shows: then the reading
 * waits until those before it are served, and is counted.
 *
 * <p>A run is {@link State#OPEN}; {@link State#EXCEEDED} when it is to be refused from a reading
 * on, while that is being stored; then {@link State#REFUSED}, for good. What tasks count depends on
 * their number and on time, so the refusal is no function of the readings: it is an input, part of
 * the dispatcher's checkpoint, and durable before the robot hears of it, if anything can be stored.
 * A reading that this dispatcher has seen served in an earlier epoch is let in again whatever is
 * counted now.
 *
 * <p>The run's scans are kept, too: on the publisher's disk, where they have a share of their own
 * ({@code topology.robotScanMegabytes}). The first reading behind the key frame with which they are
 * more is refused. Those that no disk takes are in memory, and count as maps do.
 *
 * <p>To count takes a task a tenth of a microsecond for each tile. So tasks are asked to when what
 * is only estimated comes to a {@value #COUNTED_FROM}th of what is left, and each {@value
 * #COUNTED_EVERY} key frames.
 *
 * <p>Owns what was counted last, the estimates of the key frames since, the bytes of all scans, and
 * the refusal.
 */
public final class MemoryQuota implements AutoCloseable {

  private static final int COUNTED_FROM = 4;
  private static final int COUNTED_EVERY = 50;

  /** The drawn map is drawn anew when loops are closed: then there are two. */
  private static final int DRAWN_MAPS = 2;

  private static final double MEGABYTE = 1 << 20;

  private enum State {
    OPEN,
    EXCEEDED,
    REFUSED
  }

  /** The decision on a reading whose turn it is. */
  public enum Verdict {
    ADMITTED,
    /** The quota is not known yet. */
    WAITS,
    REFUSED
  }

  /**
   * Part of a checkpoint.
   *
   * @param bytes that the matchers' maps took when they were counted last
   * @param drawnBytes of the drawn map
   * @param scanBytes of the scans of all key frames
   * @param from the first reading that is refused; 0 for none
   * @param refusal its name; empty for none
   * @param detail with the numbers that caused it
   */
  public record Saved(
      long bytes,
      long drawnBytes,
      long scanBytes,
      long from,
      TopologyRefusal refusal,
      String detail) {

    /** The saved state of a run that begins. */
    public static final Saved NOTHING = new Saved(0, 0, 0, 0, null, "");
  }

  /** A key frame that is being processed. */
  private record Expected(long sequence, long bytes, boolean isCounted) {}

  private final long max;
  private final long maxScans;
  private final MapGrowth mapGrowth;
  private final MemoryMeters meters;
  private final Deque<Expected> inFlight = new ArrayDeque<>();
  private final DrivenArea area = new DrivenArea();
  private State state = State.OPEN;
  private boolean mapsGrow = true;

  /** Why, and from which reading on; null and 0 while the run is open. */
  private Refusal.Reason why;

  private long from;

  /** True if the checkpoint that is being stored has the refusal. */
  private boolean isBeingStored;

  /** Bytes of the matchers' maps when they were counted last, and estimates of what came since. */
  private long counted;

  private long since;
  private int keyFramesSince;
  private long drawnBytes;

  /**
   * Size of the scans of all key frames, wherever they are, and of those that are in memory, bytes.
   */
  private long scanBytes;

  private long heldScanBytes;

  /** The latest reading that was served, in whatever epoch. */
  private long latestServed;

  public MemoryQuota(String robot, ServiceSettings settings) {
    this.max = settings.topology().robotBytes();
    this.maxScans = settings.topology().robotScanBytes();
    this.mapGrowth = new MapGrowth(settings.filter().cellMetres(), settings.filter().particles());
    this.meters = new MemoryMeters(robot);
  }

  // --- checkpoints -------------------------------------------------------------------------------

  /**
   * An epoch begins after a checkpoint.
   *
   * @param robotMakesMap false if it is found in a known one, which does not grow
   */
  public void begin(Saved saved, boolean robotMakesMap) {
    mapsGrow = robotMakesMap;
    counted = saved.bytes();
    drawnBytes = saved.drawnBytes();
    scanBytes = saved.scanBytes();
    heldScanBytes = 0;
    since = 0;
    keyFramesSince = COUNTED_EVERY;
    inFlight.clear();
    area.clear();
    isBeingStored = false;
    if (saved.from() > 0) {
      state = State.REFUSED;
      from = saved.from();
      why = saved.refusal().because(saved.detail());
    }
    measure();
  }

  /** Returns the state for a checkpoint that begins now. */
  public Saved save() {
    isBeingStored = state == State.EXCEEDED;
    return state == State.OPEN
        ? new Saved(counted, drawnBytes, scanBytes, 0, null, "")
        : new Saved(
            counted, drawnBytes, scanBytes, from, (TopologyRefusal) why.refusal(), why.detail());
  }

  /** True if there is a refusal that is not durable, and does not count yet. */
  public boolean isToBeStored() {
    return state == State.EXCEEDED;
  }

  /** The checkpoint is stored. */
  public void stored() {
    if (isBeingStored) {
      act();
    }
  }

  /** The refusal counts; also where nothing can be stored. */
  public void act() {
    isBeingStored = false;
    state = State.REFUSED;
  }

  // --- readings ----------------------------------------------------------------------------------

  /**
   * Decides about the reading whose turn it is.
   *
   * @param isMalformed true if the reading filter refuses it in any case: then nothing grows
   */
  public Verdict judge(long sequence, Reading reading, boolean isMalformed) {
    if (state != State.OPEN && sequence >= from) {
      return state == State.REFUSED ? Verdict.REFUSED : Verdict.WAITS;
    }
    boolean isLetIn = state != State.OPEN || isMalformed || !mapsGrow || sequence <= latestServed;
    if (!isLetIn && scanBytes > maxScans) {
      exceed(
          sequence,
          TopologyRefusal.TOO_MANY_SCANS.because(
              "those before reading %d take more than the %.0f MB that are allowed"
                  .formatted(sequence, maxScans / MEGABYTE)));
      return Verdict.WAITS;
    }
    long needed = isLetIn ? 0 : needed(reading.odometry(), reading.scan());
    if (needed <= max) {
      return Verdict.ADMITTED;
    }
    if (!inFlight.isEmpty()) {
      return Verdict.WAITS; // What is counted after it may be less than was feared.
    }
    long alone = mapGrowth.ofParticles(reading.scan()) + mapGrowth.ofDrawnScan(reading.scan());
    if (taken() <= max && alone <= max) {
      return Verdict.ADMITTED; // It is counted when it is done.
    }
    exceed(
        sequence,
        TopologyRefusal.TOO_MUCH_MEMORY.because(
            "its maps take %.0f MB%s, and may take %.0f with reading %d; %.0f are allowed"
                .formatted(
                    taken() / MEGABYTE,
                    heldScans(),
                    (taken() + alone) / MEGABYTE,
                    sequence,
                    max / MEGABYTE)));
    return Verdict.WAITS;
  }

  private String heldScans() {
    return heldScanBytes == 0
        ? ""
        : " (%.0f of it are scans that no disk takes)".formatted(heldScanBytes / MEGABYTE);
  }

  /** Why readings are refused. */
  public Refusal.Reason why() {
    return why;
  }

  /** Has the run refused from a reading on, unless it is already. */
  public void exceed(long sequence, Refusal.Reason because) {
    if (state == State.OPEN) {
      state = State.EXCEEDED;
      from = sequence;
      why = because;
    }
  }

  /**
   * A reading goes to the filter's tasks.
   *
   * @return true if they are to count what their maps take after it
   */
  public boolean admit(long sequence, Pose odometry, Scan scan) {
    if (!mapsGrow) {
      return false;
    }
    scanBytes += ScanBlock.bytes(scan);
    long known = taken();
    boolean isMuchEstimated = needed(odometry, scan) - known > (max - known) / COUNTED_FROM;
    boolean isCounted = isMuchEstimated || keyFramesSince >= COUNTED_EVERY;
    area.add(sequence, odometry, scan.farthestHit(), mapGrowth.ofDrawnScan(scan));
    inFlight.add(new Expected(sequence, mapGrowth.ofParticles(scan), isCounted));
    keyFramesSince = isCounted ? 0 : keyFramesSince + 1;
    return isCounted;
  }

  /**
   * All tasks are done with a reading.
   *
   * @param bytes of all their maps, if they counted it
   */
  public void served(long sequence, long bytes) {
    latestServed = Math.max(latestServed, sequence);
    if (inFlight.isEmpty() || inFlight.getFirst().sequence() != sequence) {
      return; // It was no key frame.
    }
    Expected expected = inFlight.remove();
    counted = expected.isCounted() ? bytes : counted;
    since = expected.isCounted() ? 0 : since + expected.bytes();
    measure();
  }

  /** The run's map was drawn, up to a reading. */
  public void drawn(Payload.MapMemoryUse map) {
    drawnBytes = map.mapBytes();
    heldScanBytes = map.scanBytes();
    area.drawn(map.sequence());
    measure();
  }

  // --- bytes -------------------------------------------------------------------------------------

  /** Returns the bound on what a further reading needs, bytes. */
  private long needed(Pose odometry, Scan scan) {
    return bytes()
        + inFlight.stream().mapToLong(Expected::bytes).sum()
        + mapGrowth.ofParticles(scan)
        + area.bytes(mapGrowth, odometry, scan.farthestHit(), mapGrowth.ofDrawnScan(scan));
  }

  /**
   * Returns what the run's maps, and scans that no disk takes, took when they were counted last.
   */
  private long taken() {
    return counted + DRAWN_MAPS * drawnBytes + heldScanBytes;
  }

  /** Bytes of memory that the run's maps take, about. */
  public long bytes() {
    return taken() + since;
  }

  /** True if the run is refused, now or when that is stored. */
  public boolean isExceeded() {
    return state != State.OPEN;
  }

  /**
   * True if all readings after the latest checkpoint are refused: none will reach the filter's
   * tasks.
   *
   * @param durable the last reading in that
   */
  public boolean refusesAfter(long durable) {
    return state == State.REFUSED && from <= durable + 1;
  }

  /** The matchers have let go of their maps. */
  public void released() {
    counted = 0;
    since = 0;
    measure();
  }

  /** Returns a sentence for the operator about it; empty if nothing is wrong. */
  public String trouble() {
    return state == State.OPEN ? "" : "is refused from reading " + from + " on: " + why;
  }

  private void measure() {
    meters.takes(bytes());
  }

  /** Shows its figures from now on. */
  public void showFigures() {
    meters.show();
  }

  /** Removes its meters. */
  @Override
  public void close() {
    meters.close();
  }
}
