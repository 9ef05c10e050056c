package org.cartostream.run.report;

import com.rabbitmq.client.impl.ClientVersion;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.cartostream.broker.Version;

/** Versions of this program and of the libraries it stands on. */
public final class Versions {

  private static final String UNKNOWN = "unknown";

  private Versions() {}

  /** Returns the version of each component, by its name; this program's first. */
  public static Map<String, String> all() {
    Map<String, String> versions = new LinkedHashMap<>();
    versions.put("cartostream", Version.current());
    versions.put("java", System.getProperty("java.runtime.version"));
    versions.put("storm", maven("org.apache.storm", "storm-client"));
    versions.put("rabbitmqClient", ClientVersion.VERSION);
    versions.put("qpidBroker", maven("org.apache.qpid", "qpid-broker-core"));
    versions.put("kryo", maven("com.esotericsoftware", "kryo"));
    versions.values().removeIf(UNKNOWN::equals); // The package for robots contains no Storm.
    return versions;
  }

  /**
   * Returns the processor's name as the system has it, with the number of cores available to this
   * process.
   */
  public static String processor() {
    String cores = " x " + Runtime.getRuntime().availableProcessors();
    try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8)) {
      return lines
              .filter(line -> line.startsWith("model name"))
              .map(line -> line.substring(line.indexOf(':') + 1).trim())
              .findFirst()
              .orElse(System.getProperty("os.arch"))
          + cores;
    } catch (IOException notLinux) {
      return System.getProperty("os.arch") + cores;
    }
  }

  private static String maven(String group, String artifact) {
    return property("/META-INF/maven/" + group + "/" + artifact + "/pom.properties");
  }

  private static String property(String resource) {
    Properties properties = new Properties();
    try (InputStream stream = Versions.class.getResourceAsStream(resource)) {
      if (stream != null) {
        properties.load(stream);
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot read " + resource, e);
    }
    return properties.getProperty("version", UNKNOWN);
  }
}
