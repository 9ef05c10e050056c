package org.cartostream.cli.cluster;

/**
 * What a look at one part of a cluster has shown.
 *
 * @param part what was looked at
 * @param says what was found, with figures
 * @param cure what to do; empty if all is well
 */
public record Finding(String part, String says, String cure) {

  static Finding well(String part, String says) {
    return new Finding(part, says, "");
  }

  /** True if nothing has to be done. */
  public boolean isWell() {
    return cure.isEmpty();
  }
}
