package org.cartostream.broker;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** Version of Cartostream, which each side sends to the other. */
public final class Version {

  private static final String FILE = "version.properties";

  private Version() {}

  /** Returns the version, such as {@code 0.1.0}. */
  public static String current() {
    try (InputStream in = Version.class.getResourceAsStream(FILE)) {
      Properties properties = new Properties();
      properties.load(in);
      return properties.getProperty("version");
    } catch (IOException e) {
      throw new UncheckedIOException("the resource " + FILE + " cannot be read", e);
    }
  }
}
