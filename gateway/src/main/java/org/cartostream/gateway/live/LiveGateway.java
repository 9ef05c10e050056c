package org.cartostream.gateway.live;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import org.cartostream.broker.BrokerException;
import org.cartostream.broker.RobotId;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.gateway.GatewayException;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.SkipReason;
import org.cartostream.gateway.journal.RunBeginning;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.gateway.session.BrokerConnector;
import org.cartostream.gateway.session.Inbox;
import org.cartostream.gateway.session.OutgoingReadings;
import org.cartostream.gateway.session.ReadingSession;
import org.cartostream.gateway.session.RobotLocalisation;
import org.cartostream.gateway.session.ServiceClock;
import org.cartostream.gateway.session.SessionResult;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.settings.ReadingFilterSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gateway of a live robot. At most as many readings are unanswered as there is credit; without
 * credit the newest waits, and key frames do in a {@link Backlog} on disk. Odometry is absolute, so
 * a skipped reading adds no drift.
 *
 * <p>If nobody knows where a run begins, the robot is looked for first, and what it has seen
 * meanwhile is sent when it is found ({@link RunStartSearch}).
 *
 * <p>It never gives up: after an outage what is unanswered is sent again, then what has waited, in
 * order; and when the service has lost the robot's filter, a new run begins. While the robot stands
 * still, its last reading is sent again from time to time, so that the service keeps the filter.
 * What is sent stands in a {@link RunJournal} before: a gateway whose process died goes on with the
 * run if it is asked to.
 *
 * <p>Owns its connection to the broker, and with it the robot's answers: while it is open, no other
 * gateway there can have the same robot. Owns the readings that wait.
 */
public final class LiveGateway implements AutoCloseable {

  /**
   * The robot.
   *
   * @param id see {@link RobotId}
   * @param settings of its gateway
   * @param keyFrames which of its readings are key frames, as the service has it
   * @param folder on this computer's disk, for readings that wait, the journal, and saved maps
   * @param identity what must be the same where a run goes on, key to value
   * @param resumes true if it goes on with the run in the folder; else it begins one
   * @param observer is told all that the gateway's listener is told, behind it
   * @param localisation what is said of a known map; empty if the robot makes its map
   * @param beginning of the run, if it begins
   * @param search for where it begins; empty if that is known
   */
  public record Robot(
      String id,
      GatewaySettings settings,
      ReadingFilterSettings keyFrames,
      Path folder,
      Map<String, String> identity,
      boolean resumes,
      Optional<LiveListener> observer,
      Optional<RobotLocalisation> localisation,
      RunBeginning beginning,
      Optional<RunStartSearch> search) {

    public Robot {
      RobotId.check(id);
    }

    /** One that makes its map and that nobody observes; its run goes on under the same id. */
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

  /** The folder of the run's journal, beside checkpoints, in the robot's folder. */
  private static final String JOURNALS = "checkpoint";

  private final Robot robot;
  private final LiveListener listener;
  private final Inbox inbox;
  private final BrokerConnection connection;
  private final RunJournal journal;
  private final Backlog backlog;
  private final ServiceClock clock = new ServiceClock();
  private final LongSupplier nanoTime;

  /** The run, its files and its queues are another process's. */
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
    this.nanoTime = nanoTime;
  }

  /**
   * Opens the connection and listens for the robot's answers.
   *
   * @param nanoTime by which it waits for answers: {@link System#nanoTime}, but in tests
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
   * Sends a reading as soon as there is credit and those before it are sent; from any thread. It
   * gets either an outcome or a reason why it is skipped.
   */
  public void offer(Reading reading) {
    backlog.offer(reading);
    inbox.wake();
  }

  /** Returns how many readings wait to be sent. */
  public int waiting() {
    return backlog.size();
  }

  /** The service's clock, compared with this computer's by each answer. */
  public ServiceClock serviceClock() {
    return clock;
  }

  /**
   * Sends what is offered until {@link #stop}, then ends the run in order. Once only.
   *
   * @return true if it ended in order
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
      SessionResult result =
          new ReadingSession(
                  outgoing,
                  ReadingSession.OnLoss.NEW_RUN,
                  backlog,
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
      if (!abandoned) {
        backlog.skipAll();
      }
    }
  }

  /** Looks for the robot, whose key frames wait meanwhile; false if it is stopped before. */
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

  /** Number of the run. */
  public long runNumber() {
    return journal.run();
  }

  /** Number of the last reading of the run that was answered. */
  public long lastReading() {
    return journal.answered();
  }

  /**
   * Sends what waits, but nothing that is offered later, and ends the run in order, so that the
   * last map and the path come; from any thread. A second time gives up at once; what is unanswered
   * is lost.
   */
  public void stop() {
    backlog.stop(); // Else a robot that drives on faster than the service would never be done with.
    inbox.stop();
  }

  /**
   * Ends at once, from any thread, for another process has the run, and leaves to that one what
   * waits here, as if this process were killed.
   */
  public void abandon() {
    abandoned = true;
    stop();
    inbox.stop(); // The second time.
  }

  /** The connection last: who waits for its end finds the files as they stay. */
  @Override
  public void close() {
    journal.close();
    try {
      backlog.close(abandoned);
    } catch (IOException e) {
      throw new UncheckedIOException("the backlog of " + robot.id() + " cannot be deleted", e);
    } finally {
      connection.close();
    }
  }
}
