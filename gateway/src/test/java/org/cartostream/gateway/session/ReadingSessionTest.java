package org.cartostream.gateway.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.connection.BrokerConnection;
import org.cartostream.broker.connection.Receiver;
import org.cartostream.broker.message.EndMessage;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.FinishedMessage.TaskBalance;
import org.cartostream.broker.message.MapMessage;
import org.cartostream.broker.message.Message;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.broker.message.ReadingMessage;
import org.cartostream.broker.message.ResendRequestMessage;
import org.cartostream.broker.message.TrajectoryMessage;
import org.cartostream.broker.message.UnavailableMessage;
import org.cartostream.gateway.FakeService;
import org.cartostream.gateway.GatewaySettings;
import org.cartostream.gateway.journal.RunJournal;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.odometry.OdometryStatistics;
import org.cartostream.slam.sensor.Reading;
import org.cartostream.slam.sensor.Refusal;
import org.cartostream.slam.sensor.Scan;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.slam.trajectory.PathPose;
import org.cartostream.slam.trajectory.tree.LoopClosureReport;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In the test's own thread: the service answers while the session publishes. */
@Quick
@Timeout(60)
class ReadingSessionTest {

  private static final String ROBOT = "r2";
  private static final int ANSWER_TIMEOUT_SECONDS = 60;

  private final Inbox inbox = new Inbox();
  private final Service service = new Service();
  private final Robot robot = new Robot();
  private final Source source = new Source();
  private final List<String> events = new ArrayList<>();

  /** By which the session waits for answers. */
  private long nanos;

  /** Goes by at each look at the clock. */
  private long secondsPerLook;

  /** True if the service answers again once its silence was told. */
  private boolean answersAfterSilence;

  private SessionResult run(ReadingSession.OnLoss onLoss, int credit, long readings)
      throws InterruptedException {
    for (long i = 1; i <= readings; i++) {
      Scan scan = new Scan(Pose.ORIGIN, -1, 1, 0.1, 8, new float[] {1, 2, 3});
      source.waiting.add(new Reading(i, FakeService.pose(i), scan));
    }
    OutgoingReadings outgoing =
        new OutgoingReadings(
            ROBOT,
            new GatewaySettings(credit, ANSWER_TIMEOUT_SECONDS, 50, 64),
            service,
            new ServiceClockOffset(),
            () -> nanos += Duration.ofSeconds(secondsPerLook).toNanos(),
            RunJournal.inMemory(),
            Optional.empty());
    return new ReadingSession(outgoing, onLoss, source, robot, inbox, service, Optional::empty)
        .run();
  }

  private static Message processed(Envelope reading) {
    return processed(reading, 0);
  }

  private static Message processed(Envelope reading, long durable) {
    Pose pose = ((ReadingMessage) reading.body()).reading().odometry();
    return OutcomeMessage.now(
        new Outcome.Processed(new RobotPose(pose, Correction.NONE, 15, 2.5), false, 1), durable);
  }

  private static Message pose(Envelope reading) {
    return new PoseMessage(
        new RobotPose(
            ((ReadingMessage) reading.body()).reading().odometry(), Correction.NONE, 1, 0));
  }

  private static Message lost() {
    return OutcomeMessage.now(new Outcome.Lost("a task died"), 0);
  }

  /** Answers each reading as it is told to, and the end with all that belongs to it. */
  private final class Service implements BrokerConnection {

    private final List<Envelope> received = new ArrayList<>();
    private Function<Envelope, List<Message>> answers = reading -> List.of(processed(reading));
    private long tooLarge;

    @Override
    public boolean publish(Envelope envelope) {
      if (envelope.sequence() == tooLarge && envelope.body() instanceof ReadingMessage) {
        tooLarge = 0;
        throw BrokerRefusal.TOO_LARGE.exception("1 GB");
      }
      received.add(envelope);
      List<Message> toSend =
          envelope.body() instanceof EndMessage
              ? finalResults()
              : envelope.body() instanceof UnavailableMessage ? List.of() : answers.apply(envelope);
      toSend.forEach(answer -> answer(envelope, answer));
      inbox.wake();
      return true;
    }

    private void answer(Envelope asked, Message answer) {
      inbox.received(asked.answer(answer), () -> {});
    }

