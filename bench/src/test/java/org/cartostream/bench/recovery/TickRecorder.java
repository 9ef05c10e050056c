package org.cartostream.bench.recovery;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Records when ticks of other processes arrive, for {@link FailureDetectorsTest}: two JVMs that
 * make garbage as workers do, with ten senders each, one tick a second, over TCP on this machine.
 *
 * <pre>java bench/src/test/java/org/cartostream/bench/recovery/TickRecorder.java 2400 ticks.csv
 * </pre>
 */
public final class TickRecorder {

  private static final int PROCESSES = 2;
  private static final int SENDERS = 10;
  private static final int TICK_MILLIS = 1000;
  private static final int APART_MILLIS = 37;
  private static final String SEND = "send";

  private TickRecorder() {}

  /**
   * Records, or sends to who does.
   *
   * @param arguments for how many seconds, and into which file
   */
  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals(SEND)) {
      send(Integer.parseInt(arguments[1]));
    } else {
      record(Integer.parseInt(arguments[0]), arguments[1]);
    }
  }

  private static void record(int seconds, String file) throws Exception {
    List<Process> processes = new ArrayList<>();
    try (ServerSocket server = new ServerSocket(0, SENDERS, InetAddress.getLoopbackAddress());
        PrintWriter out = new PrintWriter(file, StandardCharsets.UTF_8)) {
      for (int process = 0; process < PROCESSES; process++) {
        processes.add(sender(server.getLocalPort()));
      }
      Queue<String> lines = new ConcurrentLinkedQueue<>();
      for (int sender = 0; sender < PROCESSES * SENDERS; sender++) {
        receive(sender, server.accept(), lines);
      }
      for (int second = 0; second < seconds; second++) {
        TimeUnit.SECONDS.sleep(1);
        for (String line = lines.poll(); line != null; line = lines.poll()) {
          out.println(line);
        }
      }
    } finally {
      processes.forEach(Process::destroyForcibly);
    }
  }

  /** The same program again. */
  private static Process sender(int port) throws IOException {
    String source =
        List.of(ProcessHandle.current().info().arguments().orElseThrow()).stream()
            .filter(each -> each.endsWith(".java"))
            .findFirst()
            .orElseThrow();
    return new ProcessBuilder("java", "-Xmx200m", source, SEND, Integer.toString(port))
        .inheritIO()
        .start();
  }

  private static void receive(int sender, Socket socket, Queue<String> lines) {
    Thread thread =
        new Thread(
            () -> {
              try (InputStream in = socket.getInputStream()) {
                while (in.read() >= 0) {
                  lines.add(sender + "," + System.nanoTime());
                }
              } catch (IOException over) {
                // Its process was ended.
              }
            });
    thread.setDaemon(true);
    thread.start();
  }

  private static void send(int port) throws IOException {
    Thread garbage = new Thread(TickRecorder::makeGarbage);
    garbage.setDaemon(true);
    garbage.start();
    for (int sender = 0; sender < SENDERS; sender++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setTcpNoDelay(true);
      OutputStream out = socket.getOutputStream();
      Executors.newSingleThreadScheduledExecutor()
          .scheduleAtFixedRate(
              () -> tick(out), sender * APART_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private static void tick(OutputStream out) {
    try {
      out.write(1);
    } catch (IOException over) {
      System.exit(0);
    }
  }

  private static void makeGarbage() {
    Random random = new Random(1);
    List<byte[]> kept = new ArrayList<>();
    try {
      while (true) {
        for (int i = 0; i < 500; i++) {
          kept.add(new byte[1000 + random.nextInt(4000)]);
          if (kept.size() > 20_000) {
            kept.subList(0, 10_000).clear();
          }
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
