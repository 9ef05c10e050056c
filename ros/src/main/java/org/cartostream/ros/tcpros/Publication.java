package org.cartostream.ros.tcpros;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cartostream.ros.node.RosNode;
import org.cartostream.ros.serialization.MessageType;

/**
 * A published topic. Owns the queues of its subscribers, and the last message if it is latched.
 *
 * @param <M> the message
 */
final class Publication<M extends Record> implements RosNode.Publisher<M> {

  /** Length of the queue of a subscriber, messages; when it is full the oldest is dropped. */
  private static final int QUEUE = 8;

  /** Period of checking whether a subscriber has left while nothing is sent, milliseconds. */
  private static final int CHECK_MILLIS = 1000;

  private final String node;
  private final String topic;
  private final MessageType<M> type;
  private final boolean latched;
  private final List<BlockingQueue<byte[]>> subscribers = new CopyOnWriteArrayList<>();
  private byte[] last;

  Publication(String node, String topic, MessageType<M> type, boolean latched) {
    this.node = node;
    this.topic = topic;
    this.type = type;
    this.latched = latched;
  }

  MessageType<M> type() {
    return type;
  }

  @Override
  public int subscribers() {
    return subscribers.size();
  }

  @Override
  public synchronized void send(M message) {
    if (!latched && subscribers.isEmpty()) {
      return;
    }
    byte[] frame = TcprosFraming.of(type.encode(message));
    last = latched ? frame : null;
    for (BlockingQueue<byte[]> queue : subscribers) {
      while (!queue.offer(frame)) {
        queue.poll();
      }
    }
  }

  private synchronized BlockingQueue<byte[]> join() {
    BlockingQueue<byte[]> queue = new LinkedBlockingQueue<>(QUEUE);
    if (last != null) {
      queue.add(last);
    }
    subscribers.add(queue);
    return queue;
  }

  /** Returns why a subscriber is refused; null if it is accepted. */
  String mismatch(ConnectionHeader theirs) {
    if (theirs.accepts("md5sum", type.md5())) {
      return null;
    }
    return "the topic %s is %s %s, not %s %s"
        .formatted(topic, type.name(), type.md5(), theirs.get("type"), theirs.get("md5sum"));
  }

  /**
   * Serves one subscriber until it is gone, in the thread of its connection.
   *
   * @param in input of the connection, of which only the end is noticed
   */
  void serve(Socket socket, InputStream in) throws IOException, InterruptedException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    out.write(
        ConnectionHeader.of(
                "callerid",
                node,
                "topic",
                topic,
                "type",
                type.name(),
                "md5sum",
                type.md5(),
                "latching",
                latched ? "1" : "0",
                "message_definition",
                type.fullText())
            .bytes());
    BlockingQueue<byte[]> queue = join();
    try {
      while (true) {
        byte[] frame = queue.poll(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        if (frame != null) {
          out.write(frame);
        } else if (hasLeft(socket, in)) {
          return;
        }
      }
    } finally {
      subscribers.remove(queue);
    }
  }

  private static boolean hasLeft(Socket socket, InputStream in) throws IOException {
    socket.setSoTimeout(1);
    try {
      return in.read(new byte[64]) < 0;
    } catch (SocketTimeoutException e) {
      return false;
    }
  }
}
