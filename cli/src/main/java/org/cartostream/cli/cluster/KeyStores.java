package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import org.cartostream.broker.TlsFolder;

/**
 * A party's certificates again, in the form in which Storm and ZooKeeper read them: PKCS 12.
 *
 * @param tls the certificates; the stores lie beside them
 * @param secrets where the stores' password is
 */
record KeyStores(TlsFolder tls, Path secrets) {

  private static final String USER = "keystore";

  /** The party's own key and certificate. */
  Path own() {
    return tls.folder().resolve("own.p12");
  }

  /** The authority that it trusts. */
  Path trusted() {
    return tls.folder().resolve("trusted.p12");
  }

  /** Of both stores. */
  String password() {
    return new Secrets(secrets).password(USER);
  }

  /** Holds {@link #password}, for servers that read it by themselves. */
  Path passwordFile() {
    return new Secrets(secrets).file(USER);
  }

  /** Writes both from what the {@link TlsFolder} holds. */
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
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
  }
}
