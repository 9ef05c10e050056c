package org.cartostream.deploy.host;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Locale;

/** Role of a host in a cluster. The processes of roles start in this order. */
public enum HostRole {
  ZOOKEEPER,
  BROKER,
  NIMBUS,
  SUPERVISOR;

  /** Returns the role's name in {@code hosts.yaml}, which its process' files have, too. */
  @JsonValue
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  @JsonCreator
  static HostRole of(String word) {
    return Arrays.stream(values())
        .filter(role -> role.toString().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'" + word + "' is no role; roles are " + Arrays.toString(values())));
  }
}
