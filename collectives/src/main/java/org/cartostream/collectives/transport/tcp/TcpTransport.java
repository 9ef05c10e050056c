package org.cartostream.collectives.transport.tcp;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.cartostream.collectives.transport.TlsFiles;

/**
 * Resources that all TCP channels of a JVM share: threads, resolver of host names, and certificates
 * for TLS if wanted. Owns the threads and {@link BackgroundResolverGroup}.
 */
public final class TcpTransport implements AutoCloseable {

  private static final long CLOSE_MILLIS = 3000;

  private final EventLoopGroup loops;
  private final BackgroundResolverGroup names;
  private final SslContext server;
  private final SslContext client;

  private TcpTransport(
      int threads, BackgroundResolverGroup names, SslContext server, SslContext client) {
    this.names = names;
    this.loops =
        new MultiThreadIoEventLoopGroup(
            threads, new DefaultThreadFactory("collectives-tcp", true), NioIoHandler.newFactory());
    this.server = server;
    this.client = client;
  }

  /**
   * Returns a transport without TLS, open to everybody who reaches the port: for trusted networks
   * only.
   *
   * @param threads number of threads that send and receive
   */
  public static TcpTransport plain(int threads) {
    return plain(threads, InetAddress::getAllByName);
  }

  /** Returns a transport with another name service than the system's. */
  static TcpTransport plain(int threads, BackgroundResolverGroup.NameService service) {
    return new TcpTransport(threads, new BackgroundResolverGroup(service), null, null);
  }

  /**
   * Returns a transport with TLS on both sides: a member talks only to members whose certificates
   * were signed by the authority. Host names are not checked, so the authority must sign for
   * members of the group only.
   *
   * @param threads number of threads that send and receive
   * @throws SSLException if the files cannot be read or do not fit together
   */
  public static TcpTransport secured(int threads, TlsFiles files) throws SSLException {
    SslContext server =
        SslContextBuilder.forServer(files.certificate().toFile(), files.key().toFile())
            .trustManager(files.authority().toFile())
            .clientAuth(ClientAuth.REQUIRE)
            .build();
    SslContext client =
        SslContextBuilder.forClient()
            .keyManager(files.certificate().toFile(), files.key().toFile())
            .trustManager(files.authority().toFile())
            .endpointIdentificationAlgorithm(null)
            .build();
    return new TcpTransport(
        threads, new BackgroundResolverGroup(InetAddress::getAllByName), server, client);
  }

  EventLoopGroup loops() {
    return loops;
  }

  BackgroundResolverGroup names() {
    return names;
  }

  /** Returns the TLS context for connections that others open; null without TLS. */
  SslContext server() {
    return server;
  }

  /** Returns the TLS context for connections that this side opens; null without TLS. */
  SslContext client() {
    return client;
  }

  /** Stops the threads; close the channels first. */
  @Override
  public void close() {
    loops
        .shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_MILLIS);
    names.close();
  }
}
