package org.cartostream.bench.collectives;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.cartostream.collectives.operation.Operation;

/**
 * Member of a group of MPJ Express (Shafi, Carpenter, Baker, "Nested parallelism for multi-core HPC
 * systems using Java", 2009). MPJ Express is not on our class path, and is called by its names,
 * through method handles that cost about as much as direct calls.
 */
final class MpjMember implements MeasuredMember {

  private static final String PACKAGE = "mpi.";

  private final Object world;
  private final Object byteType;
  private final int rank;
  private final int size;
  private final MethodHandle barrier;
  private CollectiveCase collectiveCase;
  private MethodHandle operation;
  private byte[] outgoing;
  private byte[] incoming;
  private int lastRoot;

  /**
   * Joins the group.
   *
   * @param arguments arguments that MPJ Express' launcher gave the process
   */
  MpjMember(String[] arguments) throws Exception {
    Class<?> mpi = Class.forName(PACKAGE + "MPI");
    mpi.getMethod("Init", String[].class).invoke(null, (Object) arguments);
    this.world = mpi.getField("COMM_WORLD").get(null);
    this.byteType = mpi.getField("BYTE").get(null);
    this.rank = (int) world.getClass().getMethod("Rank").invoke(world);
    this.size = (int) world.getClass().getMethod("Size").invoke(world);
    this.barrier = method("Barrier");
  }

  private MethodHandle method(String name) throws IllegalAccessException {
    Method method =
        Arrays.stream(world.getClass().getMethods())
            .filter(each -> each.getName().equals(name))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("MPJ Express has no " + name));
    return MethodHandles.publicLookup().unreflect(method).bindTo(world);
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void barrier() throws Exception {
    try {
      barrier.invoke();
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  @Override
  public void prepare(CollectiveCase next) {
    collectiveCase = next;
    incoming = new byte[next.bytes() * size];
    boolean parcels = next.operation() == Operation.ALL_TO_ALL;
    outgoing = BenchPayload.bytes(rank, parcels ? next.bytes() * size : next.bytes());
    try {
      operation = method(name(next));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("MPJ Express cannot be called: " + e.getMessage(), e);
    }
  }

  private static String name(CollectiveCase collectiveCase) {
    return switch (collectiveCase.operation()) {
      case BARRIER -> "Barrier";
      case BROADCAST -> "Bcast";
      case ALL_GATHER -> "Allgather";
      case ALL_TO_ALL -> "Alltoall";
    };
  }

  @Override
  public void run(int root) throws Exception {
    int n = collectiveCase.bytes();
    lastRoot = root;
    try {
      switch (collectiveCase.operation()) {
        case BARRIER -> operation.invoke();
        case BROADCAST ->
            operation.invoke(root == rank ? outgoing : incoming, 0, n, byteType, root);
        case ALL_GATHER, ALL_TO_ALL ->
            operation.invoke(outgoing, 0, n, byteType, incoming, 0, n, byteType);
      }
    } catch (Throwable e) {
      throw failure(e);
    }
  }

  private static Exception failure(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return (Exception) e;
  }

  @Override
  public byte[] received() {
    return switch (collectiveCase.operation()) {
      case BARRIER -> null;
      case BROADCAST ->
          lastRoot == rank ? outgoing : Arrays.copyOf(incoming, collectiveCase.bytes());
      case ALL_GATHER, ALL_TO_ALL -> incoming;
    };
  }

  @Override
  public void close() throws Exception {
    Class.forName(PACKAGE + "MPI").getMethod("Finalize").invoke(null);
  }
}
