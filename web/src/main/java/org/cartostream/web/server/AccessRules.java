package org.cartostream.web.server;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * Access rules of the page. On this computer's own address everybody who is on it, but no page of
 * another site that runs in a browser here; elsewhere whoever has the token.
 *
 * @param token empty if none is needed
 * @param host where the page is, as a browser has it
 */
record AccessRules(String token, String host) {

  /** Names of this computer to itself. A site whose name leads here by DNS has another. */
  private static final Set<String> OWN_NAMES = Set.of("localhost", "127.0.0.1", "[::1]");

  private static final int TOKEN_BYTES = 24;

  /**
   * Origin of a request by its headers.
   *
   * @param host the server's name as the browser has it, with the port; null if there is none
   * @param origin the site whose page asks; null if it is no page
   * @param token empty if there is none
   */
  record Visit(String host, String origin, String token) {}

  /**
   * A request that is not answered.
   *
   * @param status of HTTP
   * @param sentence for people
   */
  record Denial(int status, String sentence) {}

  /**
   * Returns the rules for an address of this computer alone.
   *
   * @param host as a browser has it
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

  /** True if it is the token; it takes as long to find out that it is not, wherever they differ. */
  boolean isToken(String presented) {
    return MessageDigest.isEqual(
        token.getBytes(StandardCharsets.UTF_8), presented.getBytes(StandardCharsets.UTF_8));
  }

  /** Why a request is not answered; empty if it is. */
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
