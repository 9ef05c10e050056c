package org.cartostream.web.viewer;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cartostream.web.state.ViewerFeed;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;

/**
 * Viewer of the page, at the other end of a WebSocket. The viewer is sent an update, answers {@link
 * #NEXT} when it has taken the update in, and is sent another one only then: so a slow viewer gets
 * the newest state rather than a queue. A viewer that does not answer, or says anything else, is
 * disconnected.
 *
 * <p>Owns the session, and the record of what the viewer has. The thread of {@link Viewers} sends,
 * the threads of the server receive. Public, because Jetty calls it by reflection.
 */
public final class Viewer implements Session.Listener.AutoDemanding {

  public static final String PROTOCOL = "cartostream.v1";

  /** Message by which a viewer asks for the next update. */
  static final String NEXT = "next";

  /**
   * Time after which a viewer that does not answer is disconnected: even a page behind other
   * windows answers.
   */
  private static final long MAX_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /**
   * Minimum time between two messages if nothing has changed, nanoseconds; they are sent to find
   * out who has gone.
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

  /** Sends the viewer what it lacks, if it has asked; returns true if it has the newest state. */
  boolean update() {
    long now = System.nanoTime();
    if (!waits.get() || !taken.get()) { // A viewer may ask before its last update is all sent.
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
