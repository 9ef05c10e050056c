package org.cartostream.run.files;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.cartostream.run.exit.ExitException;
import org.cartostream.settings.ConfigurationFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The public logs that can be used by name, as {@code datasets/datasets.yaml} lists them. Logs
 * without a package lie beside that file. The others are downloaded into a cache once, and are
 * available offline afterwards. Each log's checksum is verified before its file is returned.
 */
public final class DataSets {

  private static final Logger LOG = LoggerFactory.getLogger(DataSets.class);

  /** System property with the installation's folder; set by the launcher. */
  private static final String ROOT = "cartostream.root";

  private static final String CACHE = "CARTOSTREAM_CACHE";

  private final Path folder;
  private final Map<String, String> environment;

  /**
   * @param folder folder that contains {@code datasets.yaml}
   * @param environment environment variables of the process, which name the cache and the package
   *     index
   */
  DataSets(Path folder, Map<String, String> environment) {
    this.folder = folder;
    this.environment = environment;
  }

  /** Returns the data sets of this installation. */
  public static DataSets installed() {
    return new DataSets(root().resolve("datasets"), System.getenv());
  }

  /** Returns the folder of this installation: the repository, or an installed package's folder. */
  public static Path root() {
    String root = System.getProperty(ROOT);
    if (root != null) {
      return Path.of(root);
    }
    try {
      // Without the launcher: the libraries are in a folder of the installation.
      URI jar = DataSets.class.getProtectionDomain().getCodeSource().getLocation().toURI();
      return Path.of(jar).resolve("../..").normalize();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("the classes come from nowhere", e);
    }
  }

  /**
   * Returns the title of each data set by its name; empty if this installation has no data sets.
   */
  public Map<String, String> list() {
    Map<String, String> list = new LinkedHashMap<>();
    catalogue()
        .forEach(
            (key, value) -> {
              if (key.endsWith(".title")) {
                list.put(key.substring(0, key.indexOf('.')), value);
              }
            });
    return list;
  }

  private Map<String, String> catalogue() {
    Path catalogue = folder.resolve("datasets.yaml");
    try {
      return Files.exists(catalogue) ? ConfigurationFile.read(catalogue) : Map.of();
    } catch (UncheckedIOException e) {
      throw ExitException.of(e.getCause());
    }
  }

  /** Returns the file of a data set's log, which is downloaded if it is not in the cache. */
  public Path fetch(String name) {
    Map<String, String> catalogue = catalogue();
    String file = catalogue.get(name + ".file");
    String checksum = catalogue.get(name + ".sha256");
    String dist = catalogue.get(name + ".package");
    try {
      if (dist == null) {
        return checked(folder.resolve(file), checksum);
      }
      Path target = cache().resolve(file);
      if (!Files.exists(target) || !sha256(target).equals(checksum)) {
        String member = catalogue.get(name + ".member");
        LOG.warn("fetching {} ({}, member {})", name, dist, member);
        download(dist, member, target, checksum);
      }
      return target;
    } catch (IOException e) {
      throw ExitException.of(e);
    }
  }

  private void download(String dist, String member, Path target, String checksum)
      throws IOException {
    Path partial;
    try {
      Files.createDirectories(target.getParent());
      partial = Files.createTempFile(target.getParent(), "fetch", ".part");
    } catch (IOException e) {
      throw ExitException.failed(
          "data sets cannot be kept in %s: %s; the environment's %s names another folder"
              .formatted(target.getParent(), e.getMessage(), CACHE),
          e);
    }
    try {
      PackageIndex.configured(environment).fetch(dist, member, partial);
      Files.move(checked(partial, checksum), target, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(partial);
    }
  }

  private Path cache() {
    String cache = environment.get(CACHE);
    String xdg = environment.get("XDG_CACHE_HOME");
    if (cache != null) {
      return Path.of(cache);
    }
    Path users = xdg == null ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(xdg);
    return users.resolve("cartostream");
  }

  private static Path checked(Path file, String checksum) throws IOException {
    String sum = sha256(file);
    if (!sum.equals(checksum)) {
      throw ExitException.failed(
          "%s is not the log that is meant: its SHA-256 is %s, and %s is right"
              .formatted(file, sum, checksum));
    }
    return file;
  }

  private static String sha256(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
