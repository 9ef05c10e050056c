package org.cartostream.web.viewer;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cartostream.web.state.ViewerFeed;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;

/**
 * A viewer of the page, at the other end of a WebSocket. It is sent an update, answers it with
 * {@link #NEXT} when it has taken it in, and is sent the next one only then: so a slow viewer gets
 * the newest state rather than a queue. One that does not answer, or says anything else, is cut
 * off.
 *
 * <p>Owns the session, and what the viewer has. The thread of {@link Viewers} sends, those of the
 * server receive. Public, as Jetty calls it by reflection.
 */
public final class Viewer implements Session.Listener.AutoDemanding {

  public static final String PROTOCOL = "cartostream.v1";

  /** Message of a viewer that wants the next update. */
  static final String NEXT = "next";

  /** A page in a window behind others still answers; what takes so long has stopped. */
  private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * Shortest time between two messages if nothing has changed, to find out who has gone,
   * nanoseconds.
   */
  private static final long MIN_PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Viewers viewers;
  private final ViewerFeed feed;
  private final AtomicBoolean waits = new AtomicBoolean(true);
  private final AtomicBoolean taken = new AtomicBoolean(true);
  private volatile Session session;
  private long sentAt;

  public Viewer(Viewers viewers) {
    this.viewers = viewers;
    this.feed = viewers.feed();
  }

  @Override
  public void onWebSocketOpen(Session opened) {
    session = opened;
    if (!viewers.add(this)) {
      opened.close(
          StatusCode.TRY_AGAIN_LATER,
          "there are " + Viewers.MAX + " viewers already, and no more are served",
          Callback.NOOP);
    }
  }

  @Override
  public void onWebSocketText(String message) {
    if (message.equals(NEXT)) {
      waits.set(true);
    } else {
      refuse(StatusCode.POLICY_VIOLATION);
    }
  }

  @Override
  public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
    callback.succeed();
    refuse(StatusCode.BAD_DATA);
  }

  private void refuse(int status) {
    viewers.remove(this);
    session.close(status, "a viewer says '" + NEXT + "', and nothing else", Callback.NOOP);
  }

  @Override
  public void onWebSocketClose(int statusCode, String reason, Callback callback) {
    viewers.remove(this);
    callback.succeed();
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    viewers.remove(this);
  }

  /** Sends what it lacks, if it waits for that; true if it has the newest state. */
  boolean update() {
    long now = System.nanoTime();
    if (!waits.get() || !taken.get()) { // It may say that it has what is still on its way.
      if (now - sentAt > MAX_SILENCE_NANOS) {
        viewers.remove(this);
        session.disconnect();
      }
      return false;
    }
    if (!feed.isBehind() && now - sentAt < MIN_PERIOD_NANOS) {
      return true;
    }
    ViewerFeed.Update update = feed.next();
    waits.set(false);
    sentAt = now;
    if (update.tiles() != null) {
      session.sendBinary(ByteBuffer.wrap(update.tiles()), Callback.NOOP);
    }
    taken.set(false);
    session.sendText(
        update.state(), Callback.from(() -> taken.set(true), failure -> viewers.remove(this)));
    viewers.sent(update);
    return false;
  }

  void leave(String why) {
    viewers.remove(this);
    session.close(StatusCode.SHUTDOWN, why, Callback.NOOP);
  }
}
