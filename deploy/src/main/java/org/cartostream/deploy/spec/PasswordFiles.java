package org.cartostream.deploy.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * Passwords of a cluster, each in a file that only its owner may read. Every password is random, so
 * that none could be known beforehand.
 *
 * @param folder folder of the files
 */
public record PasswordFiles(Path folder) {

  private static final String SUFFIX = ".password";
  private static final int BYTES = 24;
  private static final FileAttribute<?> OWNER_READS =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

  public Path file(String user) {
    return folder.resolve(user + SUFFIX);
  }

  /** Returns a user's password, which is made if there is none yet. */
  public String password(String user) {
    try {
      return Files.readString(file(user)).strip();
    } catch (NoSuchFileException none) {
      return make(user);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file(user), e);
    }
  }

  /** Makes an empty file for a secret, which nobody but its owner may read. */
  public static void createForOwner(Path file) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(file, OWNER_READS);
  }

  private String make(String user) {
    byte[] bytes = new byte[BYTES];
    new SecureRandom().nextBytes(bytes);
    String password = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    try {
      Files.createDirectories(folder);
      createForOwner(file(user));
      Files.writeString(file(user), password);
      return password;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file(user), e);
    }
  }
}
