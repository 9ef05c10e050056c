package org.cartostream.topology;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.cartostream.slam.filter.Step;

/**
 * The readings of one run that are being processed.
 *
 * <p>Owns them, in the order of admission, when one was served last, and since when the first is
 * waited for.
 */
final class Underway {

  private final Run run;
  private final DispatcherVoice voice;
  private final Deque<Serving> readings = new ArrayDeque<>();
  private long servedAtNanoTime = Long.MIN_VALUE;

  /** By the dispatcher's clock. */
  private long firstSinceAwake;

  Underway(Run run, DispatcherVoice voice) {
    this.run = run;
    this.voice = voice;
  }

  boolean isEmpty() {
    return readings.isEmpty();
  }

  int size() {
    return readings.size();
  }

  boolean has(long sequence) {
    return readings.stream().anyMatch(reading -> reading.sequence() == sequence);
  }

  /**
   * One is added.
   *
   * @param now by the dispatcher's {@link AwakeClock}, as wherever nothing else is said
   */
  void add(Serving reading, long now) {
    if (readings.isEmpty()) {
      firstSinceAwake = now;
    }
    readings.add(reading);
  }

  /** The one that was added last is not processed after all. */
  void dropLast() {
    readings.removeLast();
  }

  /** The one that was added last goes to the tasks. */
  void lastIsKeyFrame(Step step) {
    readings.getLast().isKeyFrame(step);
  }

  /** The one that was admitted first; there is one. */
  Serving first() {
    return readings.getFirst();
  }

  /** The key frames among them. */
  List<Step> keyFrames() {
    return readings.stream().map(Serving::keyFrame).filter(step -> step != null).toList();
  }

  /** A task is done with its share of one. */
  void ready(Payload.Ready by) {
    readings.stream()
        .filter(reading -> reading.sequence() == by.sequence())
        .forEach(reading -> reading.done(by.stint()));
  }

  /** All tasks are done with all of them. */
  void settle() {
    readings.forEach(Serving::settle);
  }

  /**
   * Says which are served: in the order of admission, whatever is done first.
   *
   * @return true if one was
   */
  boolean sayServed(long now) {
    long nanoTime = System.nanoTime();
    boolean any = false;
    while (!readings.isEmpty() && readings.getFirst().isDone()) {
      Serving first = readings.remove();
      long took = nanoTime - Math.max(first.admitted(), servedAtNanoTime);
      voice
          .served()
          .emit(new Payload.Served(run, first.sequence(), first.admitted(), took, first.stints()));
      servedAtNanoTime = nanoTime;
      firstSinceAwake = now;
      any = true;
    }
    return any;
  }

  /** Since when the first is waited for: it was admitted, or the one before was served. */
  long firstSince() {
    return firstSinceAwake;
  }

  /** They are given up. */
  List<Serving> takeAll() {
    List<Serving> all = new ArrayList<>(readings);
    readings.clear();
    return all;
  }
}
