package org.cartostream.deploy.spec;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Settings of the services that were submitted to a cluster, by which they are submitted again:
 * {@code NAME.json} in one folder. They cannot be read back from a topology.
 *
 * @param folder the folder; made when something is written
 */
public record SubmittedServices(Path folder) {

  private static final String ENDING = ".json";
  private static final ObjectMapper JSON = new ObjectMapper();

  private Path file(String service) {
    return folder.resolve(service + ENDING);
  }

  /** Keeps a service's settings in place of its earlier ones, which stay if that fails. */
  public void save(String service, Map<String, String> settings) throws IOException {
    Files.createDirectories(folder);
    byte[] json = JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(new TreeMap<>(settings));
    Path next = folder.resolve(service + ENDING + ".next");
    Files.write(next, json);
    Files.move(next, file(service), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Returns a service's settings, key to value; empty if it was not submitted here. */
  public Optional<Map<String, String>> find(String service) throws IOException {
    return Files.exists(file(service))
        ? Optional.of(JSON.readValue(Files.readAllBytes(file(service)), new TypeReference<>() {}))
        : Optional.empty();
  }

  /** Returns the names of all services that were submitted, in order. */
  public List<String> names() throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(ENDING))
          .map(file -> file.substring(0, file.length() - ENDING.length()))
          .sorted()
          .toList();
    }
  }

  /** Removes the settings of a service that has ended. */
  public void forget(String service) throws IOException {
    Files.deleteIfExists(file(service));
  }
}
