package org.cartostream.deploy.cluster;

/**
 * What a look at one part of a cluster has shown.
 *
 * @param part what was looked at
 * @param says what was found, with figures
 * @param cure what to do; empty if all is well
 */
public record HealthResult(String part, String finding, String remedy) {

  static HealthResult healthy(String part, String says) {
    return new HealthResult(part, says, "");
  }

  /** True if nothing has to be done. */
  public boolean isHealthy() {
    return remedy.isEmpty();
  }
}
