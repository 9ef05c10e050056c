package org.cartostream.deploy.submission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.cartostream.deploy.spec.PasswordFiles;

/**
 * Folder as Storm's daemons want it, made of the jars that this JVM runs from: Storm's own
 * distribution is not needed.
 *
 * <p>Daemons see {@code lib}: all libraries, and our own classes, as {@link BoundTlsTransport} and
 * {@link BoundPlainTransport} run in daemons. Workers see {@code lib-worker}, without servers, and
 * the topology's jar after it; so they load our RabbitMQ client, not Storm's older one.
 *
 * @param folder {@code storm.home}
 */
public record StormHome(Path folder) {

  /** Parts of the names of libraries that no worker needs: servers, tests' tools, the launcher. */
  private static final List<String> NOT_FOR_WORKERS =
      List.of(
          "storm-server",
          "rocksdb",
          "qpid-broker",
          "picocli",
          "jline",
          "junit",
          "jqwik",
          "assertj",
          "awaitility",
          "archunit",
          "byte-buddy");

  /** Logging of a process: a log of its own, and so few older ones that no disk fills. */
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="log" class="ch.qos.logback.core.rolling.RollingFileAppender">
          <file>${storm.log.dir}/%1$s</file>
          <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
            <fileNamePattern>${storm.log.dir}/%1$s.%%i</fileNamePattern>
            <minIndex>1</minIndex>
            <maxIndex>3</maxIndex>
          </rollingPolicy>
          <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
            <maxFileSize>16MB</maxFileSize>
            <checkIncrement>1 millisecond</checkIncrement>
          </triggeringPolicy>
          <encoder>
            <pattern>%%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %%-5level robot=%%X{robot:--} [%%thread] %%logger{24}: %%msg%%n</pattern>
          </encoder>
        </appender>
        <root level="WARN"><appender-ref ref="log"/></root>
        <logger name="org.cartostream" level="INFO"/>
      </configuration>
      """;

  /**
   * Option without SASL, which no process of a cluster uses. With SASL, ZooKeeper's client looks up
   * the server's name by its address, and then wants to see that name in the certificate.
   */
  public static final String NO_SASL = "-Dzookeeper.sasl.client=false";

  /**
   * Option for the language: libraries fold names by the default locale, and in Turkish some do not
   * recognise their own names.
   */
  public static final String LANGUAGE = "-Duser.language=en";

  /**
   * Options against the warnings that Java gives from 24 on about Storm, Kryo and Netty; 17 takes
   * them, too.
   */
  public static final List<String> WITHOUT_WARNINGS =
      List.of("-Dsun.misc.unsafe.memory.access=allow", "--enable-native-access=ALL-UNNAMED");

  private static final String WORKER_LOG = "${storm.id}-${worker.port}.log";

  /**
   * Makes the folder.
   *
   * @param conf Storm's settings by key, as its {@code storm.yaml} has them
   * @param libraries {@link ClassPath#libraries}, which are linked, not copied
   */
  public void create(Map<String, Object> conf, List<Path> libraries) throws IOException {
    for (String name :
        List.of("conf", "extlib", "extlib-daemon", "lib", "lib-worker", "log4j2", "logs", "tmp")) {
      Files.createDirectories(folder.resolve(name));
    }
    Path settings = folder.resolve("conf/storm.yaml"); // With the passwords of key stores.
    PasswordFiles.createForOwner(settings);
    Files.writeString(settings, yaml(conf));
    Files.writeString(folder.resolve("conf/logback.xml"), LOGBACK.formatted("${daemon.name}.log"));
    Files.writeString(workerLogging(), LOGBACK.formatted(WORKER_LOG));
    for (String name : List.of("cluster.xml", "worker.xml")) {
      // Storm gives these files to every process; with logback behind SLF4J they have no effect.
      Files.writeString(folder.resolve("log4j2").resolve(name), "<Configuration/>\n");
    }
    TopologyJar.write(folder.resolve("lib/cartostream.jar"));
    for (Path jar : libraries) {
      String name = jar.getFileName().toString();
      Files.createSymbolicLink(folder.resolve("lib").resolve(name), jar);
      if (NOT_FOR_WORKERS.stream().noneMatch(name::contains)) {
        Files.createSymbolicLink(folder.resolve("lib-worker").resolve(name), jar);
      }
    }
  }

  /** Returns the file that workers are given as {@code logback.configurationFile}. */
  public Path workerLogging() {
    return folder.resolve("conf/logback-worker.xml");
  }

  /** Formats settings as YAML, of which JSON values are a part. */
  private static String yaml(Map<String, Object> conf) {
    StringBuilder yaml = new StringBuilder();
    ObjectMapper json = new ObjectMapper();
    conf.forEach(
        (key, value) -> {
          try {
            yaml.append(key).append(": ").append(json.writeValueAsString(value)).append('\n');
          } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(key + " cannot be written: " + value, e);
          }
        });
    return yaml.toString();
  }

  /**
   * Returns the command of one of Storm's daemons, or of another server whose jars are in {@code
   * lib}.
   *
   * @param java path of the JVM's program
   * @param name name of the daemon, for its files
   * @param heapMegabytes maximum heap of the daemon
   * @param type name of the class with {@code main}
   * @param words arguments of {@code main}
   */
  public List<String> command(
      String java, String name, int heapMegabytes, String type, String... words) {
    List<String> command =
        new ArrayList<>(
            List.of(
                java,
                "-Xmx" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-Dstorm.home=" + folder,
                "-Dstorm.log.dir=" + folder.resolve("logs"),
                "-Dlogfile.name=" + name + ".log",
                "-Ddaemon.name=" + name,
                "-Djava.io.tmpdir=" + folder.resolve("tmp"),
                NO_SASL,
                LANGUAGE));
    command.addAll(WITHOUT_WARNINGS);
    command.addAll(
        List.of("-cp", folder.resolve("conf") + ":" + folder.resolve("lib") + "/*", type));
    command.addAll(List.of(words));
    return command;
  }

  /** Returns the environment variables for Storm's daemons. */
  public Map<String, String> environment() {
    return Map.of("STORM_CONF_DIR", folder.resolve("conf").toString());
  }
}
