package org.cartostream.bench.broadcast;

import java.util.List;
import java.util.stream.IntStream;

/**
 * A case that is measured: key frames of one size to a number of tasks in four processes.
 *
 * @param road way that the key frames take
 * @param tasks number of tasks, which the processes share evenly
 * @param bytes size of a key frame's ranges
 * @param messages number of key frames
 * @param pauseMillis time from one key frame to the next, milliseconds
 */
record BroadcastCase(Road road, int tasks, int bytes, int messages, int pauseMillis) {

  /** Number of processes: two on each of two hosts. */
  static final int PROCESSES = 4;

  /** Key frames before those that count. */
  static final int WARM_UP = 50;

  enum Road {
    /** Serialized once; one copy for the other host, one for each process. */
    PLACE,
    /** As Storm does it: serialized for each task of another process, with a copy for each. */
    ALL_GROUPING
  }

  /** Returns the number of key frames with those that do not count. */
  int all() {
    return WARM_UP + messages;
  }

  /** Returns the tasks of a process. */
  List<Integer> tasksOf(int process) {
    return IntStream.range(0, tasks).filter(task -> task % PROCESSES == process).boxed().toList();
  }
}
