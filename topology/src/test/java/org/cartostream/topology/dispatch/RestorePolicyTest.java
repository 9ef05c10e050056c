package org.cartostream.topology.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.cartostream.testing.Quick;
import org.cartostream.topology.run.Run;
import org.cartostream.topology.stream.FailedReadingException;
import org.cartostream.topology.stream.LostMessageException;
import org.cartostream.topology.stream.Payload;
import org.cartostream.topology.task.Component;
import org.junit.jupiter.api.Test;

@Quick
class RestorePolicyTest {

  private final RestorePolicy policy = new RestorePolicy();

  private static Payload.Failed failure(long epoch, long reading, Throwable how) {
    return Payload.Failed.of(new Run("r1", 1, epoch), Component.Matchers.class, reading, how);
  }

  private void fail(long epoch, long reading) {
    policy.failed(failure(epoch, reading, new IllegalStateException("no")), 0);
  }

  @Test
  void aReadingThatFailsInTwoEpochsIsRefused() {
    fail(1, 5);
    assertThat(policy.isToRefuse(5)).isFalse();
    fail(2, 5);
    assertThat(policy.isToRefuse(5)).isTrue();
    assertThat(policy.isToRefuse(4)).isFalse();
  }

  /** Less is to be repeated each time, and that has an end. */
  @Test
  void aRunThatHasALaterCheckpointHasComeFurther() {
    policy.forgetTo(3);
    for (int restore = 1; restore <= 3; restore++) {
      policy.begin(3, 0);
      assertThat(policy.restores()).isEqualTo(restore);
    }
    policy.forgetTo(3);
    assertThat(policy.restores()).isEqualTo(3);
    policy.forgetTo(4);
    assertThat(policy.restores()).isZero();
  }

  /** One of them would do; and nothing was tried again in between. */
  @Test
  void tasksThatFailAtItInOneEpochCountOnce() {
    policy.begin(0, 0);
    fail(1, 5);
    fail(1, 5);
    assertThat(policy.isToRefuse(5)).isFalse();
  }

  @Test
  void whatFailedLongBeforeDidNotFailAgain() {
    fail(1, 5);
    policy.served(30, 0);
    fail(2, 5);
    assertThat(policy.isToRefuse(5)).isFalse();
  }

  @Test
  void afterThreeInSuccessionSomethingElseIsWrong() {
    for (long reading = 5; reading < 8; reading++) {
      fail(2 * reading, reading);
      fail(2 * reading + 1, reading);
      assertThat(policy.isToRefuse(reading)).isTrue();
      policy.refuse(reading);
    }
    fail(100, 8);
    assertThat(policy.isToGiveUp()).isFalse();
    fail(101, 8);
    assertThat(policy.isToRefuse(8)).isFalse();
    assertThat(policy.isToGiveUp()).isTrue();
  }

  /** Which reading comes when memory runs out is chance; a message that was lost is nobody's. */
  @Test
  void memoryThatRunsOutIsNoReadingsFault() {
    assertThat(failure(1, 5, new OutOfMemoryError()).reading()).isZero();
    FailedReadingException memory = new FailedReadingException(6, new OutOfMemoryError());
    assertThat(failure(1, 5, memory).reading()).isZero();
    FailedReadingException lost = new FailedReadingException(6, new LostMessageException("gone"));
    assertThat(failure(1, 5, lost).lost()).isTrue();
    FailedReadingException next = new FailedReadingException(6, new StackOverflowError());
    assertThat(failure(1, 5, next).reading()).isEqualTo(6);
  }

  /** A broker that is started again is away for longer than a tick. */
  @Test
  void whatFailsAgainWaitsTwiceAsLongEachTime() {
    assertThat(policy.failed(failure(1, 5, new LostMessageException("lost")), 0)).isTrue();
    long now = 0;
    for (long seconds = 2; seconds <= 32; seconds *= 2) {
      policy.begin(0, now);
      assertThat(policy.failed(failure(seconds, 5, new LostMessageException("lost")), now))
          .isFalse();
      long due = now + TimeUnit.SECONDS.toNanos(seconds);
      assertThat(policy.due(due - 1)).as("before %d s", seconds).isEmpty();
      assertThat(policy.due(due)).as("after %d s", seconds).isNotEmpty();
      now = due;
    }
  }
}
