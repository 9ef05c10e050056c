package org.cartostream.deploy.cluster;

/**
 * Result of the health check of one part of a cluster.
 *
 * @param part part that was checked, such as {@code nimbus}
 * @param finding what was found, with figures
 * @param remedy what to do; empty if all is well
 */
public record HealthResult(String part, String finding, String remedy) {

  static HealthResult healthy(String part, String found) {
    return new HealthResult(part, found, "");
  }

  /** Returns true if nothing has to be done. */
  public boolean isHealthy() {
    return remedy.isEmpty();
  }
}
