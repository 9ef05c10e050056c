package org.cartostream.topology.response;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cartostream.broker.message.Envelope;
import org.cartostream.broker.message.FinishedMessage.RecoveryReport;
import org.cartostream.broker.message.Outcome;
import org.cartostream.broker.message.OutcomeMessage;
import org.cartostream.broker.message.PoseMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.RobotPose;
import org.cartostream.slam.trajectory.Correction;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.PauseTolerantClock;
import org.junit.jupiter.api.Test;

@Quick
class ResponseSenderTest {

  private static final Run RUN = new Run("r2d2", 1, 0);
  private static final Payload.Ended END = new Payload.Ended(RUN, 2, 0, 0, RecoveryReport.NONE, "");
  private static final int KEPT_SECONDS = 10;

  /** The robot hears numbers, and words. */
  private final List<String> heard = new ArrayList<>();

  /** What each answer said of the reading up to which all is durable. */
  private final List<Long> durable = new ArrayList<>();

  private final AtomicLong nanoTime = new AtomicLong();
  private final PauseTolerantClock clock = new PauseTolerantClock(nanoTime::get);

  private ResponseSender sender() {
    return new ResponseSender(RUN, this::hear, clock);
  }

  private void hear(Envelope envelope) {
    heard.add(describe(envelope));
    if (envelope.body() instanceof OutcomeMessage message) {
      durable.add(message.durable());
    }
  }

  private static String describe(Envelope envelope) {
    assertThat(envelope.robot()).isEqualTo("r2d2");
    assertThat(envelope.run()).isEqualTo(1);
    String what =
        envelope.body() instanceof OutcomeMessage message
            ? ((Outcome.Lost) message.outcome()).sentence()
            : Double.toString(((PoseMessage) envelope.body()).pose().inMap().x());
    return envelope.sequence() + ": " + what;
  }

  private static boolean answer(ResponseSender responseSender, long sequence, String sentence) {
    return responseSender.answer(sequence, 0, new Outcome.Lost(sentence));
  }

  private static PoseMessage at(double x) {
    return new PoseMessage(new RobotPose(new Pose(x, 0, 0), Correction.NONE, 1, 0));
  }

  private static void sendFinalResult(ResponseSender responseSender) {
    responseSender.sendFinalResult(
        END.sequence(), END.stampNanos(), List.of(at(3), at(4)), at(5), KEPT_SECONDS);
  }

  @Test
  void givesEachReadingOneAnswerTheFirst() {
    ResponseSender responseSender = sender();

    assertThat(answer(responseSender, 1, "one")).isTrue();
    assertThat(answer(responseSender, 1, "another")).isFalse();
    assertThat(responseSender.resendAnswer(1)).isTrue();
    assertThat(responseSender.resendAnswer(2)).isFalse();

    assertThat(heard).containsExactly("1: one", "1: one");
  }

  @Test
  void givesNoSecondAnswerToWhatItHasForgotten() {
    ResponseSender responseSender = sender();
    for (int sequence = 1; sequence <= 300; sequence++) {
      assertThat(answer(responseSender, sequence, "once")).isTrue();
    }
    assertThat(answer(responseSender, 1, "twice")).isFalse();
    assertThat(responseSender.resendAnswer(300)).isTrue();
  }

  /** It has them from the checkpoint that its predecessor wrote. */
  @Test
  void givesNoSecondAnswerToWhatWasAnsweredBeforeARestore() {
    ResponseSender before = sender();
    answer(before, 1, "one");
    answer(before, 2, "two");
    heard.clear();
    ResponseSender restored = sender();
    restored.restore(before.answers());

    assertThat(answer(restored, 1, "another")).isFalse();
    assertThat(restored.resendAnswer(1)).isTrue();
    assertThat(answer(restored, 3, "three")).isTrue();

    assertThat(heard).containsExactly("1: one", "3: three");
  }

  @Test
  void saysWithEachLaterAnswerWhatNeedNeverBeSentAgain() {
    ResponseSender responseSender = sender();
    answer(responseSender, 1, "one");
    responseSender.durableTo(1);
    answer(responseSender, 2, "two");

    assertThat(durable).containsExactly(0L, 1L);
  }

  @Test
  void keepsItsFinalResultForAWhileAndThenSaysThatItIsGone() {
    ResponseSender responseSender = sender();
    sendFinalResult(responseSender);
    for (int second = 0; second < KEPT_SECONDS; second++) {
      assertThat(responseSender.watch()).isFalse();
      nanoTime.addAndGet(TimeUnit.SECONDS.toNanos(1));
      clock.tick();
    }
    assertThat(responseSender.watch()).isFalse();
    nanoTime.incrementAndGet();
    assertThat(responseSender.watch()).isTrue();
    responseSender.resendFinalResult();

    assertThat(heard).containsExactly("2: 3.0", "2: 4.0", "2: 5.0");
  }
}
