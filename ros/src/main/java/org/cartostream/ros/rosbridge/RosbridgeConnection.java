package org.cartostream.ros.rosbridge;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A WebSocket to a rosbridge server that is reopened whenever it breaks, after a pause that grows
 * until a connection lasts. A silent server is pinged; if it does not answer the connection is
 * given up.
 *
 * <p>Owns the socket, its thread, and a bounded queue of messages to be sent, which drops the
 * oldest when it is full. A large message is sent in {@link RosbridgeFragments}, or dropped by
 * {@link OversizeGuard}.
 */
final class RosbridgeConnection implements AutoCloseable {

  /** Receives messages and events. Called by the connection's threads: be quick. */
  interface Handler {

    /** Returns the messages that announce the node to a server after connecting. */
    List<String> handshakeMessages();

    /** Called when the connection is up, for the first time or again. */
    void onConnected();

    /** Called when the connection is down, with the reason in one sentence. */
    void onDisconnected(String why);

    /** Called when messages are dropped, with the reason in one sentence. */
    void onDropped(String why);

    /** Called with a text message of the server. */
    void onMessage(String message);

    /** Called with a CBOR message of the server. */
    void onBinaryMessage(byte[] message);
  }

  /** The connection's clock and pauses. */
  interface Timing {

    Timing SYSTEM =
        new Timing() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void pause(long millis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
          }
        };

    /** Returns the time in nanoseconds since an arbitrary moment. */
    long nanos();

    void pause(long millis) throws InterruptedException;

