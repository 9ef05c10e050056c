package org.cartostream.slam.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the disk that a file is on, for a sentence to people who are to make room there. */
public final class DiskName {

  private DiskName() {}

  /**
   * Returns the disk's mount point and its device: {@code /home (/dev/sda2)}.
   *
   * @param file need not be there; its folder should be
   */
  public static String of(Path file) {
    try {
      return Files.getFileStore(file.toAbsolutePath().getParent()).toString();
    } catch (IOException e) {
      return "that is gone";
    }
  }
}
