package org.cartostream.bench.played;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.run.FilterFactory;

/**
 * Factory of filters that play the recording in their jar, which is made here, too. How much
 * slower, each run finds in a file, which all hosts must see.
 */
public final class PlayedFactory implements FilterFactory {

  private static final String RECORDING = "/org/cartostream/bench/recording";

  /** Resource with the path of the file that has the factor on all times. */
  private static final String SLOWER = "/org/cartostream/bench/slower";

  private static final List<Class<?>> CLASSES =
      List.of(
          PlayedFactory.class,
          PlayedFactory.Installed.class,
          PlayedFilters.class,
          PlayedFilters.PlayedFilter.class,
          PlayedFilters.Weigher.class,
          PlayedTimer.class,
          FilterRecording.class,
          FilterRecording.KeyFrame.class);

  private static final List<String> STATE_TYPES =
      List.of(
          "1000 " + PlayedFilters.PlayedFilter.class.getName() + " 1:sequence",
          "1001 " + PlayedFilters.Weigher.class.getName() + " 1:filter 2:sequence");

  /** What the jar plays, once for all tasks of the process. */
  private static final class Installed {

    static final FilterRecording RECORDED;
    static final Path FACTOR;

    static {
      try (InputStream recording = PlayedFactory.class.getResourceAsStream(RECORDING);
          InputStream slower = PlayedFactory.class.getResourceAsStream(SLOWER)) {
        RECORDED = FilterRecording.read(recording);
        FACTOR = Path.of(new String(slower.readAllBytes(), StandardCharsets.UTF_8));
      } catch (IOException e) {
        throw new UncheckedIOException("the recording cannot be read", e);
      }
    }
  }

  @Override
  public ParticleFilters<?> of(FilterSettings settings) {
    try {
      double slower = Double.parseDouble(Files.readString(Installed.FACTOR));
      return new PlayedFilters(Installed.RECORDED, slower, settings, PlayedTimer::new);
    } catch (IOException e) {
      throw new UncheckedIOException("no factor on the times in " + Installed.FACTOR, e);
    }
  }

  /**
   * Writes what a jar of played filters has.
   *
   * @param slower absolute path of the file that has the factor on all times when a run begins; 0
   *     for messages alone
   * @param folder folder to write to
   * @return class loader by which {@link java.util.ServiceLoader} finds this factory
   */
  public static URLClassLoader write(FilterRecording recording, Path slower, Path folder)
      throws IOException {
    for (Class<?> type : CLASSES) {
      String name = "/" + type.getName().replace('.', '/') + ".class";
      try (InputStream from = PlayedFactory.class.getResourceAsStream(name)) {
        write(folder, name, from.readAllBytes());
      }
    }
    write(
        folder,
        "/META-INF/services/" + FilterFactory.class.getName(),
        PlayedFactory.class.getName().getBytes(StandardCharsets.UTF_8));
    write(
        folder,
        "/org/cartostream/state-types",
        String.join("\n", STATE_TYPES).getBytes(StandardCharsets.UTF_8));
    write(folder, SLOWER, slower.toString().getBytes(StandardCharsets.UTF_8));
    try (OutputStream to = Files.newOutputStream(folder.resolve(RECORDING.substring(1)))) {
      recording.write(to);
    }
    ClassLoader usual = PlayedFactory.class.getClassLoader();
    return new URLClassLoader(new URL[] {folder.toUri().toURL()}, usual);
  }

  private static void write(Path folder, String name, byte[] content) throws IOException {
    Path file = folder.resolve(name.substring(1).replace("/", File.separator));
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }
}
