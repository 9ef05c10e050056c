package org.cartostream.topology.local;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.storm.shade.org.apache.zookeeper.server.DataTree;
import org.apache.storm.shade.org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.storm.shade.org.apache.zookeeper.server.Request;
import org.apache.storm.shade.org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.storm.shade.org.apache.zookeeper.server.persistence.FileTxnSnapLog;
import org.cartostream.settings.file.FolderTree;

/**
 * A ZooKeeper in this JVM, for the local cluster and for robots that register there.
 *
 * <p>The one that Storm's local cluster would start by itself listens on every interface; this one
 * listens on 127.0.0.1 only, on a free port, and writes nothing to its folder: whatever it knows is
 * of no use without this process, and a disk that is full would end it. The server is the one that
 * Storm brings along. Owns its folder, which goes with it.
 */
public final class LocalZooKeeper implements AutoCloseable {

  /** ZooKeeper's unit of time; sessions last 2 to 20 of them, unless told otherwise. */
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

  /** Starts one for several processes. */
  public static LocalZooKeeper start() {
    return start(BY_TICKS);
  }

  /**
   * Starts one for this process, with which all who ask it die: no session ends while it is stopped
   * or its laptop sleeps.
   */
  static LocalZooKeeper startForThisProcess() {
    return start((int) TimeUnit.DAYS.toMillis(1));
  }

  /**
   * @param sessionMillis whatever they ask for
   */
  private static LocalZooKeeper start(int sessionMillis) {
    try {
      // As Storm's own folders: where the property points now, not when the JVM started.
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

  /** Keeps no transactions and no snapshots. */
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
    FolderTree.delete(folder);
  }
}
