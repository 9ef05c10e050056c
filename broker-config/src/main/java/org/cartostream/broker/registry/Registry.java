package org.cartostream.broker.registry;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.TransactionOp;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.retry.BoundedExponentialBackoffRetry;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registry of robots and services: ephemeral nodes in ZooKeeper, each with its {@link
 * RegistryEntry} as JSON. An entry exists as long as the process that registered it.
 *
 * <p>Owns its session with ZooKeeper and the entries made in it. When the session ends because
 * ZooKeeper was away for too long, the entries are made again in the next session, as soon as they
 * can be.
 */
public final class Registry implements AutoCloseable {

  /** Kind of entries. */
  public enum Kind {
    /** Robots, with one entry for each id: {@code /cartostream/robots/<id>}. */
    ROBOTS,

    /**
     * Services, with any number of entries for a name: {@code /cartostream/services/<name>.<uuid>}.
     */
    SERVICES,

    /**
     * Owners of topologies, with one entry for each topology that a process has brought and ends:
     * {@code /cartostream/owners/<name>}.
     */
    OWNERS;

    private String folder() {
      return "/cartostream/" + name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Receiver of arrivals and departures. Called by ZooKeeper's thread, so its methods must return
   * at once.
   */
  public interface Watcher {

    /** Tells that an entry has appeared, for the first time or again. */
    void arrived(RegistryEntry registryEntry);

    /** Tells that an entry has disappeared. */
    void left(RegistryEntry registryEntry);
  }

  private static final Logger LOG = LoggerFactory.getLogger(Registry.class);
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);
  private static final int FIRST_PAUSE_MILLIS = 100;
  private static final int MAX_PAUSE_MILLIS = 2000;
  private static final int ATTEMPTS = 3;

  /**
   * Time that a session may last beyond its length: ZooKeeper ends it up to two of its ticks later,
   * and this JVM may be slow.
   */
  private static final int SLOW_SECONDS = 10;

  private static final int CLAIM_POLL_MILLIS = 200;
  private static final int SAY_SECONDS = 5;

  /**
   * Key in an entry's JSON for the length of its session: so long the entry may outlive its
   * process.
   */
  private static final String SESSION = "sessionSeconds";

  /** Number of checks that the entries still exist, within a session's length. */
  private static final int CHECKS_PER_SESSION = 4;

  private final CuratorFramework zookeeper;

  /** Entries that this process wants to exist, by path. */
  private final Map<String, RegistryEntry> wanted = new ConcurrentHashMap<>();

  /** Paths of entries whose renewal waits: each once, however long ZooKeeper is away. */
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();

  /** Paths of this process's entries whose id another holds, for which a warning was logged. */
  private final Set<String> ousted = ConcurrentHashMap.newKeySet();

  /** ZooKeeper's numbers of the transactions that made the entries, by path. */
  private final Map<String, Long> epochs = new ConcurrentHashMap<>();

  /**
   * Completed with the address of a process that has taken an entry's place, when this process must
   * end.
   */
  private final CompletableFuture<String> fenced = new CompletableFuture<>();

