package org.cartostream.bench.broadcast;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measurement of the ways of a key frame to all tasks: from one of four processes, two on each of
 * two hosts, until the last task has it.
 *
 * @param hosts network namespaces of this machine that are the hosts, and their addresses; empty if
 *     all processes are on the loopback interface, and so on one host
 */
public record BroadcastBench(List<Host> hosts) {

  /** A network namespace, and the address that its processes listen at. */
  public record Host(String namespace, String address) {}

  /**
   * A result.
   *
   * @param road {@code place} or {@code all-grouping}
   * @param serializations how often a key frame was serialized
   * @param linkBytes bytes of a key frame that left the sender's host, with all headers; 0 if there
   *     is one host
   * @param medianMillis time until the last task had a key frame, milliseconds
   * @param p99Millis the same that 99 % of the key frames kept to
   */
  public record Row(
      String road,
      int tasks,
      int bytes,
      double serializations,
      double linkBytes,
      double medianMillis,
      double p99Millis) {}

  private static final long SECONDS = 300;

  /**
   * Measures one size and number of tasks on both ways, one after the other.
   *
   * @throws IOException if a process fails; the message has the end of its output
   */
  public List<Row> measure(int tasks, int bytes, int messages, int pauseMillis)
      throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    for (BroadcastCase.Road road : BroadcastCase.Road.values()) {
      rows.add(measure(new BroadcastCase(road, tasks, bytes, messages, pauseMillis)));
    }
    return rows;
  }

  private Row measure(BroadcastCase each) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("cartostream-broadcast-");
    List<Process> processes = new ArrayList<>();
    try {
      List<String> addresses = addresses();
      for (int process = 0; process < BroadcastCase.PROCESSES; process++) {
        processes.add(start(process, each, folder, addresses));
      }
      for (int process = 0; process < BroadcastCase.PROCESSES; process++) {
        if (!processes.get(process).waitFor(SECONDS, TimeUnit.SECONDS)
            || processes.get(process).exitValue() != 0) {
          throw new IOException(
              "process " + process + " failed: " + Files.readString(output(folder, process)));
        }
      }
      return row(each, folder);
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  private List<String> addresses() throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int process = 0; process < BroadcastCase.PROCESSES; process++) {
      // Free in this namespace; in one that was made for the measurement, all ports are free.
      try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        String host = hosts.isEmpty() ? "127.0.0.1" : host(process).address();
        addresses.add(host + ":" + free.getLocalPort());
      }
    }
    return addresses;
  }

  private Host host(int process) {
    return hosts.get(process * hosts.size() / BroadcastCase.PROCESSES);
  }

  private Process start(int process, BroadcastCase each, Path folder, List<String> addresses)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (!hosts.isEmpty()) {
      command.addAll(List.of("ip", "netns", "exec", host(process).namespace()));
    }
    command.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx512m",
            "-cp",
            System.getProperty("java.class.path"),
            BroadcastProcess.class.getName(),
            Integer.toString(process),
            folder.toString(),
            each.road().name(),
            Integer.toString(each.tasks()),
            Integer.toString(each.bytes()),
            Integer.toString(each.messages()),
            Integer.toString(each.pauseMillis())));
    command.addAll(addresses);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(output(folder, process).toFile())
        .start();
  }

  private static Path output(Path folder, int process) {
    return folder.resolve("output-" + process);
  }

  private static Row row(BroadcastCase each, Path folder) throws IOException {
    List<String> sender = Files.readAllLines(folder.resolve("times-0"));
    long[] last = new long[each.all()];
    for (int process = 1; process < BroadcastCase.PROCESSES; process++) {
      List<String> times = Files.readAllLines(folder.resolve("times-" + process));
      for (int number = 0; number < last.length; number++) {
        last[number] = Math.max(last[number], Long.parseLong(times.get(number)));
      }
    }
    double[] millis = new double[each.messages()];
    for (int i = 0; i < millis.length; i++) {
      int number = BroadcastCase.WARM_UP + i;
      millis[i] = (last[number] - Long.parseLong(sender.get(number))) / 1e6;
    }
    Arrays.sort(millis);
    return new Row(
        each.road().name().toLowerCase(Locale.ROOT).replace('_', '-'),
        each.tasks(),
        each.bytes(),
        number(sender, "serializations ") / (double) each.all(),
        number(sender, "bytes ") / (double) each.messages(),
        millis[millis.length / 2],
        millis[(int) Math.ceil(0.99 * millis.length) - 1]);
  }

  private static long number(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.substring(name.length())))
        .sum();
  }
}
