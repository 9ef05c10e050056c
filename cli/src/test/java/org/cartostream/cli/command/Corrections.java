package org.cartostream.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;

/** Transforms from map to odom, as peers in ROS 2's graph print them. */
final class Corrections {

  static final String LINE = "tf map odom ";

  private Corrections() {}

  /** When they came, in milliseconds. */
  static List<Long> millis(List<String> said) {
    return said.stream()
        .filter(each -> each.startsWith(LINE))
        .map(each -> Long.parseLong(each.split(" ")[3]))
        .toList();
  }

  /** As a rule: not while the machine stands still. */
  static void assertComeTwentyTimesASecond(List<Long> millis) {
    long[] gaps =
        IntStream.range(1, millis.size())
            .mapToLong(i -> millis.get(i) - millis.get(i - 1))
            .sorted()
            .toArray();
    assertThat(gaps[gaps.length / 2]).isBetween(40L, 75L);
  }
}
