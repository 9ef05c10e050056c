package org.cartostream.deploy.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.cartostream.broker.connection.TlsFolder;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.spec.PasswordFiles;

/**
 * Authority that signs certificates (RFC 5280) for parties of a cluster.
 *
 * @param authority folder of the authority's certificate and key; the key never leaves it
 * @param trusted folder with the certificate of the authority that those parties trust in their
 *     turn
 */
public record CertificateAuthority(TlsFolder authority, TlsFolder trusted) {

  private static final Duration VALID = Duration.ofDays(365);

  /** Time for which a certificate is valid before it is issued, as hosts' clocks differ. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofHours(1);

  private static final String SIGNATURE = "SHA256withECDSA";
  private static final int SERIAL_BITS = 120;

  /**
   * Makes an authority's key and certificate.
   *
   * @param files folder for both
   * @param trusted folder with the certificate of the authority that its parties trust
   * @param name name of the authority, which no other authority has that a party knows: OpenSSL
   *     finds an issuer by its name alone, and would send the wrong certificate along
   */
  public static CertificateAuthority create(TlsFolder files, TlsFolder trusted, String name) {
    try {
      KeyPair keys = newKeys();
      X500Principal own = new X500Principal("CN=" + name);
      X509v3CertificateBuilder builder = builder(own, own, keys);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(0));
      builder.addExtension(
          Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
      X509Certificate certificate = sign(builder, keys.getPrivate());
      Files.createDirectories(files.folder());
      write(files.authority(), "CERTIFICATE", certificate.getEncoded());
      write(files.key(), "PRIVATE KEY", keys.getPrivate().getEncoded());
      return new CertificateAuthority(files, trusted);
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw failed(name, e);
    }
  }

  /**
   * Makes a party's key and certificate.
   *
   * @param files folder for both, and for the certificate of the authority that the party trusts
   * @param name name of the party
   * @param address address under which the party is reached; empty if nobody opens connections to
   *     it
   */
  public void issue(TlsFolder files, String name, String address) {
    try {
      KeyPair keys = newKeys();
      X509Certificate issuer = certificate();
      X509v3CertificateBuilder builder =
          builder(issuer.getSubjectX500Principal(), new X500Principal("CN=" + name), keys);
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createAuthorityKeyIdentifier(issuer.getPublicKey()));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      if (!address.isEmpty()) {
        builder.addExtension(Extension.subjectAlternativeName, false, alternatives(address));
      }
      X509Certificate signed = sign(builder, authority.privateKey());
      Files.createDirectories(files.folder());
      Files.writeString(files.authority(), Files.readString(trusted.authority()));
      write(files.certificate(), "CERTIFICATE", signed.getEncoded());
      write(files.key(), "PRIVATE KEY", keys.getPrivate().getEncoded());
    } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
      throw failed(name, e);
    }
  }

  /** Returns an address as a certificate has it: digits as an IP address, all else as a name. */
  private static GeneralNames alternatives(String address) {
    boolean number = address.matches("[0-9.]+|.*:.*");
    return new GeneralNames(
        new GeneralName(number ? GeneralName.iPAddress : GeneralName.dNSName, address));
  }

  private static KeyPair newKeys() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private static X509v3CertificateBuilder builder(
      X500Principal issuer, X500Principal subject, KeyPair keys)
      throws GeneralSecurityException, CertIOException {
    Instant now = Instant.now();
    return new JcaX509v3CertificateBuilder(
            issuer,
            new BigInteger(SERIAL_BITS, new SecureRandom()),
            Date.from(now.minus(CLOCK_TOLERANCE)),
            Date.from(now.plus(VALID)),
            subject,
            keys.getPublic())
        .addExtension(
            Extension.subjectKeyIdentifier,
            false,
            new JcaX509ExtensionUtils().createSubjectKeyIdentifier(keys.getPublic()));
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException, OperatorCreationException, CertIOException {
    return new JcaX509CertificateConverter()
        .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(key)));
  }

  private X509Certificate certificate() throws GeneralSecurityException, IOException {
    try (var in = Files.newInputStream(authority.authority())) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
  }

  private static void write(Path file, String what, byte[] bytes) throws IOException {
    PasswordFiles.createForOwner(file);
    byte[] newline = "\n".getBytes(StandardCharsets.US_ASCII);
    String lines = Base64.getMimeEncoder(64, newline).encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n");
  }

  private static ClusterException failed(String whose, Exception e) {
    return new ClusterException("no certificate for " + whose + ": " + e.getMessage(), e);
  }
}
