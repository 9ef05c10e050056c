package org.cartostream.web.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * Access rules of the page. At an address of this computer alone, everybody on this computer has
 * access, but no page of another site in a browser here; at other addresses, whoever has the token.
 *
 * @param token the token; empty if none is needed
 * @param host host name in the page's address
 */
record AccessRules(String token, String host) {

  /**
   * Names of this computer for itself. A foreign site whose DNS name leads here is asked for by
   * another name.
   */
  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final int TOKEN_BYTES = 24;

  /**
   * Origin of a request, by its headers.
   *
   * @param host name of the server in the browser's address, with the port; null if it is not given
   * @param origin site of the page that makes the request; null if it is not given
   * @param token token that came with the request; empty if there is none
   */
  record Visit(String host, String origin, String token) {}

  /**
   * Refusal of a request.
   *
   * @param status HTTP status code
   * @param sentence reason, for people
   */
  record Denial(int status, String sentence) {}

  /**
   * Returns the rules for an address of this computer alone.
   *
   * @param host host name in the page's address
   */
  static AccessRules open(String host) {
    return new AccessRules("", host);
  }

  static AccessRules withToken(String host) {
    byte[] random = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(random);
    return new AccessRules(HexFormat.of().formatHex(random), host);
  }

  boolean needsToken() {
    return !token.isEmpty();
  }

  /** Compares a text with the token, in a time that does not depend on where they differ. */
  boolean isToken(String presented) {
    return MessageDigest.isEqual(
        token.getBytes(StandardCharsets.UTF_8), presented.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns why a request is refused; empty if it is allowed. */
  Optional<Denial> check(Visit visit) {
    if (visit.host == null) {
      return Optional.of(new Denial(400, "the request names no host"));
    }
    if (visit.origin != null && !isSame(visit.origin, visit.host)) {
      return Optional.of(new Denial(403, "pages of other sites may not look: " + visit.origin));
    }
    if (!needsToken()) {
      String asked = visit.host.replaceAll(":\\d+$", "");
      return OWN_NAMES.contains(asked) || asked.equalsIgnoreCase(host)
          ? Optional.empty()
          : Optional.of(
              new Denial(403, "this page is at %s alone, not at %s".formatted(host, visit.host)));
    }
    return isToken(visit.token)
        ? Optional.empty()
        : Optional.of(new Denial(401, "a token is needed: open the address that was printed"));
  }

  private static boolean isSame(String origin, String host) {
    return origin.equals("http://" + host) || origin.equals("https://" + host);
  }
}
