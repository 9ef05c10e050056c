package org.cartostream.cli.collectives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Takes one member's times.
 *
 * <p>For each cell: blocks, of which each is done twice. First, one operation after the other, with
 * roots in turn, between two barriers: the time of one operation in a row. Then each operation
 * alone, with a barrier before it that is not timed: how long this member's call takes.
 */
final class Laps {

  static final int BLOCKS = 5;

  private final Peer peer;
  private final List<String> lines = new ArrayList<>();

  Laps(Peer peer) {
    this.peer = peer;
  }

  /** Does a cell's operation until its code is likely to be compiled. */
  void warmUp(Cell cell) throws Exception {
    peer.prepare(cell.small());
    repeat(2 * cell.small().repetitions(peer.size()));
  }

  private void repeat(int times) throws Exception {
    for (int i = 0; i < times; i++) {
      peer.run(i % peer.size());
    }
  }

  void measure(Cell cell) throws Exception {
    int repetitions = cell.repetitions(peer.size());
    peer.prepare(cell);
    check(cell);
    repeat(repetitions);
    for (int block = 0; block < BLOCKS; block++) {
      long[] times = new long[repetitions + 1];
      times[0] = inARow(repetitions);
      for (int i = 0; i < repetitions; i++) {
        times[i + 1] = alone(i % peer.size());
      }
      lines.add(
          cell.line()
              + ' '
              + LongStream.of(times).mapToObj(Long::toString).collect(Collectors.joining(" ")));
    }
    check(cell);
  }

  /** Nanoseconds of one operation of many. */
  private long inARow(int repetitions) throws Exception {
    peer.barrier();
    long start = System.nanoTime();
    repeat(repetitions);
    peer.barrier();
    return (System.nanoTime() - start) / repetitions;
  }

  /** Nanoseconds of this member's call. */
  private long alone(int root) throws Exception {
    peer.barrier();
    long start = System.nanoTime();
    peer.run(root);
    return System.nanoTime() - start;
  }

  /** A library that brings something else would be measured at other work. */
  private void check(Cell cell) throws Exception {
    for (int root = 0; root < peer.size(); root++) {
      peer.run(root);
      byte[] expected = Payload.expected(cell, root, peer.rank(), peer.size());
      if (expected != null && !Arrays.equals(expected, peer.brought())) {
        throw new IllegalStateException(cell + " brought rank " + peer.rank() + " something else");
      }
    }
  }

  /** One line for each block: the cell, nanoseconds in a row, nanoseconds alone for each call. */
  void write(Path folder) throws IOException {
    Files.write(file(folder, peer.rank()), lines);
  }

  static Path file(Path folder, int rank) {
    return folder.resolve("times-" + rank);
  }
}
