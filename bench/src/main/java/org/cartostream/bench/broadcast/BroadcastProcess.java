package org.cartostream.bench.broadcast;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.motion.Step;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.Stream;

/**
 * Main class of one of the four processes. The first sends key frames, whose run has the number of
 * the key frame as its epoch; the others note when the last of their tasks has each. All clocks are
 * {@link System#nanoTime} of one machine.
 *
 * <p>Arguments: number of the process, the folder in which processes meet, the case's parts, and
 * the address of each process.
 */
final class BroadcastProcess {

  private static final long WAIT_SECONDS = 120;
  private static final int BEAM_BYTES = Float.BYTES;

  private BroadcastProcess() {}

  /** Sends or receives all key frames of the case. */
  public static void main(String[] arguments) throws Exception {
    int process = Integer.parseInt(arguments[0]);
    Path folder = Path.of(arguments[1]);
    BroadcastCase all =
        new BroadcastCase(
            BroadcastCase.Road.valueOf(arguments[2]),
            Integer.parseInt(arguments[3]),
            Integer.parseInt(arguments[4]),
            Integer.parseInt(arguments[5]),
            Integer.parseInt(arguments[6]));
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String address : List.of(arguments).subList(7, arguments.length)) {
      int colon = address.lastIndexOf(':');
      addresses.add(
          InetSocketAddress.createUnresolved(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))));
    }
    Arrivals arrivals = new Arrivals(all, all.tasksOf(process).size());
    try (MeasuredRoad road =
        all.road() == BroadcastCase.Road.PLACE
            ? new PlaceRoad(process, all, addresses, arrivals)
            : new AllGroupingRoad(process, all, addresses, arrivals)) {
      write(folder, "ready-" + process, List.of());
      await(folder, "ready-");
      if (process == 0) {
        send(all, road, folder);
      } else {
        arrivals.await();
        write(folder, "times-" + process, arrivals.lines());
      }
      await(folder, "times-");
    }
    System.exit(0); // Storm's threads would keep the process alive.
  }

  private static void send(BroadcastCase all, MeasuredRoad road, Path folder) throws Exception {
    road.start();
    List<String> lines = new ArrayList<>();
    float[] ranges = new float[all.bytes() / BEAM_BYTES];
    Arrays.fill(ranges, 1.5F);
    long before = 0;
    for (int number = 0; number < all.all(); number++) {
      if (number == BroadcastCase.WARM_UP) {
        before = linkBytes();
      }
      List<Object> values = Stream.values(keyFrame(number, ranges), 1);
      lines.add(Long.toString(System.nanoTime()));
      road.send(values);
      TimeUnit.MILLISECONDS.sleep(all.pauseMillis());
    }
    lines.add("serializations " + road.serializations());
    lines.add("bytes " + (linkBytes() - before));
    write(folder, "times-0", lines);
  }

  private static Payload.KeyFrame keyFrame(int number, float[] ranges) {
    Scan scan = new Scan(new Pose(0, 0, 0), -1.5, 3.0 / ranges.length, 0.1F, 30, ranges);
    Pose pose = new Pose(0.1, 0.2, 0.3);
    Step step =
        new Step(number + 1, number, true, false, true, false, pose, pose, pose, 0, scan, null);
    return new Payload.KeyFrame(new Run("bench", 1, number), step, false);
  }

  /** Returns the bytes that this host has sent to others, with all headers; 0 without a link. */
  private static long linkBytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/net/dev")).stream()
        .map(String::trim)
        .filter(line -> line.startsWith("eth0:"))
        .map(line -> line.substring("eth0:".length()).trim().split("\\s+"))
        .mapToLong(numbers -> Long.parseLong(numbers[8]))
        .sum();
  }

  private static void write(Path folder, String name, List<String> lines) throws IOException {
    Path draft = folder.resolve("draft-" + name);
    Files.write(draft, lines);
    Files.move(draft, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  private static void await(Path folder, String name) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
    for (int process = 0; process < BroadcastCase.PROCESSES; process++) {
      while (!Files.exists(folder.resolve(name + process))) {
        if (System.nanoTime() > end) {
          throw new IOException("process " + process + " has not written " + name + process);
        }
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
  }

  /** A way of key frames to all tasks. */
  interface MeasuredRoad extends AutoCloseable {

    /** Waits until the way is open. */
    default void start() throws InterruptedException {}

    /** Sends the values of a tuple to the tasks of all other processes. */
    void send(List<Object> values);

    /** Returns how often something was serialized. */
    long serializations();

    @Override
    void close();
  }

  /** The times at which the last task of a process had each key frame. */
  static final class Arrivals {

    private final int[] missing;
    private final long[] times;
    private int incomplete;

    Arrivals(BroadcastCase all, int tasks) {
      missing = new int[all.all()];
      Arrays.fill(missing, tasks);
      times = new long[all.all()];
      incomplete = all.all();
    }

    /** Notes that tasks have a key frame. */
    synchronized void add(List<Object> values, int tasks) {
      int number = (int) Stream.payload(values).run().epoch();
      missing[number] -= tasks;
      if (missing[number] == 0) {
        times[number] = System.nanoTime();
        incomplete--;
        notifyAll();
      }
    }

    private synchronized void await() throws Exception {
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
      while (incomplete > 0) {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
          throw new IOException(incomplete + " key frames have not come to all tasks");
        }
        wait(left);
      }
    }

    private synchronized List<String> lines() {
      return Arrays.stream(times).mapToObj(Long::toString).collect(Collectors.toList());
    }
  }
}
