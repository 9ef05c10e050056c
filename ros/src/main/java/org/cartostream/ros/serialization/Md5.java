package org.cartostream.ros.serialization;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** MD5 sums by which two nodes check that they have the same definition of a message. */
final class Md5 {

  private Md5() {}

  static String of(MessageDefinition definition) {
    return of(definition.md5Text());
  }

  /** Returns the sum as 32 hexadecimal digits. */
  static String of(String text) {
    try {
      byte[] sum = MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has MD5", e);
    }
  }
}