    private List<Message> finalResults() {
      return List.of(
          TrajectoryMessage.partsOf(List.of()).get(0),
          MapMessage.ofEnd(FakeService.MAP),
          new FinishedMessage(
              0,
              0,
              0,
              Map.of(),
              0,
              0,
              0,
              0,
              OdometryStatistics.NONE,
              1,
              TaskBalance.NONE,
              RecoveryReport.NONE,
              LoopClosureReport.NONE,
              0,
              ""));
    }

    private List<Long> readings() {
      return received.stream()
          .filter(each -> each.body() instanceof ReadingMessage)
          .map(Envelope::sequence)
          .toList();
    }

    @Override
    public boolean isUp() {
      return true;
    }

    @Override
    public boolean flush(Duration atMost) {
      return true;
    }

    @Override
    public int unconfirmed() {
      return 0;
    }

    @Override
    public void subscribeToAnswers(String robot, int prefetch, Receiver receiver) {}

    @Override
    public void subscribeToReadings(int prefetch, Receiver receiver) {}

    @Override
    public void deleteAnswerQueues(String robot) {}

    @Override
    public void deleteReadingsQueue() {}

    @Override
    public void close() {}
  }

  private final class Source implements ReadingSource {

    private final Deque<Reading> waiting = new ArrayDeque<>();
    private boolean damaged;

    @Override
    public Reading due(long nanoTime) {
      if (damaged) {
        throw new UncheckedIOException(new IOException("line 7 is cut off"));
      }
      return waiting.peek();
    }

    @Override
    public void sent(long nanoTime) {
      waiting.remove();
    }

    @Override
    public void drop() {
      waiting.remove();
    }

    @Override
    public long dueInNanos(long nanoTime) {
      return waiting.isEmpty() ? Long.MAX_VALUE : 0;
    }

    @Override
    public boolean isExhausted() {
      return waiting.isEmpty();
    }

    @Override
    public void stop() {}
  }

  /** Writes down what it is told; a reading's stamp is its number. */
  private final class Robot implements SessionListener {

    private Runnable whenPosed = () -> {};
    private boolean diskFull;

    @Override
    public void onPose(Reading reading, RobotPose pose) {
      events.add("pose " + reading.stampNanos());
      whenPosed.run();
    }

    @Override
    public void onOutcome(Reading reading, Outcome outcome) {
      events.add(outcome.getClass().getSimpleName() + " " + reading.stampNanos());
    }

    @Override
    public void onLost(Reading reading, String why) {
      events.add("no answer to " + reading.stampNanos() + ": " + why);
    }

    @Override
    public void onUnsendable(Reading reading, Refusal.Reason why) {
      events.add("unsendable " + reading.stampNanos() + ": " + why);
    }

    @Override
    public void onMap(OccupancyGrid map, boolean last, int correction, long stampNanos)
        throws IOException {
      write("map" + (last ? ", the last" : ""));
    }

    @Override
    public void onEnd(OccupancyGrid map, List<PathPose> path) throws IOException {
      write("end");
    }

    @Override
    public void onIncompleteEnd(String why, List<PathPose> path) throws IOException {
      write("broken end: " + why);
    }

    private void write(String event) throws IOException {
      events.add(event);
      if (diskFull) {
        throw new IOException("no space left");
      }
    }

    @Override
    public void onRestart(String why) {
      events.add("restart: " + why);
    }

    @Override
    public void onSilence(String why) {
      events.add("silence: " + why);
      if (answersAfterSilence) {
        secondsPerLook = 0;
        service.answers = reading -> List.of(processed(reading));
      }
    }

    @Override
    public void onOutage(String why) {}

    @Override
    public void onReconnect() {}
  }

  // --- poses -----------------------------------------------------------------------------------

  @Test
  void handsOnAPoseBeforeItsOutcomeComesAndOnlyOnce() throws Exception {
    service.answers = reading -> List.of(pose(reading));
    robot.whenPosed =
        () -> {
          Envelope reading = service.received.get(0);
          service.answer(reading, processed(reading));
        };
    run(ReadingSession.OnLoss.NEW_RUN, 1, 1);
    assertThat(events).containsExactly("pose 1", "Processed 1", "map, the last", "end");
  }

