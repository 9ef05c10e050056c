package org.cartostream.bench.collectives;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.cartostream.collectives.operation.Operation;

/**
 * Member of a pair over a Unix domain socket and nothing else: what a channel by such sockets could
 * cost at least. As in a channel, one thread reads, and the calling thread is handed what comes.
 */
final class UnixSocketMember implements MeasuredMember {

  private final int rank;
  private final SocketChannel socket;
  private final BlockingQueue<byte[]> come = new LinkedBlockingQueue<>();
  private byte[] payload;
  private byte[] received;

  UnixSocketMember(Path folder, int rank, int size) throws IOException, InterruptedException {
    if (size != 2) {
      throw new IllegalArgumentException("Unix sockets join 2 members, not " + size);
    }
    this.rank = rank;
    Path path = folder.resolve("socket");
    if (rank == 0) {
      Path draft = folder.resolve("socket-draft");
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(draft));
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE);
        this.socket = server.accept();
      }
    } else {
      try (WatchService changes = folder.getFileSystem().newWatchService()) {
        folder.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
        while (!Files.exists(path)) {
          WatchKey change = changes.take();
          change.pollEvents();
          change.reset();
        }
      }
      this.socket = SocketChannel.open(UnixDomainSocketAddress.of(path));
    }
    Thread reader = new Thread(this::read, "unix-socket-reader");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
    try {
      while (fill(length.clear())) {
        byte[] next = new byte[length.getInt(0)];
        if (!fill(ByteBuffer.wrap(next))) {
          return;
        }
        come.add(next);
      }
    } catch (IOException e) {
      throw new IllegalStateException("the other member is gone", e);
    }
  }

  private boolean fill(ByteBuffer target) throws IOException {
    while (target.hasRemaining()) {
      if (socket.read(target) < 0) {
        return false;
      }
    }
    return true;
  }

  private void send(byte[] bytes) throws IOException {
    ByteBuffer[] out = {
      ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length), ByteBuffer.wrap(bytes)
    };
    while (out[1].hasRemaining() || out[0].hasRemaining()) {
      socket.write(out);
    }
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return 2;
  }

  @Override
  public void barrier() throws IOException, InterruptedException {
    send(new byte[0]);
    come.take();
  }

  @Override
  public void prepare(CollectiveCase next) {
    if (next.operation() != Operation.BROADCAST) {
      throw new IllegalArgumentException(
          "Unix sockets are measured by broadcast, not by " + next.operation());
    }
    payload = BenchPayload.bytes(rank, next.bytes());
  }

  @Override
  public void run(int root) throws IOException, InterruptedException {
    if (root == rank) {
      send(payload);
      received = payload;
    } else {
      received = come.take();
    }
  }

  @Override
  public byte[] received() {
    return received;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