  private final int sessionSeconds;
  private final UUID own = UUID.randomUUID();
  private final List<CuratorCache> watched = new ArrayList<>();
  private final ScheduledExecutorService checks =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread thread = new Thread(work, "registry in ZooKeeper");
            thread.setDaemon(true);
            return thread;
          });

  private Registry(ZooKeeperAccess access, RegistrySettings settings) {
    sessionSeconds = settings.sessionSeconds();
    zookeeper =
        access.client(
            (int) TimeUnit.SECONDS.toMillis(settings.sessionSeconds()),
            (int) TimeUnit.SECONDS.toMillis(settings.timeoutSeconds()),
            new BoundedExponentialBackoffRetry(FIRST_PAUSE_MILLIS, MAX_PAUSE_MILLIS, ATTEMPTS));
    zookeeper.start();
    long pauseMillis = TimeUnit.SECONDS.toMillis(settings.sessionSeconds()) / CHECKS_PER_SESSION;
    checks.scheduleWithFixedDelay(
        this::checkEntries, pauseMillis, pauseMillis, TimeUnit.MILLISECONDS);
  }

  /**
   * Opens the registry.
   *
   * @param access ZooKeeper, as {@link RegistrySettings#access} gives it
   * @throws RegistryException if ZooKeeper does not answer in time
   */
  public static Registry open(ZooKeeperAccess access, RegistrySettings settings)
      throws InterruptedException {
    Registry registry = openAsync(access, settings);
    if (!registry.zookeeper.blockUntilConnected(settings.timeoutSeconds(), TimeUnit.SECONDS)) {
      registry.close();
      throw new RegistryException("no ZooKeeper answers at " + access, null);
    }
    return registry;
  }

  /** Opens the registry without waiting: each request is carried out once ZooKeeper answers. */
  public static Registry openAsync(ZooKeeperAccess access, RegistrySettings settings) {
    return new Registry(access, settings);
  }

  // --- registering -----------------------------------------------------------------------------

  /**
   * Registers a robot or a service.
   *
   * @throws RegistryException if a robot's id is taken, or ZooKeeper does not answer
   */
  public void register(Kind kind, RegistryEntry registryEntry) throws InterruptedException {
    enter(
        kind,
        registryEntry,
        path -> {
          throw new RegistryException(
              "a robot '"
                  + registryEntry.id()
                  + "' is registered already"
                  + heldBy(path)
                  + "; give this one another id or stop that one",
              null);
        });
  }

  /**
   * Registers as {@link #register} does, and waits until an earlier holder of the id is gone: the
   * entry of a killed process exists until its session has expired. A holder that lives keeps its
   * place.
   *
   * @param force takes the place even of a holder that lives. That process must end: it is fenced
   *     by a later epoch, the number of the ZooKeeper transaction that had made its entry, and
   *     learns of it by {@link #fenced}
   * @param says receives, each five seconds, a sentence on who is waited for and for how long
   * @throws RegistryException if the holder is still there after a session's time, or ZooKeeper
   *     does not answer
   */
  public void claim(Kind kind, RegistryEntry registryEntry, boolean force, Consumer<String> says)
      throws InterruptedException {
    long start = System.nanoTime();
    AtomicLong saysAt = new AtomicLong(Long.MAX_VALUE); // In seconds left.
    enter(
        kind,
        registryEntry,
        path -> {
          int patience = Math.max(sessionSeconds, sessionSeconds(path)) + SLOW_SECONDS;
          long left = patience - TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
          String holder = "'" + registryEntry.id() + "' is held" + heldBy(path);
          if (force) {
            replace(path, registryEntry);
          } else if (left <= 0) {
            throw new RegistryException(
                "%s, which is there still after %d s, in which the session of a dead process ends; stop it, give this one another id, or take its place by --force (a gateway that resumes, a replay on a cluster)"
                    .formatted(holder, patience),
                null);
          } else {
            if (left <= saysAt.get()) {
              saysAt.set(left - SAY_SECONDS);
              says.accept(
                  "%s; if that is dead, its session with ZooKeeper ends within %d s"
                      .formatted(holder, left));
            }
            TimeUnit.MILLISECONDS.sleep(CLAIM_POLL_MILLIS);
          }
        });
  }

  /** Action while another process holds a path, before the next attempt. */
  private interface Taken {
    void at(String path) throws Exception;
  }

  private void enter(Kind kind, RegistryEntry registryEntry, Taken taken)
      throws InterruptedException {
    String path = path(kind, registryEntry);
    try {
      while (!isMade(path, registryEntry)) {
        taken.at(path);
      }
    } catch (RegistryException | InterruptedException e) {
      throw e;
    } catch (Exception e) { // Curator's methods declare Exception.
      throw new RegistryException(
          "'" + registryEntry.id() + "' cannot be registered in ZooKeeper: " + e.getMessage(), e);
    }
    wanted.put(path, registryEntry);
  }

  /** Replaces an entry in one transaction, so that nobody comes between. */
  private void replace(String path, RegistryEntry registryEntry) throws Exception {
    Stat there = zookeeper.checkExists().forPath(path);
    if (there == null) {
      return;
    }
    byte[] json = json(registryEntry.inEpochAfter(there.getCzxid()));
    TransactionOp op = zookeeper.transactionOp();
    try {
      zookeeper
          .transaction()
          .forOperations(
              op.delete().forPath(path),
              op.create().withMode(CreateMode.EPHEMERAL).forPath(path, json));
    } catch (KeeperException.NoNodeException e) {
      LOG.debug("{} is free meanwhile", path);
    }
  }

  /**
   * Returns a future that a thread of the registry completes with who has taken the place of an
   * entry of this process, as {@code host, process 123}: by force or, for the owner of a topology,
   * when this process's session had ended.
   */
  public CompletableFuture<String> fenced() {
    return fenced;
  }

  /**
   * Returns true if this process is fenced. Asks ZooKeeper now, as {@link #fenced} is late by
   * seconds; without a connection to ZooKeeper, this process goes by what it knows.
   */
  public boolean isFenced() {
    if (zookeeper.getZookeeperClient().isConnected()) {
      checkEntries();
    }
    return fenced.isDone();
  }

  /** Registers an entry as soon as ZooKeeper is there and the id is free. */
  public void registerAsync(Kind kind, RegistryEntry registryEntry) {
    wanted.put(path(kind, registryEntry), registryEntry);
    checks.execute(this::checkEntries);
  }

  /** Renews the content of an entry of this process, if ZooKeeper is there. */
  public void updateAsync(Kind kind, RegistryEntry registryEntry) {
    String path = path(kind, registryEntry);
    wanted.put(path, registryEntry);
    if (waiting.add(path)) {
      checks.execute(() -> renew(path));
    }
  }

  private void renew(String path) {
    waiting.remove(path);
    RegistryEntry latest = wanted.get(path);
    try {
      if (isMade(path, latest)) {
        zookeeper.setData().forPath(path, json(latest));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) { // The next renewal is newer.
      LOG.debug("the entry of '{}' cannot be renewed now", latest.id(), e);
    }
  }

  private String path(Kind kind, RegistryEntry registryEntry) {
    String only = kind.folder() + "/" + registryEntry.id();
    return kind == Kind.SERVICES ? only + "." + own : only;
  }

  private byte[] json(RegistryEntry registryEntry) throws IOException {
    ObjectNode json = JSON.valueToTree(registryEntry);
    return JSON.writeValueAsBytes(json.put(SESSION, sessionSeconds));
  }

  /**
   * Returns the session's length of the process that holds a path, seconds; 0 if it is not known.
   */
  private int sessionSeconds(String path) throws Exception {
    try {
      return JSON.readTree(zookeeper.getData().forPath(path)).path(SESSION).asInt();
    } catch (KeeperException.NoNodeException | IOException e) {
      return 0; // Gone meanwhile, or no entry of ours.
    }
  }

  /**
   * Makes an entry if there is none; returns true if it is this process's own. Returns false if
   * another process holds the path, or had the time to: a topology may have gone through other
   * hands since the session ended that made its owner's entry.
   */
  private boolean isMade(String path, RegistryEntry registryEntry) throws Exception {
    Stat there = zookeeper.checkExists().forPath(path);
    if (isOwner(path) && epochs.containsKey(path)) {
      // An entry of this session is its own, though its number may not have come back yet.
      boolean isUntouched =
          there != null
              && (there.getCzxid() == epochs.get(path) || there.getEphemeralOwner() == session());
      if (!isUntouched) {
        return false;
      }
      if (there.getEphemeralOwner() != session()) { // Made by the session before, which ends soon.
        replace(path, registryEntry);
        there = zookeeper.checkExists().forPath(path);
      }
    }
    if (there == null) {
      try {
        zookeeper
            .create()
            .creatingParentsIfNeeded()
            .withMode(CreateMode.EPHEMERAL)
            .forPath(path, json(registryEntry));
      } catch (KeeperException.NodeExistsException e) {
        LOG.debug("{}: another was faster, or our own was made and not confirmed", path);
      }
      there = zookeeper.checkExists().forPath(path);
    }
    boolean isOurs = there != null && there.getEphemeralOwner() == session();
    if (isOurs) {
      epochs.put(path, there.getCzxid());
    }
    return isOurs;
  }

  /** Returns for people who holds an id, as the end of a sentence; empty if that is not known. */
  private String heldBy(String path) throws InterruptedException {
    RegistryEntry other = read(path);
    return other == null
        ? ""
        : " by the %s at %s"
            .formatted(
                RegistryEntry.LOG.equals(other.type()) ? "replay" : "gateway", other.address());
  }

  private static boolean isOwner(String path) {
    return path.startsWith(Kind.OWNERS.folder());
  }

  /**
   * Checks the entries, and makes them again in a new session; those of an old session are gone, or
   * go with it. If another process has taken the id meanwhile, it keeps the id for as long as it is
   * there.
   */
  private void checkEntries() {
    wanted.forEach(
        (path, registryEntry) -> {
          try {
            if (isMade(path, registryEntry)) {
              ousted.remove(path);
            } else {
              if (ousted.add(path)) {
                LOG.warn("'{}' is registered by another now{}", registryEntry.id(), heldBy(path));
              }
              endIfFenced(path);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (Exception e) { // The next check tries again.
            LOG.debug("'{}' cannot be registered now", registryEntry.id(), e);
          }
        });
  }

  private void endIfFenced(String path) throws Exception {
    RegistryEntry other = read(path);
    boolean isLater = other != null && other.epoch() >= epochs.getOrDefault(path, Long.MAX_VALUE);
    if (isLater || other != null && isOwner(path)) {
      fenced.complete(other.address());
    } else if (isOwner(path) && epochs.containsKey(path) && isFree(path)) {
      fenced.complete("an unknown place (this one's session with ZooKeeper had ended)");
    }
  }

  private boolean isFree(String path) throws Exception {
    return zookeeper.checkExists().forPath(path) == null;
  }

  private long session() throws Exception {
    return zookeeper.getZookeeperClient().getZooKeeper().getSessionId();
  }

  // --- reading ---------------------------------------------------------------------------------

  /**
   * Returns the entries of a kind, by id. What is no entry of Cartostream is left out.
   *
   * @throws RegistryException if ZooKeeper does not answer
   */
  public List<RegistryEntry> list(Kind kind) throws InterruptedException {
    List<RegistryEntry> entries = new ArrayList<>();
    try {
      for (String name :
          zookeeper.getChildren().forPath(kind.folder()).stream().sorted().toList()) {
        RegistryEntry registryEntry = read(kind.folder() + "/" + name);
        if (registryEntry != null) {
          entries.add(registryEntry);
        }
      }
    } catch (KeeperException.NoNodeException nobodyYet) {
      return List.of();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) { // Curator's methods declare Exception.
      throw new RegistryException("the registry cannot be read: " + e.getMessage(), e);
    }
    return entries;
  }

  /** Returns the entry of a path; null if it is gone again or was written by somebody else. */
  private RegistryEntry read(String path) throws InterruptedException {
    try {
      return entry(path, zookeeper.getData().forPath(path));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) { // Curator's methods declare Exception.
      LOG.debug("{} is gone", path, e);
      return null;
    }
  }

  private static RegistryEntry entry(String path, byte[] json) {
    try {
      return JSON.readValue(json, RegistryEntry.class);
    } catch (IOException e) {
      LOG.warn("{} is no entry of Cartostream's: {}", path, e.getMessage());
      return null;
    }
  }

  /**
   * Notifies a watcher of all entries that are there, and from then on of arrivals and departures.
   */
  public void watch(Kind kind, Watcher watcher) {
    CuratorCache cache = CuratorCache.build(zookeeper, kind.folder());
    cache
        .listenable()
        .addListener(
            CuratorCacheListener.builder()
                .forCreates(node -> notifyWatcher(kind, node, watcher::arrived))
                .forDeletes(node -> notifyWatcher(kind, node, watcher::left))
                .build());
    synchronized (watched) {
      watched.add(cache);
    }
    cache.start();
  }

  private static void notifyWatcher(Kind kind, ChildData node, Consumer<RegistryEntry> to) {
    RegistryEntry registryEntry =
        node.getPath().equals(kind.folder()) ? null : entry(node.getPath(), node.getData());
    if (registryEntry != null) {
      to.accept(registryEntry);
    }
  }

  /** Removes this process's entries from the registry, and ends the session. */
  @Override
  public void close() {
    checks.shutdownNow();
    synchronized (watched) {
      watched.forEach(CuratorCache::close);
    }
    zookeeper.close();
  }
}
