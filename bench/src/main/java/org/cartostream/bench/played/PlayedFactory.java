package org.cartostream.bench.played;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.slam.particle.ParticleFilters;
import org.cartostream.slam.settings.FilterSettings;
import org.cartostream.topology.run.FilterFactory;

/** Factory of filters that play the recording in their jar, which is made here, too. */
public final class PlayedFactory implements FilterFactory {

  private static final String RECORDING = "/org/cartostream/bench/recording";
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
    static final double FACTOR;

    static {
      try (InputStream recording = PlayedFactory.class.getResourceAsStream(RECORDING);
          InputStream slower = PlayedFactory.class.getResourceAsStream(SLOWER)) {
        RECORDED = FilterRecording.read(recording);
        FACTOR = Double.parseDouble(new String(slower.readAllBytes()));
      } catch (IOException e) {
        throw new UncheckedIOException("the recording cannot be read", e);
      }
    }
  }

  @Override
  public ParticleFilters<?> of(FilterSettings settings) {
    return new PlayedFilters(
        Installed.RECORDED, Installed.FACTOR, settings, PlayedTimer::new);
  }

  /**
   * Writes what a jar of played filters has.
   *
   * @param slower factor on all times; 0 for none
   * @param folder folder to write to
   * @return class loader by which {@link java.util.ServiceLoader} finds this factory
   */
  public static URLClassLoader write(FilterRecording recording, double slower, Path folder)
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
        PlayedFactory.class.getName().getBytes());
    write(folder, "/org/cartostream/state-types", String.join("\n", STATE_TYPES).getBytes());
    write(folder, SLOWER, Double.toString(slower).getBytes());
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
