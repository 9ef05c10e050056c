package org.cartostream.checkpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * A whole checkpoint as one file, by which a run's state is kept: a zip archive of the manifest and
 * the parts it names.
 */
public final class RunState {

  /** The file's name in a run's output folder. */
  public static final String FILE = "run.state";

  private static final String MANIFEST = "manifest.json";

  private RunState() {}

  /** Writes a checkpoint of a store; readers see the old file or the whole new one. */
  public static void write(Path file, CheckpointStore store, Manifest manifest) throws IOException {
    Path unfinished = file.resolveSibling(file.getFileName() + ".part-being-written");
    try {
      try (OutputStream out = Files.newOutputStream(unfinished);
          ZipOutputStream zip = new ZipOutputStream(out)) {
        zip.setLevel(Deflater.BEST_SPEED);
        add(zip, MANIFEST, ManifestFile.encode(manifest));
        for (Part part : manifest.parts()) {
          add(zip, part.name(), store.read(manifest.cut(), part));
        }
      }
      Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  private static void add(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }
}
