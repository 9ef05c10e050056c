package org.cartostream.topology.publish;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.checkpoint.CheckpointException;
import org.cartostream.slam.localisation.LocalisationFilters;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.trajectory.tree.RecordedPath;
import org.cartostream.topology.bolt.RestorableBolt;
import org.cartostream.topology.bolt.TaskCheckpoints;
import org.cartostream.topology.response.BrokerSink;
import org.cartostream.topology.response.ResponseSender;
import org.cartostream.topology.run.MapRateLimit;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.run.RunFilters;
import org.cartostream.topology.settings.SerializedSettings;
import org.cartostream.topology.settings.ServiceSettings;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.stream.StreamOutput;
import org.cartostream.topology.stream.StreamPorts;
import org.cartostream.topology.stream.Streams;
import org.cartostream.topology.task.Component;
import org.cartostream.topology.task.PauseTolerantClock;
import org.cartostream.topology.task.TaskContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publisher: a bolt that sends robots the outcomes of their readings, their poses and their
 * maps.
 *
 * <p>Owns one {@link RunPublisher} per robot, the {@link MapRateLimit} of all robots, the {@link
 * PauseTolerantClock}, the {@link PublisherExecutors}' threads, and the {@link BrokerSink}. If the
 * sink drops an answer, the robot's gateway asks for it again.
 */
