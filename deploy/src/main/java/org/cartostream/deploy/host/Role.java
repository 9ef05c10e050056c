package org.cartostream.deploy.host;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/** Roles of a host in a cluster, in the order in which their processes start. */
public enum Role {
  ZOOKEEPER,
  BROKER,
  NIMBUS,
  SUPERVISOR;

  /** Returns the name that {@code hosts.yaml} and the files have. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  @JsonCreator
  static Role of(String word) {
    return Arrays.stream(values())
        .filter(role -> role.toString().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + word + "' is no role; roles are " + Arrays.toString(values())));
  }
}
