package org.cartostream.run.exit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.misc.Signal;

@Quick
class ShutdownRequestTest {

  private static final Signal INT = new Signal("INT");

  private final List<Integer> halts = new ArrayList<>();
  private final ShutdownRequest shutdownRequest = new ShutdownRequest(halts::add);
  private final StringWriter err = new StringWriter();
  private final List<String> told = new ArrayList<>();

  @Test
  void tellsWhoWaitsOnce() {
    shutdownRequest.whenRequested(() -> told.add("stop"));
    assertThat(shutdownRequest.requested()).isFalse();
    shutdownRequest.request(130);
    shutdownRequest.request(143);
    assertThat(told).containsExactly("stop");
    assertThat(shutdownRequest.exitCode()).isEqualTo(130);
  }

  @Test
  void tellsWhoComesLateAtOnce() {
    shutdownRequest.request(130);
    shutdownRequest.whenRequested(() -> told.add("stop"));
    assertThat(told).containsExactly("stop");
  }

  private String said(String word) {
    await().until(() -> err.toString().contains(word));
    return err.toString();
  }

  @Test
  @Timeout(30)
  void endsTheProcessAtTheSecondWish() {
    shutdownRequest.whenRequested(() -> told.add("stop"));
    shutdownRequest.raise(INT, new PrintWriter(err));
    assertThat(said("second")).contains("ending; a second Ctrl-C ends the process at once");
    assertThat(halts).isEmpty();
    shutdownRequest.raise(INT, new PrintWriter(err));
    assertThat(halts).containsExactly(130);
  }

  /** A live robot's newest map would be lost. */
  @Test
  @Timeout(30)
  void givesUpAtTheSecondWishAndEndsTheProcessAtTheThirdIfAsked() {
    shutdownRequest.whenRequestedAgain("gives up", () -> told.add("give up"));
    shutdownRequest.whenRequested(() -> told.add("stop"));
    shutdownRequest.raise(INT, new PrintWriter(err));
    assertThat(said("second")).contains("ending; a second Ctrl-C gives up");
    assertThat(told).containsExactly("stop");
    shutdownRequest.raise(INT, new PrintWriter(err));
    assertThat(said("third")).contains("giving up; a third Ctrl-C ends the process at once");
    assertThat(told).containsExactly("stop", "give up");
    assertThat(halts).isEmpty();
    shutdownRequest.raise(INT, new PrintWriter(err));
    assertThat(told).containsExactly("stop", "give up");
    assertThat(halts).containsExactly(130);
  }

  @Test
  void endsTheProcessAtTheSecondWishWhenThereIsNothingToGiveUpAnyMore() {
    shutdownRequest.whenRequestedAgain("gives up", () -> told.add("give up"));
    shutdownRequest.endWhenRequestedAgain();
    shutdownRequest.raise(INT, new PrintWriter(err));
    shutdownRequest.raise(INT, new PrintWriter(err));
    assertThat(told).isEmpty();
    assertThat(halts).containsExactly(130);
  }

  /** As {@code cartostream ... 2>&1 | less} does, once its page is full. */
  @Test
  @Timeout(30)
  void endsTheRunThoughNobodyReadsWhatItSays() throws Exception {
    shutdownRequest.whenRequested(() -> told.add("stop"));
    CountDownLatch read = new CountDownLatch(1);
    StringWriter page = new StringWriter();
    PrintWriter unread =
        new PrintWriter(
            new FilterWriter(page) {
              @Override
              public void write(String text, int from, int length) throws IOException {
                await().until(() -> read.getCount() == 0);
                super.write(text, from, length);
              }
            });
    shutdownRequest.raise(INT, unread);
    assertThat(told).containsExactly("stop");
    assertThat(shutdownRequest.exitCode()).isEqualTo(130);
    read.countDown();
    await().until(() -> page.toString().contains("a second Ctrl-C"));
  }
}
