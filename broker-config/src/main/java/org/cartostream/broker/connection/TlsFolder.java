package org.cartostream.broker.connection;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Folder of one party's certificates, in files that every tool reads: PEM, the key in PKCS 8.
 *
 * @param folder path of the folder
 */
public record TlsFolder(Path folder) {

  /** Environment variable with the folder, where the settings name none. */
  public static final String VARIABLE = "CARTOSTREAM_BROKER_TLS";

  private static final char[] IN_MEMORY_ONLY = {};

  /** Returns the file with the certificate of the only authority that is trusted. */
  public Path authority() {
    return folder.resolve("ca.pem");
  }

  /**
   * Returns the file with this party's own certificate; it may be missing where nobody asks for it.
   */
  public Path certificate() {
    return folder.resolve("certificate.pem");
  }

  /** Returns the file with the key of the certificate, an EC key. */
  public Path key() {
    return folder.resolve("key.pem");
  }

  /**
   * Returns the folder of this process; empty if none is named.
   *
   * @param wanted path in the settings; empty for the environment's
   */
  public static Optional<TlsFolder> of(String wanted) {
    String named = wanted.isEmpty() ? System.getenv().getOrDefault(VARIABLE, "") : wanted;
    return named.isEmpty() ? Optional.empty() : Optional.of(new TlsFolder(Path.of(named)));
  }

  /**
   * Returns the context for TLS, with keys and certificates from a folder, or the JVM's own context
   * if none is named.
   */
  static SSLContext contextOf(String wanted) throws GeneralSecurityException {
    Optional<TlsFolder> named = of(wanted);
    return named.isPresent() ? named.get().context() : SSLContext.getDefault();
  }

  /**
   * Returns a context for TLS that trusts the authority, and shows the certificate if there is one.
   *
   * @throws GeneralSecurityException if a file cannot be read or does not hold what it should
   */
  public SSLContext context() throws GeneralSecurityException {
    try {
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trustedStore());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(identity(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException | IllegalArgumentException e) {
      throw new GeneralSecurityException(
          "the certificates in " + folder + " cannot be used: " + e.getMessage(), e);
    }
  }

  private KeyManager[] identity() throws GeneralSecurityException, IOException {
    if (!Files.exists(certificate())) {
      return new KeyManager[0];
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(ownStore(IN_MEMORY_ONLY), IN_MEMORY_ONLY);
    return keys.getKeyManagers();
  }

  /**
   * Returns a store with this party's key and certificate, for libraries that read PKCS 12.
   *
   * @param password password of the key within the store
   * @throws GeneralSecurityException if a file does not hold what it should
   */
  public KeyStore ownStore(char[] password) throws GeneralSecurityException, IOException {
    KeyStore own = empty();
    own.setKeyEntry("own", privateKey(), password, certificates(certificate()));
    return own;
  }

  /**
   * Returns a store with the authority that this party trusts.
   *
   * @throws GeneralSecurityException if a file does not hold what it should
   */
  public KeyStore trustedStore() throws GeneralSecurityException, IOException {
    KeyStore trusted = empty();
    trusted.setCertificateEntry("authority", certificates(authority())[0]);
    return trusted;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Certificate[] certificates(Path file)
      throws GeneralSecurityException, IOException {
    try (InputStream in = Files.newInputStream(file)) {
      Certificate[] chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(in)
              .toArray(Certificate[]::new);
      if (chain.length == 0) {
        throw new GeneralSecurityException(file + " holds no certificate");
      }
      return chain;
    }
  }

  /**
   * Returns this party's key.
   *
   * @throws GeneralSecurityException if the file holds no EC key in PKCS 8
   */
  public PrivateKey privateKey() throws GeneralSecurityException, IOException {
    String base64 = Files.readString(key()).replaceAll("-----[A-Z ]+-----|\\s", "");
    return KeyFactory.getInstance("EC")
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
  }
}
