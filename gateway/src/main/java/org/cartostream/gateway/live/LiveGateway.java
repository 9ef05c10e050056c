package org.cartostream.gateway.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.carried.CarriedRobotSearch;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.session.BrokerConnector;
import org.cartostream.gateway.session.Inbox;
import org.cartostream.gateway.session.LocalisationAttachment;
import org.cartostream.gateway.session.OutgoingReadings;
import org.cartostream.gateway.session.ReadingSession;
import org.cartostream.gateway.session.ServiceClockOffset;
import org.cartostream.gateway.session.SessionResult;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway of a live robot. The number of unanswered readings is at most the credit. Without
 * credit the newest reading and the key frames wait in a {@link Backlog}, which has a file.
 * Odometry is absolute, so a skipped reading adds no drift.
 *
 * <p>If the start of a run in a known map is unknown, the gateway searches for the robot first
 * ({@link RunStartSearch}); the key frames of that time are sent when it is found.
 *
 * <p>The gateway never gives up: after an outage it sends unanswered readings again, then those
 * that have waited, in order; and when the service has lost the robot's filter, it begins a new
 * run. While the robot stands still, its last reading is sent again from time to time, so that the
 * service keeps the filter. Each reading is written into a {@link RunJournal} before it is sent, so
 * that another process can resume the run.
 *
 * <p>Owns its connection to the broker, and with it the robot's answers: while it is open, no other
 * gateway there can have the same robot. Owns the readings that wait.
 */
public final class LiveGateway implements AutoCloseable {