  @Test
  void handsOnNoPoseThatComesAfterItsOutcome() throws Exception {
    service.answers = reading -> List.of(processed(reading), pose(reading));
    run(ReadingSession.OnLoss.NEW_RUN, 1, 2);
    assertThat(events)
        .containsExactly("pose 1", "Processed 1", "pose 2", "Processed 2", "map, the last", "end");
  }

  @Test
  void dropsAPoseThatIsOlderThanTheLatest() throws Exception {
    service.answers =
        second -> {
          if (second.sequence() == 1) {
            return List.of();
          }
          Envelope first = service.received.get(0);
          service.answer(second, pose(second));
          service.answer(first, pose(first));
          service.answer(first, processed(first));
          return List.of(processed(second));
        };
    run(ReadingSession.OnLoss.NEW_RUN, 2, 2);
    assertThat(events)
        .containsExactly("pose 2", "Processed 1", "Processed 2", "map, the last", "end");
  }

  // --- losses ----------------------------------------------------------------------------------

  @Test
  void beginsANewRunThatCountsAnewWhenARobotsReadingIsLost() throws Exception {
    service.answers = reading -> List.of(reading.sequence() == 3 ? lost() : processed(reading));
    SessionResult result = run(ReadingSession.OnLoss.NEW_RUN, 1, 4);
    assertThat(service.readings()).containsExactly(1L, 2L, 3L, 1L);
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(2);
    assertThat(events)
        .containsSubsequence(
            "pose 2",
            "Lost 3",
            "restart: the service lost a reading: a task died",
            "pose 4",
            "Processed 4",
            "end");
    assertThat(result.failure()).isEmpty();
  }

  @Test
  void endsTheRunWhenALogsReadingIsLost() throws Exception {
    service.answers = reading -> List.of(reading.sequence() == 2 ? lost() : processed(reading));
    SessionResult result = run(ReadingSession.OnLoss.END_RUN, 1, 4);
    assertThat(service.readings()).containsExactly(1L, 2L);
    assertThat(result.failure()).contains("reading 2 was lost: a task died");
    assertThat(result.finished()).as("what came before it is mapped").isPresent();
    assertThat(events).endsWith("Lost 2", "map, the last", "end");
  }

  @Test
  void endsTheRunWhenALogGetsNoAnswer() throws Exception {
    String why = "no answer to reading 1 for 60 s; is a service running at this broker?";
    service.answers = reading -> List.of();
    secondsPerLook = 20;
    SessionResult result = run(ReadingSession.OnLoss.END_RUN, 1, 2);
    assertThat(result.failure()).contains(why);
    assertThat(result.resent()).isPositive();
    assertThat(service.readings()).containsOnly(1L);
    assertThat(events)
        .anyMatch(each -> each.matches("silence: no answer to reading 1 for .*; waits \\d+ s more"))
        .endsWith(
            "no answer to 1: the gateway was stopped before the answer came", "broken end: " + why);
  }

  /** Each time it is back, the service is given its time anew; but not for ever. */
  @Test
  void endsTheRunOfALogWhoseBrokerComesAndGoesWithoutAnAnswer() throws Exception {
    service.answers =
        reading -> {
          inbox.onUp();
          return List.of();
        };
    secondsPerLook = 5;
    SessionResult result = run(ReadingSession.OnLoss.END_RUN, 1, 2);
    assertThat(result.failure()).get().asString().startsWith("no answer to reading 1 for ");
  }

  /** However long it takes: what it is without an answer to is sent again. */
  @Test
  void waitsWhenARobotGetsNoAnswerAndSaysSoOnce() throws Exception {
    service.answers = reading -> List.of();
    answersAfterSilence = true;
    secondsPerLook = 20;
    SessionResult result = run(ReadingSession.OnLoss.NEW_RUN, 1, 2);
    assertThat(events)
        .containsExactly(
            "silence: no answer to reading 1 for 60 s; is a service running at this broker?",
            "pose 1",
            "Processed 1",
            "pose 2",
            "Processed 2",
            "map, the last",
            "end");
    assertThat(service.received.stream().map(Envelope::run).distinct()).hasSize(1);
    assertThat(result.failure()).isEmpty();
  }

