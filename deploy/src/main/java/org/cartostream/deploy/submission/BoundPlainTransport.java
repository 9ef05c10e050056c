package org.cartostream.deploy.submission;

import java.net.InetSocketAddress;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.security.auth.SimpleTransportPlugin;
import org.apache.storm.thrift.TProcessor;
import org.apache.storm.thrift.protocol.TBinaryProtocol;
import org.apache.storm.thrift.server.THsHaServer;
import org.apache.storm.thrift.server.TServer;
import org.apache.storm.thrift.transport.TNonblockingServerSocket;
import org.apache.storm.thrift.transport.TTransportException;

/**
 * Thrift server without TLS for Storm's Nimbus and supervisors, bound to the address that the
 * daemon's {@code storm.local.hostname} names. Storm's own server listens at every address, and
 * whoever reaches it may submit code.
 */
public final class BoundPlainTransport extends SimpleTransportPlugin {

  private static final int IDLE_SECONDS = 60;
  private static final long ANY_LENGTH = -1;

  private int port;

  @Override
  public TServer getServer(TProcessor processor) throws TTransportException {
    String address = (String) topoConf.get(Config.STORM_LOCAL_HOSTNAME);
    TNonblockingServerSocket socket =
        new TNonblockingServerSocket(new InetSocketAddress(address, type.getPort(topoConf)));
    port = socket.getPort();
    int threads = type.getNumThreads(topoConf);
    Integer waiting = type.getQueueSize(topoConf);
    THsHaServer.Args arguments =
        new THsHaServer.Args(socket)
            .maxWorkerThreads(threads)
            .executorService(
                new ThreadPoolExecutor(
                    threads,
                    threads,
                    IDLE_SECONDS,
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(waiting == null ? threads : waiting)));
    arguments.processor(processor);
    arguments.protocolFactory(
        new TBinaryProtocol.Factory(false, true, type.getMaxBufferSize(topoConf), ANY_LENGTH));
    return new THsHaServer(arguments);
  }

  @Override
  public int getPort() {
    return port;
  }
}
