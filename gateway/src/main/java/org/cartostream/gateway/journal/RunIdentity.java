package org.cartostream.gateway.journal;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cartostream.gateway.GatewayException;

/**
 * The robot's id and the settings of a run, by which a resumed gateway checks that it continues the
 * same run.
 *
 * @param values the id and the settings by their key
 */
record RunIdentity(SortedMap<String, String> values) {

  static RunIdentity of(Map<String, String> values) {
    return new RunIdentity(new TreeMap<>(values));
  }

  static RunIdentity read(DataInputStream in) throws IOException {
    SortedMap<String, String> values = new TreeMap<>();
    for (int left = in.readInt(); left > 0; left--) {
      values.put(in.readUTF(), in.readUTF());
    }
    return new RunIdentity(values);
  }

  RunIdentity with(Map<String, String> otherwise) {
    SortedMap<String, String> changed = new TreeMap<>(values);
    changed.putAll(otherwise);
    return new RunIdentity(changed);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeInt(values.size());
    for (Map.Entry<String, String> each : values.entrySet()) {
      out.writeUTF(each.getKey());
      out.writeUTF(each.getValue());
    }
  }

  /**
   * Checks that a run may go on under this identity.
   *
   * @throws GatewayException naming every key whose value differs
   */
  void requireSame(RunIdentity before) {
    StringBuilder differences = new StringBuilder();
    SortedMap<String, String> all = new TreeMap<>(before.values);
    all.putAll(values);
    for (String key : all.keySet()) {
      String was = before.values.getOrDefault(key, "not set");
      String is = values.getOrDefault(key, "not set");
      if (!was.equals(is)) {
        differences.append(differences.isEmpty() ? "" : "; ");
        differences.append(key + " was " + was + " and is " + is + " now");
      }
    }
    if (!differences.isEmpty()) {
      throw new GatewayException("the run cannot go on, for it was another run: " + differences);
    }
  }
}