  /** Answers in pieces, and one of a service with another bound on messages. */
  @Test
  void saysWhatWasRefusedInPlaceOfAnAnswerAndGoesOn() throws Exception {
    service.answers =
        reading -> {
          for (int i = 0; i < 3; i++) {
            inbox.refused(BrokerRefusal.NO_ROOM.because("9 bytes beside 8 of others, 16 at most"));
          }
          inbox.refused(BrokerRefusal.TOO_LARGE.because("99 bytes, at most 16"));
          service.answers = again -> List.of();
          return List.of();
        };
    answersAfterSilence = true;
    secondsPerLook = 20;
    SessionResult result = run(ReadingSession.OnLoss.NEW_RUN, 1, 2);
    assertThat(events)
        .startsWith(
            "silence: no answer to reading 1 for 60 s, but 3 messages that were refused: "
                + BrokerRefusal.NO_ROOM.because("9 bytes beside 8 of others, 16 at most")
                + " and 1 message that was refused: "
                + BrokerRefusal.TOO_LARGE.because("99 bytes, at most 16"))
        .contains("Processed 1", "Processed 2")
        .endsWith("end");
    assertThat(result.failure()).isEmpty();
  }

  /** A service that died with its broker asks for what was in no checkpoint of it. */
  @Test
  void sendsAgainWhatTheServiceAsksForAndSaysWhatIsGone() throws Exception {
    Set<Long> before = new HashSet<>();
    service.answers =
        reading -> {
          boolean again = !before.add(reading.sequence());
          List<Message> all = new ArrayList<>();
          if (reading.sequence() == 5 && !again) {
            all.add(new ResendRequestMessage(2, 4));
          }
          all.add(processed(reading, 3));
          return all;
        };
    SessionResult result = run(ReadingSession.OnLoss.END_RUN, 1, 6);
    assertThat(service.received)
        .extracting(each -> each.body().getClass().getSimpleName() + " " + each.sequence())
        .containsExactly(
            "ReadingMessage 1",
            "ReadingMessage 2",
            "ReadingMessage 3",
            "ReadingMessage 4",
            "ReadingMessage 5",
            "UnavailableMessage 2",
            "ReadingMessage 4",
            "ReadingMessage 6",
            "EndMessage 6");
    assertThat(((UnavailableMessage) service.received.get(5).body()).last()).isEqualTo(3);
    assertThat(result.duplicates()).isOne();
    assertThat(result.failure()).isEmpty();
  }

  // --- the end ---------------------------------------------------------------------------------

  @Test
  void endsWhenItsSourceIsExhausted() throws Exception {
    SessionResult result = run(ReadingSession.OnLoss.END_RUN, 2, 3);
    assertThat(service.readings()).containsExactly(1L, 2L, 3L);
    assertThat(service.received)
        .last()
        .satisfies(last -> assertThat(((EndMessage) last.body()).readings()).isEqualTo(3));
    assertThat(result.finished()).isPresent();
    assertThat(result.failure()).isEmpty();
  }

  @Test
  void aRobotThatHasSentNothingHasNothingToEnd() throws Exception {
    run(ReadingSession.OnLoss.NEW_RUN, 2, 0);
    assertThat(service.received).isEmpty();
    assertThat(events).isEmpty();
  }

  @Test
  void goesOnBehindAReadingThatIsTooLarge() throws Exception {
    service.tooLarge = 2;
    run(ReadingSession.OnLoss.END_RUN, 1, 3);
    assertThat(service.readings()).containsExactly(1L, 2L);
    assertThat(events)
        .containsSubsequence(
            "unsendable 2: The message is larger than broker.maxMessageBytes allows (1 GB)",
            "pose 3",
            "Processed 3",
            "end");
  }

  @Test
  void endsInOrderWhenTheLogCannotBeReadAnyFurther() throws Exception {
    source.damaged = true;
    SessionResult result = run(ReadingSession.OnLoss.END_RUN, 1, 1);
    assertThat(result.failure()).contains("the log cannot be read any further: line 7 is cut off");
    assertThat(events).endsWith("end");
  }

  @Test
  void saysThatTheResultsCannotBeWritten() throws Exception {
    robot.diskFull = true;
    SessionResult result = run(ReadingSession.OnLoss.END_RUN, 1, 1);
    assertThat(result.failure())
        .contains(
            "the results cannot be written: no space left;"
                + " the results cannot be written: no space left");
    assertThat(events)
        .endsWith("map, the last", "broken end: the results cannot be written: no space left");
  }
}
