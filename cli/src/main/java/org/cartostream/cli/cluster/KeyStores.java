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

/** A host's certificates again, in the form in which Storm reads them: PKCS 12. */
final class KeyStores {

  /** Under this name is the password of a host's stores among its secrets. */
  static final String USER = "keystore";

  private KeyStores() {}

  /** The host's own key and certificate. */
  static Path own(Path hostFolder) {
    return hostFolder.resolve("tls").resolve("own.p12");
  }

  /** The authority that is trusted. */
  static Path trusted(Path hostFolder) {
    return hostFolder.resolve("tls").resolve("trusted.p12");
  }

  /** Writes both from what the {@link TlsFolder} holds. */
  static void write(Path hostFolder) {
    TlsFolder tls = new TlsFolder(hostFolder.resolve("tls"));
    char[] password = new Secrets(hostFolder).password(USER).toCharArray();
    try {
      KeyStore own = empty();
      own.setKeyEntry("own", tls.privateKey(), password, certificates(tls.certificate()));
      store(own, own(hostFolder), password);
      KeyStore trusted = empty();
      trusted.setCertificateEntry("authority", certificates(tls.authority())[0]);
      store(trusted, trusted(hostFolder), password);
    } catch (GeneralSecurityException | IOException e) {
      throw new ClusterException("no key store in " + hostFolder + ": " + e.getMessage(), e);
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
