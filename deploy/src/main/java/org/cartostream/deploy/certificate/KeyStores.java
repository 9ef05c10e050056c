package org.cartostream.deploy.certificate;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.spec.PasswordFiles;

/**
 * Key stores of one party in PKCS 12, the form in which Storm and ZooKeeper read certificates.
 *
 * @param tls the certificates; the stores lie beside them
 * @param secrets folder with the stores' password
 */
public record KeyStores(TlsFolder tls, Path secrets) {

  private static final String USER = "keystore";

  /** Returns the store with the party's own key and certificate. */
  public Path own() {
    return tls.folder().resolve("own.p12");
  }

  /** Returns the store with the authority that the party trusts. */
  public Path trusted() {
    return tls.folder().resolve("trusted.p12");
  }

  /** Returns the password of both stores. */
  public String password() {
    return new PasswordFiles(secrets).password(USER);
  }

  /** Returns the file with the {@link #password}, for servers that read it by themselves. */
  public Path passwordFile() {
    return new PasswordFiles(secrets).file(USER);
  }

  /** Writes both stores from the party's certificates. */
  void write() {
    char[] password = password().toCharArray();
    try {
      store(tls.ownStore(password), own(), password);
      store(tls.trustedStore(), trusted(), password);
    } catch (GeneralSecurityException | IOException e) {
      throw new ClusterException("no key store in " + tls.folder() + ": " + e.getMessage(), e);
    }
  }

  private static void store(KeyStore store, Path file, char[] password)
      throws GeneralSecurityException, IOException {
    PasswordFiles.createForOwner(file);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
  }
}
