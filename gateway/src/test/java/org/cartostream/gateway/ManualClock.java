package org.cartostream.gateway;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A clock that goes when a test says so, in place of {@link System#nanoTime}. */
public final class ManualClock implements LongSupplier {

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong looks = new AtomicLong();

  @Override
  public long getAsLong() {
    looks.incrementAndGet();
    return nanos.get();
  }

  public void advanceSeconds(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  /** How often it was looked at. */
  public long looks() {
    return looks.get();
  }
}
