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
 * to the filter, two amounts must each fit into the share: the memory of the run's maps, as counted
 * last, and the upper bound of the memory that the reading adds ({@link MapGrowth}). Else this
 * reading and all that follow are refused. Their sum may be more, since the maps may already have
 * most of what the reading shows; then the reading waits until earlier ones are served, and the
 * maps are counted after it.
 *
 * <p>A run is {@link State#OPEN}; {@link State#EXCEEDED} when it is to be refused from some reading
 * on, until that refusal is stored; then {@link State#REFUSED} for good. The counts depend on the
 * number of tasks and on time, so a restored run might not come to the same refusal. Hence the
 * refusal is part of the dispatcher's checkpoint, which is stored before the robot is told, if
 * anything can be stored. A reading that was served in an earlier epoch is admitted again, whatever
 * the counts are now.
 *
 * <p>The publisher keeps the run's scans on its disk, where they have a share of their own ({@code
 * topology.robotScanMegabytes}). Once the scans take more, the next reading is refused. Scans that
 * could not be written to disk stay in memory, and count like maps.
 *
 * <p>Counting takes a task a tenth of a microsecond for each tile. So tasks count their maps only
 * when estimates since the latest count exceed a {@value #COUNTED_FROM}th of the memory left, and
 * every {@value #COUNTED_EVERY} key frames.
 *
 * <p>Owns the latest count, the estimates of the key frames since then, the size of all scans, and
 * the refusal.
 */
public final class MemoryQuota implements AutoCloseable {

  private static final int COUNTED_FROM = 4;
  private static final int COUNTED_EVERY = 50;

  /**
   * Number of drawn maps that are counted: when loops are closed the map is drawn anew, and then
   * there are two.
   */
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
    /** The reading must wait, until memory is counted or the refusal is stored. */
    WAITS,
    REFUSED
  }

  /**
   * State of the quota in a checkpoint.
   *
   * @param bytes size of the matchers' maps when they were counted last
   * @param drawnBytes size of the drawn map
   * @param scanBytes size of the scans of all key frames
   * @param from number of the first reading that is refused; 0 for none
   * @param refusal reason of the refusal; null for none
   * @param detail clause with the numbers that caused the refusal, for people
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

  /**
   * A key frame that is being processed.
   *
   * @param bytes upper bound of the memory that it adds to the particles' maps
   * @param isCounted true if tasks count their maps after it
   */
  private record Expected(long sequence, long bytes, boolean isCounted) {}

  private final long max;
  private final long maxScans;
  private final MapGrowth mapGrowth;
  private final MemoryMeters meters;
  private final Deque<Expected> inFlight = new ArrayDeque<>();
  private final DrivenArea area = new DrivenArea();
  private State state = State.OPEN;
  private boolean mapsGrow = true;

  /**
   * Reason of the refusal; {@code from} is the first refused reading. Null and 0 while the run is
   * open.
   */
  private Refusal.Reason why;

  private long from;

  /** True if the checkpoint that is being stored contains the refusal. */
  private boolean isBeingStored;

  /**
   * Size of the matchers' maps when they were counted last, bytes; {@code since} estimates what key
   * frames have added since then.
   */
  private long counted;

  private long since;
  private int keyFramesSince;
  private long drawnBytes;

  /**
   * Size of the scans of all key frames, bytes; {@code heldScanBytes} are in memory, the others on
   * disk.
   */
  private long scanBytes;

  private long heldScanBytes;

  /** Greatest number of a reading that was served in any epoch. */
  private long latestServed;

  public MemoryQuota(String robot, ServiceSettings settings) {
    this.max = settings.topology().robotBytes();
    this.maxScans = settings.topology().robotScanBytes();
    this.mapGrowth = new MapGrowth(settings.filter().cellMetres(), settings.filter().particles());
    this.meters = new MemoryMeters(robot);
  }

  // --- checkpoints -------------------------------------------------------------------------------

  /**
   * Begins an epoch after a checkpoint.
   *
   * @param saved state of the quota in the checkpoint
   * @param robotMakesMap false if the robot is localised in a known map, which does not grow
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

  /** Returns true if there is a refusal that is not stored, and does not apply yet. */
  public boolean isToBeStored() {
    return state == State.EXCEEDED;
  }

  /** Notes that the checkpoint was stored; a refusal in it applies from now on. */
  public void stored() {
    if (isBeingStored) {
      act();
    }
  }

  /** Makes the refusal apply, also if no checkpoint can be stored. */
  public void act() {
    isBeingStored = false;
    state = State.REFUSED;
  }

  // --- readings ----------------------------------------------------------------------------------

  /**
   * Decides about the reading whose turn it is.
   *
   * @param isMalformed true if the reading filter refuses the reading anyway, so that no map grows
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
      return Verdict.WAITS; // The next count may be below the bound.
    }
    long alone = mapGrowth.ofParticles(reading.scan()) + mapGrowth.ofDrawnScan(reading.scan());
    if (taken() <= max && alone <= max) {
      return Verdict.ADMITTED; // Maps are counted after this reading.
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

  /** Returns the reason for which readings are refused; null if they are not. */
  public Refusal.Reason why() {
    return why;
  }

  /** Decides to refuse the run from a reading on, unless that is decided already. */
  public void exceed(long sequence, Refusal.Reason because) {
    if (state == State.OPEN) {
      state = State.EXCEEDED;
      from = sequence;
      why = because;
    }
  }

  /**
   * Notes that a key frame goes to the filter's tasks.
   *
   * @return true if the tasks are to count their maps after it
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
   * Notes that all tasks are done with a reading.
   *
   * @param bytes size of all tasks' maps, if the tasks have counted it
   */
  public void served(long sequence, long bytes) {
    latestServed = Math.max(latestServed, sequence);
    if (inFlight.isEmpty() || inFlight.getFirst().sequence() != sequence) {
      return; // The reading was no key frame.
    }
    Expected expected = inFlight.remove();
    counted = expected.isCounted() ? bytes : counted;
    since = expected.isCounted() ? 0 : since + expected.bytes();
    measure();
  }

  /** Takes the sizes of the drawn map and the scans in memory, after a map was drawn. */
  public void drawn(Payload.MapMemoryUse map) {
    drawnBytes = map.mapBytes();
    heldScanBytes = map.scanBytes();
    area.drawn(map.sequence());
    measure();
  }

  // --- bytes -------------------------------------------------------------------------------------

  /** Returns an upper bound of the run's memory with a further reading, bytes. */
  private long needed(Pose odometry, Scan scan) {
    return bytes()
        + inFlight.stream().mapToLong(Expected::bytes).sum()
        + mapGrowth.ofParticles(scan)
        + area.bytes(mapGrowth, odometry, scan.farthestHit(), mapGrowth.ofDrawnScan(scan));
  }

  /** Returns the memory that the run's maps and scans took when they were counted last, bytes. */
  private long taken() {
    return counted + DRAWN_MAPS * drawnBytes + heldScanBytes;
  }

  /** Returns the memory that the run's maps take, about, bytes. */
  public long bytes() {
    return taken() + since;
  }

  /** Returns true if the run is refused, now or as soon as the refusal is stored. */
  public boolean isExceeded() {
    return state != State.OPEN;
  }

  /**
   * Returns true if all readings after the latest checkpoint are refused, so that none will reach
   * the filter's tasks.
   *
   * @param durable number of the last reading in the latest checkpoint
   */
  public boolean refusesAfter(long durable) {
    return state == State.REFUSED && from <= durable + 1;
  }

  /** Notes that the matchers have released their maps. */
  public void released() {
    counted = 0;
    since = 0;
    measure();
  }

  /** Returns the end of a sentence about the refusal, for the operator; empty if there is none. */
  public String trouble() {
    return state == State.OPEN ? "" : "is refused from reading " + from + " on: " + why;
  }

  private void measure() {
    meters.takes(bytes());
  }

  /** Registers the meter of the run's memory. */
  public void showFigures() {
    meters.show();
  }

  /** Removes the meter of the run's memory. */
  @Override
  public void close() {
    meters.close();
  }
}
