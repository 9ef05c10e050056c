package org.cartostream.cli.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
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
      KeyStore own = empty();
      own.setKeyEntry("own", tls.privateKey(), password, certificates(tls.certificate()));
      store(own, own(), password);
      KeyStore trusted = empty();
      trusted.setCertificateEntry("authority", certificates(tls.authority())[0]);
      store(trusted, trusted(), password);
    } catch (GeneralSecurityException | IOException e) {
      throw new ClusterException("no key store in " + tls.folder() + ": " + e.getMessage(), e);
    }
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Certificate[] certificates(Path file)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return CertificateFactory.getInstance("X.509")
          .generateCertificates(in)
          .toArray(Certificate[]::new);
    }
  }

  private static void store(KeyStore store, Path file, char[] password)
      throws GeneralSecurityException, IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password);
    }
  }
}
