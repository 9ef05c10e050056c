package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import sun.misc.Signal;

class InterruptionTest {

  private final Interruption interruption = new Interruption();
  private final List<String> told = new ArrayList<>();

  @Test
  void tellsWhoWaitsOnce() {
    interruption.whenRequested(() -> told.add("stop"));
    assertThat(interruption.requested()).isFalse();
    interruption.request(130);
    interruption.request(143);
    assertThat(told).containsExactly("stop");
    assertThat(interruption.exitCode()).isEqualTo(130);
  }

  @Test
  void tellsWhoComesLateAtOnce() {
    interruption.request(130);
    interruption.whenRequested(() -> told.add("stop"));
    assertThat(told).containsExactly("stop");
  }

  /** As {@code cartostream ... 2>&1 | less} does, once its page is full. */
  @Test
  @Timeout(30)
  void endsTheRunThoughNobodyReadsWhatItSays() throws Exception {
    interruption.whenRequested(() -> told.add("stop"));
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
    interruption.raise(new Signal("INT"), unread);
    assertThat(told).containsExactly("stop");
    assertThat(interruption.exitCode()).isEqualTo(130);
    read.countDown();
    await().until(() -> page.toString().contains("a second Ctrl-C"));
  }
}