    /**
     * Returns the time-out of the TCP connection; with the WebSocket handshake it may take twice as
     * long.
     */
    default Duration connecting() {
      return Duration.ofSeconds(5);
    }
  }

  private static final long SEND_SECONDS = 10;

  /** Least speed of a usable link, characters per second, by which sending is bounded in time. */
  private static final int CHARACTERS_A_SECOND = 100_000;

  private static final long POLL_MILLIS = 200;
  private static final long PING_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long FIRST_PAUSE_MILLIS = 200;
  private static final long MAX_PAUSE_MILLIS = 5000;

  /**
   * Time after which a connection counts as lasting, nanoseconds. After shorter connections the
   * pauses grow.
   */
  private static final long LASTING_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int MAX_WAITING = 64;

  /** Maximum length of a received message, characters; scans are shorter. */
  private static final int MAX_MESSAGE_LENGTH = 1 << 24;

  private final URI server;
  private final Handler handler;
  private final Timing timing;
  private final HttpClient client;
  private final BlockingQueue<String> waiting = new LinkedBlockingQueue<>(MAX_WAITING);
  private final OversizeGuard oversizeGuard = new OversizeGuard();
  private final Thread thread = new Thread(this::run, "rosbridge");
  private volatile boolean up;
  private volatile boolean closed;

  RosbridgeConnection(URI server, Handler handler, Timing timing) {
    this.server = server;
    this.handler = handler;
    this.timing = timing;
    this.client = HttpClient.newBuilder().connectTimeout(timing.connecting()).build();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  boolean isUp() {
    return up;
  }

  /**
   * Queues a message if the connection is up. Else the message is dropped: the handshake will send
   * the current state.
   */
  void send(String message) {
    while (up && !waiting.offer(message)) {
      waiting.poll();
    }
  }

  /**
   * Changes the state from which handshake messages are made, and sends the message of the change,
   * in one step: a handshake between the two would send the message twice.
   */
  synchronized void sendWith(Runnable change, String message) {
    change.run();
    send(message);
  }

  private synchronized List<String> beginHandshake() {
    waiting.clear();
    up = true; // Messages from now on, which may not be among those of the handshake, wait.
    return handler.handshakeMessages();
  }

  private void run() {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    try {
      while (!closed) {
        if (serve() >= LASTING_NANOS) {
          pauseMillis = FIRST_PAUSE_MILLIS;
        }
        if (!closed) {
          timing.pause(pauseMillis);
          pauseMillis = Math.min(2 * pauseMillis, MAX_PAUSE_MILLIS);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // Closed.
    }
  }

  /** Runs one connection until it ends; returns how long it was up, nanoseconds. */
  private long serve() throws InterruptedException {
    WebSocketListener webSocketListener = new WebSocketListener();
    WebSocket socket;
    try {
      socket =
          client
              .newWebSocketBuilder()
              .connectTimeout(timing.connecting())
              .buildAsync(server, webSocketListener)
              .get(2 * timing.connecting().toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      handler.onDisconnected("no rosbridge answers at " + server + ": " + reason(e));
      return 0;
    }
    long upAtNanos = timing.nanos();
    try {
      for (String message : beginHandshake()) {
        send(socket, message);
      }
      handler.onConnected();
      sendUntilClosed(socket, webSocketListener);
    } catch (ExecutionException | TimeoutException e) {
      handler.onDisconnected("rosbridge at " + server + " is gone: " + reason(e));
    } finally {
      up = false;
      socket.abort();
    }
    String dropped = oversizeGuard.onDisconnected(timing.nanos());
    if (!dropped.isEmpty()) {
      handler.onDropped(dropped);
    }
    return timing.nanos() - upAtNanos;
  }

  private void sendUntilClosed(WebSocket socket, WebSocketListener webSocketListener)
      throws InterruptedException, ExecutionException, TimeoutException {
    long pingedAt = timing.nanos();
    long unansweredSince = pingedAt; // The first ping since something was received.
    while (!closed && webSocketListener.end.isEmpty()) {
      String message = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (message != null) {
        send(socket, message);
      }
      long now = timing.nanos();
      if (now - pingedAt > PING_NANOS) {
        if (webSocketListener.receivedAtNanos - unansweredSince >= 0) {
          unansweredSince = now;
        }
        socket.sendPing(ByteBuffer.allocate(0)).get(SEND_SECONDS, TimeUnit.SECONDS);
        pingedAt = now;
      }
      // A message may have taken long to be sent: a server that was not pinged is not silent.
      if (webSocketListener.receivedAtNanos - unansweredSince < 0
          && now - unansweredSince > SILENCE_NANOS) {
        webSocketListener.end =
            "it has been silent for " + TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS) + " s";
      }
    }
    if (closed) {
      socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get(SEND_SECONDS, TimeUnit.SECONDS);
    } else {
      handler.onDisconnected("rosbridge at " + server + " is gone: " + webSocketListener.end);
    }
  }

  private void send(WebSocket socket, String message)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (oversizeGuard.shouldDrop(message, timing.nanos())) {
      return;
    }
    oversizeGuard.onSending(message, timing.nanos());
    for (String part : RosbridgeFragments.of(message)) {
      long seconds = SEND_SECONDS + part.length() / CHARACTERS_A_SECOND;
      socket.sendText(part, true).get(seconds, TimeUnit.SECONDS);
    }
    oversizeGuard.onSent(timing.nanos());
  }

  private static String reason(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join(TimeUnit.SECONDS.toMillis(SEND_SECONDS) / 10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }

  /** Receiver of one socket. Owns the incomplete incoming message, and the reason of the end. */
  private final class WebSocketListener implements WebSocket.Listener {

    private final StringBuilder message = new StringBuilder();
    private final ByteArrayOutputStream binary = new ByteArrayOutputStream();
    private volatile long receivedAtNanos = timing.nanos();
    private volatile String end = "";

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
      receivedAtNanos = timing.nanos();
      message.append(part);
      if (isTooLong(message.length())) {
        return null;
      }
      if (last) {
        String whole = message.toString();
        message.setLength(0);
        handler.onMessage(whole);
      }
      socket.request(1);
      return null;
    }

    private boolean isTooLong(int length) {
      if (length > MAX_MESSAGE_LENGTH) {
        end = "it has sent a message of more than " + MAX_MESSAGE_LENGTH + " characters";
      }
      return length > MAX_MESSAGE_LENGTH;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer part, boolean last) {
      receivedAtNanos = timing.nanos();
      byte[] bytes = new byte[part.remaining()];
      part.get(bytes);
      binary.writeBytes(bytes);
      if (isTooLong(binary.size())) {
        return null;
      }
      if (last) {
        byte[] whole = binary.toByteArray();
        binary.reset();
        handler.onBinaryMessage(whole);
      }
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket socket, ByteBuffer payload) {
      receivedAtNanos = timing.nanos();
      socket.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String why) {
      end = "it has closed the connection" + (why.isEmpty() ? "" : ": " + why);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable e) {
      end = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
  }
}