public final class PublisherBolt extends RestorableBolt<Component.Publisher, RunPublisher> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(PublisherBolt.class);

  private transient StreamPorts<Component.Publisher> sendPorts;
  private transient StreamOutput.Direct<Payload.BackgroundDone> done;
  private transient StreamOutput<Payload.MapMemoryUse> mapMemoryUse;
  private transient StreamOutput<Payload.ResponseSent> answered;
  private transient int matchers;
  private transient BrokerSink broker; // Null in tests.
  private transient ResponseSender.EnvelopeSink envelopeSink;
  private transient PublisherExecutors executors;

  /** Latest state that is being read from a checkpoint, by robot. */
  private transient Map<String, Load> loads;

  private transient LongSupplier nanoTime;
  private transient MapRateLimit mapRateLimit;

  /** Run whose map was drawn last, or is being drawn; null before the first. */
  private transient Run drawn;

  private transient PauseTolerantClock clock;

  /**
   * Reading of a state from a checkpoint.
   *
   * @param restore message that asked for the state
   * @param state task that reads the state; null when the state was taken
   */
  private record Load(Payload.Restore restore, FutureTask<RunPublisher.Saved> state) {
    Run run() {
      return restore.run();
    }
  }

  public PublisherBolt(SerializedSettings<ServiceSettings> serializedSettings) {
    super(serializedSettings, Component.Publisher.class);
  }

  @Override
  public void wire(StreamPorts<Component.Publisher> streamPorts) {
    super.wire(streamPorts);
    sendPorts = streamPorts;
    streamPorts.on(
        Streams.ADMITTED, message -> withState(message.run(), of -> of.admitted(message)));
    streamPorts.on(
        Streams.RESAMPLING_RESULTS,
        message -> withState(message.run(), of -> of.resampled(message)));
    streamPorts.on(Streams.SERVED, this::served);
    streamPorts.on(Streams.PAUSE_MAPS, this::hold);
    streamPorts.on(
        Streams.REFUSED, message -> withState(message.run(), of -> of.readingRefused(message)));
    streamPorts.on(
        Streams.LOST, message -> withState(message.run(), of -> of.readingLost(message)));
    streamPorts.on(
        Streams.DUPLICATE, message -> withState(message.run(), of -> of.duplicateReading(message)));
    streamPorts.on(
        Streams.RESEND_REQUEST,
        message -> withState(message.run(), of -> of.requestResend(message)));
    streamPorts.on(Streams.ENDED, message -> withState(message.run(), of -> of.ended(message)));
    streamPorts.on(
        Streams.BARRIERS, message -> withState(message.run(), of -> of.barrier(message.reading())));
    done = streamPorts.out(Streams.BACKGROUND_DONE);
    mapMemoryUse = streamPorts.out(Streams.MAP_MEMORY);
    answered = streamPorts.out(Streams.RESPONSE_SENT);
    streamPorts.on(Streams.BACKGROUND_DONE, this::done);
    offloadsBy(Streams.PUBLISHER_OFFLOAD_DONE);
  }

  @Override
  public void start(TaskContext taskContext, TaskCheckpoints checkpoints) {
    broker = new BrokerSink(settings().broker());
    start(
        taskContext,
        checkpoints,
        broker,
        new PauseTolerantClock(System::nanoTime),
        PublisherExecutors.threads());
  }

  /**
   * Starts the publisher.
   *
   * @param by sink of answers
   * @param awake clock that measures time-outs
   * @param apart threads for long work, which would hold up all robots
   */
  public void start(
      TaskContext taskContext,
      TaskCheckpoints checkpoints,
      ResponseSender.EnvelopeSink by,
      PauseTolerantClock awake,
      PublisherExecutors apart) {
    super.start(taskContext, checkpoints);
    executors = apart;
    loads = new HashMap<>();
    clock = awake;
    matchers = taskContext.matchers();
    envelopeSink = by;
    nanoTime = taskContext.nanoTime();
    mapRateLimit =
        new MapRateLimit(nanoTime.getAsLong(), (run, r) -> emitResponseSent(run, r, true));
  }

  /**
   * Returns true if a run's state has been read; else begins to read it in another thread. The
   * state has all scans of the drive, hundreds of megabytes, for which other robots must not wait.
   */
  @Override
  public boolean isLoaded(Payload.Restore restore) {
    if (restore.parts().length == 0) {
      return true;
    }
    Run run = restore.run();
    Load latest = loads.get(run.robot());
    boolean isSame = latest != null && latest.run().equals(run);
    if (isSame && latest.state() != null || latest != null && latest.run().epoch() > run.epoch()) {
      return isSame && latest.state().isDone();
    }
    FutureTask<RunPublisher.Saved> next =
        new FutureTask<>(() -> checkpoints().load(restore, RunPublisher.Saved.class).orElseThrow());
    loads.put(run.robot(), new Load(restore, next));
    executors
        .loads()
        .execute(
            () -> {
              next.run();
              notifyOf(run);
            });
    return false;
  }

  /** Returns the state that was read; null if the run begins without a checkpoint. */
  private RunPublisher.Saved saved(Run run) throws IOException {
    Load load = loads.get(run.robot());
    if (load == null || !load.run().equals(run)) {
      return null;
    }
    loads.put(run.robot(), new Load(load.restore(), null));
    try {
      return load.state().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException cannotBeRead) {
        throw cannotBeRead;
      }
      throw new IllegalStateException("its part of the checkpoint cannot be read", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  @Override
  public RunPublisher restore(Payload.Restore restore) throws IOException {
    Run run = restore.run();
    PublisherCollaborators collaborators =
        new PublisherCollaborators(
            envelopeSink,
            clock,
            nanoTime,
            recordedPath -> close(run, recordedPath),
            search -> search(run, search),
            executors.redraws(),
            new RunOffload(run));
    RunPublisher.Saved saved = saved(run);
    RunPaths paths = paths(restore.knownMap(), saved, collaborators.searches());
    RunPublisher publisher =
        new RunPublisher(
            run,
            settings(),
            matchers,
            collaborators,
            paths,
            saved,
            r -> emitResponseSent(run, r, false));
    publisher.restored(restore);
    return publisher;
  }

  /**
   * Reports that a reading noted as a suspect of crashes is answered or, if {@code isToCome}, that
   * the drawing of maps is paused for the reading.
   */
  private void emitResponseSent(Run run, long reading, boolean isToCome) {
    answered.emit(new Payload.ResponseSent(run, reading, isToCome));
  }

  /** Offload of one run. */
  private final class RunOffload implements PublisherCollaborators.Offload {

    private final Run run;

    private RunOffload(Run run) {
      this.run = run;
    }

    @Override
    public void save(long reading, RunPublisher.Saved state, Runnable then) {
      PublisherBolt.this.save(run, reading, state, then);
    }

    @Override
    public <T> void use(Supplier<T> work, Consumer<T> then) {
      offload(run, work, then);
    }
  }

  private RunPaths paths(PackedMap knownMap, RunPublisher.Saved saved, Executor searches)
      throws CheckpointException {
    if (knownMap == null) {
      ParticleTrajectories paths =
          saved == null
              ? new ParticleTrajectories(settings().filter())
              : (ParticleTrajectories) saved.paths();
      paths.searchBy(searches);
      return paths;
    }
    LocalisationFilters filters = RunFilters.localisation(settings(), knownMap);
    if (saved == null) {
      return new LocalisedPath(filters);
    }
    LocalisedPath paths = (LocalisedPath) saved.paths();
    paths.resume(filters);
    return paths;
  }

  @Override
  public void discard(Run run, RunPublisher publisher) {
    publisher.close();
    loads.computeIfPresent(run.robot(), (robot, load) -> load.run().equals(run) ? null : load);
  }

  @Override
  public void forget(Run run) {
    loads.computeIfPresent(
        run.robot(), (robot, load) -> load.run().epoch() <= run.epoch() ? null : load);
  }

  /**
   * Takes the report that a reading is served, then draws a map that is due: the best time, as the
   * answer has left, and the tasks are busy with the next reading.
   */
  private void served(Payload.Served message) {
    withState(message.run(), of -> of.served(message));
    drawTheMapThatIsDue();
  }

  /** Checks time-outs, and draws a map that is due, also for robots that stand still. */
  @Override
  public void tick() {
    super.tick();
    clock.tick();
    for (RunPublisher publisher : states().all()) {
      sendPorts.runGuarded(publisher.run(), () -> watch(publisher));
    }
    drawTheMapThatIsDue();
  }

  private void watch(RunPublisher publisher) {
    if (!isOffloaded(publisher.run())) {
      publisher.enterReady();
    }
    if (!isOffloaded(publisher.run())) {
      publisher.watch();
    }
  }

  /**
   * Draws the map that has been due for longest, unless one is being drawn: only one at a time, so
   * that poses come first, however many robots there are. Another thread draws it, since a large
   * map takes longer than a robot should wait for its pose.
   */
  private void drawTheMapThatIsDue() {
    long start = nanoTime.getAsLong();
    if (isDrawing() || !mapRateLimit.mayBegin(start)) {
      return;
    }
    states().all().stream()
        .filter(each -> !isOffloaded(each.run()) && each.isMapDue(start))
        .min(Comparator.comparingLong(each -> each.mapDueSince() - start))
        .ifPresent(
            runPublisher -> {
              Run run = runPublisher.run();
              drawn = run;
              sendPorts.runGuarded(
                  run,
                  () -> offload(run, runPublisher::drawMap, map -> send(runPublisher, map, start)));
            });
  }

  private void send(RunPublisher runPublisher, Optional<MapMessage> map, long start) {
    long now = nanoTime.getAsLong();
    mapRateLimit.drawn(start, now);
    mapMemoryUse.emit(runPublisher.send(map, now - start));
    drawTheMapThatIsDue(); // Or begins a pause that waited for this map.
  }

  private boolean isDrawing() {
    return drawn != null && isOffloaded(drawn);
  }

  /**
   * Begins or ends a pause of drawing maps, for a reading noted as a suspect of crashes; between
   * two pauses a map that is due is drawn.
   */
  private void hold(Payload.PauseMaps message) {
    Run run = message.run();
    if (message.sequence() == 0) {
      mapRateLimit.release(run);
      drawTheMapThatIsDue();
    } else {
      long now = nanoTime.getAsLong();
      withState(run, of -> mapRateLimit.hold(run, message.sequence(), isDrawing(), now));
    }
  }

  /** Forgets a run when its robot cannot ask for the final map and path any more. */
  @Override
  public void released(Payload.RunClosed message) {
    if (message.answered()) {
      super.released(message);
    }
  }

  /**
   * Begins to close a run's loops. At most as many jobs wait as runs have ended. The job's own
   * thread emits the message that it is done, which Storm's collector allows.
   */
  private LoopClosureJob close(Run run, RecordedPath recordedPath) {
    LoopClosureJob loopClosureJob =
        new LoopClosureJob(run, recordedPath, executors.closer(), () -> notifyOf(run));
    executors.closings().execute(loopClosureJob);
    return loopClosureJob;
  }

  private void search(Run run, Runnable search) {
    executors
        .searches()
        .execute(
            () -> {
              search.run();
              notifyOf(run);
            });
  }

  /**
   * Emits the message that background work is done; runs in other threads, where an uncaught error
   * would end the worker.
   */
  private void notifyOf(Run run) {
    try {
      done.emit(0, new Payload.BackgroundDone(run));
    } catch (RuntimeException | OutOfMemoryError e) {
      LOG.error("{}: the publisher was not notified", run, e);
    }
  }

  private void done(Payload.BackgroundDone message) {
    Load load = loads.get(message.run().robot());
    if (load != null && load.run().equals(message.run()) && load.state() != null) {
      restoreAndReport(load.restore());
    } else {
      withState(message.run(), RunPublisher::enterReady);
    }
  }

  @Override
  public void stop() {
    if (broker != null) {
      broker.close();
    }
    if (executors != null) {
      executors.stop().run();
    }
    if (states() != null) {
      states().all().forEach(RunPublisher::close);
    }
  }
}