  /**
   * The robot.
   *
   * @param id see {@link RobotId}
   * @param settings settings of the robot's gateway
   * @param keyFrames rule by which a reading is a key frame, the same as the service's
   * @param folder on this computer's disk, for readings that wait, the journal, and saved maps
   * @param identity settings that must be the same when a run is resumed, by key
   * @param resumes true to resume the run in the folder, false to begin a run
   * @param observer receives the same calls as the gateway's own listener, after it
   * @param localisation the known map and the placements in it; empty if the robot makes its map
   * @param beginning number of a new run, and the reading behind which it begins
   * @param search search for the place where the run begins; empty if that place is known
   * @param carried returns the search for the robot if it is carried on the way, when the place
   *     where the run begins is known; empty for none
   */
  public record Robot(
      String id,
      GatewaySettings settings,
      ReadingFilterSettings keyFrames,
      Path folder,
      Map<String, String> identity,
      boolean resumes,
      Optional<LiveListener> observer,
      Optional<LocalisationAttachment> localisation,
      RunBeginning beginning,
      Optional<RunStartSearch> search,
      Optional<Supplier<CarriedRobotSearch>> carried) {

    public Robot {
      RobotId.check(id);
    }

    /**
     * Creates a robot that makes its map, without an observer, whose identity for a resumed run is
     * its id.
     */
    public Robot(
        String id,
        GatewaySettings settings,
        ReadingFilterSettings keyFrames,
        Path folder,
        boolean resumes) {
      this(
          id,
          settings,
          keyFrames,
          folder,
          Map.of("robot", id),
          resumes,
          Optional.empty(),
          Optional.empty(),
          RunBeginning.anew(),
          Optional.empty(),
          Optional.empty());
    }

    private Path journalFile() {
      return folder.resolve(JOURNALS).resolve(RunJournal.FILE);
    }

    private RunJournal openJournal() {
      return resumes
          ? RunJournal.resume(journalFile(), RunJournal.Keeps.READINGS, identity)
          : RunJournal.begin(journalFile(), RunJournal.Keeps.READINGS, identity, beginning);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(LiveGateway.class);

  /** Name of the folder of the run's journal, in the robot's folder. */
  private static final String JOURNALS = "checkpoint";

  private static final long BYTES_PER_MEGABYTE = 1_000_000;

  private final Robot robot;
  private final LiveListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final RunJournal journal;
  private final Backlog backlog;

  /**
   * The backlog as it is sent if the robot may be carried; null if that is not asked, or not yet.
   */
  private volatile WatchedBacklog watched;

  /** The scans of the map in which a carried robot is searched for; null if it is not. */
  private final DrawnScans drawnScans;

  private final ServiceClockOffset clock = new ServiceClockOffset();
  private final LongSupplier nanoTime;

  /** True once another process has taken over the run, its files and its queues. */
  private volatile boolean abandoned;

  private LiveGateway(
      Robot robot,
      LiveListener listener,
      Inbox inbox,
      BrokerConnection connection,
      RunJournal journal,
      Backlog backlog,
      LongSupplier nanoTime) {
    this.robot = robot;
    this.listener = listener;
    this.inbox = inbox;
    this.connection = connection;
    this.journal = journal;
    this.backlog = backlog;
    long maxBytes = robot.settings().backlogMegabytes() * BYTES_PER_MEGABYTE;
    this.drawnScans =
        robot.carried().isPresent() ? new DrawnScans(robot.id(), robot.folder(), maxBytes) : null;
    this.nanoTime = nanoTime;
  }

  /**
   * Opens the connection and listens for the robot's answers.
   *
   * @param nanoTime clock for waiting, nanoseconds; {@link System#nanoTime} except in tests
   * @throws BrokerException if the broker cannot be used, or another gateway takes this robot's
   *     answers
   * @throws GatewayException if the robot's folder cannot be written, or the run cannot go on
   */
  public static LiveGateway open(
      Robot robot, LiveListener own, BrokerConnector connector, LongSupplier nanoTime) {
    LiveListener listener = robot.observer().map(each -> LiveListener.both(own, each)).orElse(own);
    Inbox inbox = new Inbox();
    BrokerConnection connection = connector.open(inbox);
    RunJournal journal = null;
    try {
      connection.subscribeToAnswers(robot.id(), Inbox.PREFETCH, inbox);
      if (!robot.resumes() && Files.exists(robot.journalFile())) {
        LOG.warn(
            "{} has a run that did not end; it is given up, for a new one begins: --resume would"
                + " have gone on with it",
            robot.folder().toAbsolutePath());
      }
      journal = robot.openJournal();
      OptionalLong sentTo =
          robot.resumes() ? OptionalLong.of(journal.lastStampNanos()) : OptionalLong.empty();
      Backlog backlog =
          new Backlog(
              robot.id(),
              robot.settings(),
              robot.keyFrames(),
              robot.folder(),
              sentTo,
              listener::onSkipped);
      backlog.setServiceAway(robot.search().isPresent()); // So that all key frames wait.
      LiveGateway gateway =
          new LiveGateway(robot, listener, inbox, connection, journal, backlog, nanoTime);
      if (journal.isEnded()) {
        // Only the last map and the path are still to come. Not stop(): the first Ctrl-C would be
        // a second one, and give up.
        backlog.stop();
      }
      return gateway;
    } catch (BrokerException | GatewayException e) {
      connection.close();
      if (journal != null) {
        journal.close();
      }
      throw e;
    }
  }

  /**
   * Sends a reading as soon as there is credit and those before it are sent; from any thread. The
   * reading gets either an outcome or a reason why it is skipped.
   */
  public void offer(Reading reading) {
    backlog.offer(reading);
    inbox.wake();
  }

  /** Returns how many readings wait to be sent. */
  public int waiting() {
    WatchedBacklog source = watched;
    return backlog.size() + (source == null ? 0 : source.held());
  }

  /**
   * Returns for people why readings are held back: the robot may have been carried. Empty if none
   * are.
   */
  public String heldBack() {
    WatchedBacklog source = watched;
    return source == null ? "" : source.sentence();
  }

  /** Begins a new run, with an empty map, at the robot's next reading; from any thread. */
  public void beginNewMap() {
    backlog.askForNewRun();
    inbox.wake();
  }

  /** Returns the estimate of the service's clock, which each answer refines. */
  public ServiceClockOffset serviceClock() {
    return clock;
  }

  /**
   * Sends the offered readings until {@link #stop}, then ends the run in order. To be called once.
   *
   * @return true if the run ended in order
   */
  public boolean run() throws InterruptedException {
    boolean isToBeFound = robot.search().isPresent() && !journal.isBegun();
    try {
      OutgoingReadings outgoing =
          new OutgoingReadings(
              robot.id(),
              robot.settings(),
              connection,
              clock,
              nanoTime,
              journal,
              robot.localisation());
      if (robot.resumes()) {
        int unanswered = outgoing.resume(listener);
        listener.onResumed(
            outgoing.lastSequence(), unanswered + backlog.size(), journal.correction());
      }
      if (isToBeFound && !isFound(robot.search().get())) {
        if (!abandoned) {
          journal.delete();
          connection.deleteAnswerQueues(robot.id());
        }
        return false;
      }
      watched = robot.carried().isPresent() ? watched(robot.carried().get().get()) : null;
      SessionResult result =
          new ReadingSession(
                  outgoing,
                  ReadingSession.OnLoss.NEW_RUN,
                  watched == null ? backlog : watched,
                  listener,
                  inbox,
                  connection,
                  Optional::empty)
              .run();
      if (!abandoned) {
        connection.deleteAnswerQueues(robot.id());
      }
      return result.failure().isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException("the map so far cannot be written", e);
    } finally {
      if (!abandoned && watched != null) {
        watched.skipAll();
      }
      if (!abandoned) {
        backlog.skipAll();
      }
    }
  }

  /** Returns the backlog as it is sent, with what an earlier process of the run knew. */
  private WatchedBacklog watched(CarriedRobotSearch search) {
    if (robot.resumes()) {
      drawnScans.restore(search);
    } else {
      drawnScans.begin();
    }
    search.whenDrawn(drawnScans::add);
    return new WatchedBacklog(backlog, search, drawnScans, listener::onSkipped);
  }

  /**
   * Searches for the place where the run begins, while key frames wait; false if the gateway is
   * stopped before it is found.
   */
  private boolean isFound(RunStartSearch search) throws InterruptedException {
    String said = "";
    Backlog.Waiting at = new Backlog.Waiting(-1, null);
    do {
      if (!said.equals(search.sentence())) {
        said = search.sentence();
        listener.onSilence(said);
      }
      at = backlog.awaitBehind(at.number());
    } while (at != null && !search.isFoundAt(at.reading()));
    if (at == null) {
      LOG.warn("robot {} was not found before it was stopped: no run has begun", robot.id());
      return false;
    }
    while (at != null && search.followBack(at.reading())) {
      at = backlog.before(at.number());
    }
    if (at != null) {
      int left = backlog.skipTo(at.number(), SkipReason.NO_PLACE_IN_MAP);
      LOG.warn(
          "robot {} came from where the map has no place for it, or was carried: its first {} key"
              + " frames are left out",
          robot.id(),
          left);
    }
    search.begin(journal.run());
    return true;
  }

  /** Returns the number of the run. */
  public long runNumber() {
    return journal.run();
  }

  /** Returns the number of the last reading of the run that was answered. */
  public long lastReading() {
    return journal.answered();
  }

  /**
   * Sends the waiting readings, but none offered later, then ends the run in order, so that the
   * last map and the path come; from any thread. A second call gives up at once; unanswered
   * readings are lost.
   */
  public void stop() {
    backlog.stop(); // Else a robot that drives on faster than the service would never be done with.
    inbox.stop();
  }

  /**
   * Ends at once because another process has taken over the run, and leaves the waiting readings to
   * it, as if this process were killed. Callable from any thread.
   */
  public void abandon() {
    abandoned = true;
    WatchedBacklog source = watched;
    if (source != null) {
      source.abandon();
    }
    stop();
    inbox.stop(); // The second time.
  }

  /**
   * Closes the files, then the connection: a process that takes over when the connection ends finds
   * the files complete.
   */
  @Override
  public void close() {
    journal.close();
    try {
      backlog.close(abandoned);
      if (drawnScans != null) {
        drawnScans.close(abandoned);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the backlog of " + robot.id() + " cannot be deleted", e);
    } finally {
      connection.close();
    }
  }
}
