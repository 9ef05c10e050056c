package org.cartostream.deploy.submission;

import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.security.auth.ThriftConnectionType;
import org.apache.storm.security.auth.tls.ReloadableTsslTransportFactory;
import org.apache.storm.security.auth.tls.TlsTransportPlugin;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.server.TServer;
import org.apache.storm.thrift.server.TThreadPoolServer;
import org.apache.storm.thrift.transport.TServerSocket;
import org.apache.storm.thrift.transport.TTransportException;
import org.apache.storm.utils.ExtendedThreadPoolExecutor;

/**
 * Thrift server with TLS for Storm's Nimbus and supervisors, bound to the address that the daemon's
 * {@code storm.local.hostname} names. Storm's own server listens where the machine's host name
 * leads, which is often 127.0.0.1, and then nobody on another host reaches it.
 *
 * <p>Names in certificates do not matter: whoever has a certificate of the cluster's authority may
 * do all.
 */
public final class BoundTlsTransport extends TlsTransportPlugin {

  private static final int IDLE_SECONDS = 60;

  private Map<String, Object> settings = Map.of();
  private int port;

  @Override
  public void prepare(ThriftConnectionType type, Map<String, Object> conf) {
    super.prepare(type, conf);
    settings = conf;
  }

  @Override
  public TServer getServer(TProcessor processor) throws IOException, TTransportException {
    InetAddress address = InetAddress.getByName((String) settings.get(Config.STORM_LOCAL_HOSTNAME));
    TServerSocket socket = listen(address);
    port = socket.getServerSocket().getLocalPort();
    // Storm sets its time-out for a client's answer as the time in which a client must connect,
    // too.
    socket.getServerSocket().setSoTimeout(0);
    int threads = type.getNumThreads(settings);
    Integer waiting = type.getQueueSize(settings);
    return new TThreadPoolServer(
        new TThreadPoolServer.Args(socket)
            .processor(processor)
            .protocolFactory(new TBinaryProtocol.Factory(false, true))
            .executorService(
                new ExtendedThreadPoolExecutor(
                    threads,
                    threads,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    waiting == null
                        ? new SynchronousQueue<>()
                        : new ArrayBlockingQueue<>(waiting))));
  }

  private TServerSocket listen(InetAddress address) throws IOException {
    Integer patienceMillis = type.getSocketTimeOut(settings);
    try {
      return ReloadableTsslTransportFactory.getServerSocket(
          type.getPort(settings),
          patienceMillis == null ? 0 : patienceMillis,
          address,
          type,
          settings);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) { // Storm's method declares Exception.
      throw new IOException(type + " cannot listen at " + address + ": " + e.getMessage(), e);
    }
  }

  @Override
  public int getPort() {
    return port;
  }
}
