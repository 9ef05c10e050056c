package org.cartostream.collectives.transport.tcp;

import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * Netty's resolver of host names, in threads of its own. The system's name service may take many
 * seconds for a name that it does not know, and Netty's default resolver would block the thread
 * that sends and receives for all members. (Netty's DNS client asks name servers only, so it does
 * not find hosts that are known by multicast DNS, as robots are.)
 *
 * <p>Owns the threads, one for each look-up that is under way.
 */
final class BackgroundResolverGroup extends AddressResolverGroup<InetSocketAddress> {

  /**
   * Look-up of a host's addresses, at least one, such as {@link InetAddress#getAllByName}; may
   * block.
   */
  interface NameService {
    InetAddress[] addressesOf(String host) throws UnknownHostException;
  }

  private final NameService service;
  private final ExecutorService asking =
      Executors.newCachedThreadPool(new DefaultThreadFactory("collectives-names", true));

  BackgroundResolverGroup(NameService service) {
    this.service = service;
  }

  @Override
  protected AddressResolver<InetSocketAddress> newResolver(EventExecutor loop) {
    return new BackgroundResolver(loop).asAddressResolver();
  }

  private final class BackgroundResolver extends InetNameResolver {

    BackgroundResolver(EventExecutor loop) {
      super(loop);
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> answer) {
      ask(() -> service.addressesOf(host)[0], answer);
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> answer) {
      ask(() -> List.of(service.addressesOf(host)), answer);
    }

    private <T> void ask(Callable<T> question, Promise<T> answer) {
      asking.execute(
          () -> {
            Runnable completion;
            try {
              T found = question.call();
              completion = () -> answer.trySuccess(found);
            } catch (Exception e) { // Passed on to the caller.
              completion = () -> answer.tryFailure(e);
            }
            try {
              executor().execute(completion);
            } catch (RejectedExecutionException e) {
              // The transport was closed meanwhile: nobody waits for the answer any more.
            }
          });
    }
  }

  @Override
  public void close() {
    super.close();
    asking.shutdownNow();
  }
}
