package org.cartostream.bench.collectives;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Timer of one member's operations.
 *
 * <p>Each case is measured in blocks of two parts. First come operations one after the other, with
 * roots in turn, between two barriers: the time of one operation in a row. Then comes each
 * operation alone, after a barrier that is not timed: the time of this member's call.
 */
final class MemberTimer {

  static final int BLOCKS = 5;

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final MeasuredMember measuredMember;
  private final List<String> lines = new ArrayList<>();

  MemberTimer(MeasuredMember measuredMember) {
    this.measuredMember = measuredMember;
  }

  /** Runs a case's operation until its code is likely to be compiled. */
  void warmUp(CollectiveCase collectiveCase) throws Exception {
    measuredMember.prepare(collectiveCase.small());
    repeat(2 * collectiveCase.small().repetitions(measuredMember.size()));
  }

  private void repeat(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      measuredMember.run(i % measuredMember.size());
    }
  }

  void measure(CollectiveCase collectiveCase) throws Exception {
    int repetitions = collectiveCase.repetitions(measuredMember.size());
    measuredMember.prepare(collectiveCase);
    check(collectiveCase);
    repeat(repetitions);
    for (int block = 0; block < BLOCKS; block++) {
      long[] times = new long[repetitions + 2];
      long cpu = system.getProcessCpuTime();
      times[0] = inARow(repetitions);
      times[1] = (system.getProcessCpuTime() - cpu) / repetitions;
      for (int i = 0; i < repetitions; i++) {
        times[i + 2] = alone(i % measuredMember.size());
      }
      lines.add(
          collectiveCase.line()
              + ' '
              + LongStream.of(times).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    }
    check(collectiveCase);
  }

  /** Returns the time of one operation of many in a row, nanoseconds. */
  private long inARow(int repetitions) throws Exception {
    measuredMember.barrier();
    long start = System.nanoTime();
    repeat(repetitions);
    measuredMember.barrier();
    return (System.nanoTime() - start) / repetitions;
  }

  /** Returns the time of this member's call, nanoseconds. */
  private long alone(int root) throws Exception {
    measuredMember.barrier();
    long start = System.nanoTime();
    measuredMember.run(root);
    return System.nanoTime() - start;
  }

  /**
   * Checks what the member receives: a library that brings something else would be measured at
   * other work.
   */
  private void check(CollectiveCase collectiveCase) throws Exception {
    for (int root = 0; root < measuredMember.size(); root++) {
      measuredMember.run(root);
      byte[] expected = BenchPayload.expected(collectiveCase, root, measuredMember.size());
      if (expected != null && !Arrays.equals(expected, measuredMember.received())) {
        throw new IllegalStateException(
            collectiveCase + " brought rank " + measuredMember.rank() + " something else");
      }
    }
  }

  /**
   * Writes a line for each block: the case, nanoseconds in a row, nanoseconds of this process's
   * computing time meanwhile, nanoseconds alone for each call.
   */
  void write(Path folder) throws IOException {
    Files.write(file(folder, measuredMember.rank()), lines);
  }

  static Path file(Path folder, int rank) {
    return folder.resolve("times-" + rank);
  }
}
