package org.cartostream.gateway.live;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.session.SessionListener;
import org.cartostream.slam.trajectory.Correction;

/**
 * Receiver of the answers and events of a live robot's runs. Called by the thread of {@link
 * LiveGateway#run}, except for {@link #onSkipped}: be quick.
 */
public interface LiveListener extends SessionListener {

  /**
   * Called when an offered reading will not be sent, by the thread of {@link LiveGateway#offer} or
   * of {@link LiveGateway#run}.
   *
   * @param stampNanos time of the reading by the robot's clock, nanoseconds
   */
  void onSkipped(long stampNanos, SkipReason why);

  /**
   * Called when the gateway resumes a run that another process has begun.
   *
   * @param sent number of the last reading that was sent
   * @param open number of readings that were offered before and have no outcome yet
   * @param correction correction of the newest pose in an answer
   */
  default void onResumed(long sent, int open, Correction correction) {}

  /** Returns a listener that forwards each call to both listeners, the first one first. */
  static LiveListener both(LiveListener first, LiveListener second) {
    InvocationHandler forwarding =
        (proxy, method, arguments) -> {
          try {
            method.invoke(first, arguments);
            return method.invoke(second, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    Class<?>[] type = {LiveListener.class};
    return (LiveListener) Proxy.newProxyInstance(type[0].getClassLoader(), type, forwarding);
  }
}
