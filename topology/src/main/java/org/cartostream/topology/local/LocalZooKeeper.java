package org.cartostream.topology.local;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.storm.shade.org.apache.zookeeper.server.DataTree;
import org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.storm.shade.org.apache.zookeeper.server.Request;
import org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.storm.shade.org.apache.zookeeper.server.persistence.FileTxnSnapLog;

/**
 * A ZooKeeper in this JVM, for the local cluster and for robots that register there.
 *
 * <p>Storm's local cluster could start one by itself, but that listens on every interface. This one
 * listens on 127.0.0.1 only, on a free port. It writes nothing to its folder: its data is of no use
 * without this process, and a full disk would end it. The server's classes are those in Storm's
 * jars. Owns its folder, and deletes it at the end.
 */
public final class LocalZooKeeper implements AutoCloseable {

  /** ZooKeeper's unit of time, milliseconds; sessions last 2 to 20 units by default. */
  private static final int TICK_MILLIS = 2000;

  private static final int BY_TICKS = -1;

  private static final int ANY_NUMBER_OF_CONNECTIONS = 0;

  private static final byte[] LOOPBACK = {127, 0, 0, 1};

  private final Path folder;
  private final NIOServerCnxnFactory connections;

  private LocalZooKeeper(Path folder, NIOServerCnxnFactory connections) {
    this.folder = folder;
    this.connections = connections;
  }

  /** Starts a ZooKeeper for several processes. */
  public static LocalZooKeeper start() {
    return start(BY_TICKS);
  }

  /**
   * Starts a ZooKeeper whose clients are all in this process: sessions last a day, so that none
   * ends while the process is stopped or the laptop sleeps.
   */
  static LocalZooKeeper startForThisProcess() {
    return start((int) TimeUnit.DAYS.toMillis(1));
  }

  /**
   * @param sessionMillis duration of all sessions, whatever clients ask for; -1 for the default
   */
  private static LocalZooKeeper start(int sessionMillis) {
    try {
      // As for Storm's own folders: the property's current value, not the one at the JVM's start.
      Path place = Path.of(System.getProperty("java.io.tmpdir"));
      Path folder = Files.createTempDirectory(place, "cartostream-zookeeper");
      NIOServerCnxnFactory connections = new NIOServerCnxnFactory();
      LocalZooKeeper local = new LocalZooKeeper(folder, connections);
      try {
        connections.configure(
            new InetSocketAddress(InetAddress.getByAddress(LOOPBACK), 0),
            ANY_NUMBER_OF_CONNECTIONS);
        ZooKeeperServer server = new ZooKeeperServer(new NoLog(folder.toFile()), TICK_MILLIS, "");
        server.setMinSessionTimeout(sessionMillis);
        server.setMaxSessionTimeout(sessionMillis);
        connections.startup(server);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        local.close();
        throw new IllegalStateException("interrupted while ZooKeeper started", e);
      } catch (IOException | RuntimeException e) {
        local.close();
        throw e;
      }
      return local;
    } catch (IOException e) {
      throw new UncheckedIOException("ZooKeeper does not start: " + e.getMessage(), e);
    }
  }

  /** ZooKeeper's log, which keeps neither transactions nor snapshots. */
  private static final class NoLog extends FileTxnSnapLog {

    NoLog(File folder) throws IOException {
      super(folder, folder);
    }

    @Override
    public boolean append(Request transaction) {
      return false;
    }

    @Override
    public File save(DataTree tree, ConcurrentHashMap<Long, Integer> sessions, boolean isForced) {
      return getSnapDir();
    }
  }

  public int port() {
    return connections.getLocalPort();
  }

  @Override
  public void close() {
    connections.shutdown();
    try {
      Files.walkFileTree(folder, new Delete());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + folder, e);
    }
  }

  private static final class Delete extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
