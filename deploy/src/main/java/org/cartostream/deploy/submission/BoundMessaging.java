package org.cartostream.deploy.submission;

import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.function.Supplier;
import org.apache.storm.messaging.IConnection;
import org.apache.storm.messaging.IConnectionCallback;
import org.apache.storm.messaging.netty.Context;
import org.apache.storm.shade.io.netty.bootstrap.ServerBootstrap;
import org.apache.storm.shade.io.netty.channel.group.ChannelGroup;

/**
 * Storm's connections between workers, bound to the address of the worker's host alone. Storm
 * itself listens at every address, and has no setting for that: so its listening channel is closed
 * as soon as it is open, and another one is opened at the right address.
 */
public final class BoundMessaging extends Context {

  /** System property of a worker: the address of its host. */
  public static final String ADDRESS = "cartostream.worker.address";

  @Override
  public synchronized IConnection bind(
      String topology, int port, IConnectionCallback receiver, Supplier<Object> greeting) {
    IConnection server = super.bind(topology, port, receiver, greeting);
    try {
      ChannelGroup channels = (ChannelGroup) field(server, "allChannels");
      channels.close().awaitUninterruptibly();
      channels.add(
          ((ServerBootstrap) field(server, "bootstrap"))
              .bind(new InetSocketAddress(System.getProperty(ADDRESS), port))
              .syncUninterruptibly()
              .channel());
      return server;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Storm's workers cannot be bound to an address", e);
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }
}
