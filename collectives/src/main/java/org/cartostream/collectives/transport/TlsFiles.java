package org.cartostream.collectives.transport;

import java.nio.file.Path;

/**
 * Files by which a member and the others know each other.
 *
 * @param certificate the member's chain of certificates, PEM
 * @param key the member's private key, PKCS 8 in PEM
 * @param authority certificate of the authority that has signed those of all members, PEM
 */
public record TlsFiles(Path certificate, Path key, Path authority) {}
