package org.cartostream.ros;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host and port of an address. {@link URI} finds no host in one like {@code
 * http://my_robot:11311}, because RFC 2396 forbids the underscore; resolvers accept such names.
 *
 * @param port port; negative if the address has none
 */
public record HostAndPort(String host, int port) {

  private static final Pattern AUTHORITY = Pattern.compile("([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

  private static final int GREATEST_PORT = 65535;

  /** Returns the host and port; empty if the address has no host, or an invalid port. */
  public static Optional<HostAndPort> of(URI address) {
    return read(address).filter(way -> way.port() != 0 && way.port() <= GREATEST_PORT);
  }

  private static Optional<HostAndPort> read(URI address) {
    if (address.getHost() != null) {
      return Optional.of(new HostAndPort(address.getHost(), address.getPort()));
    }
    String authority = address.getRawAuthority();
    Matcher matcher = AUTHORITY.matcher(authority == null ? "" : authority);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String port = matcher.group(2);
    return Optional.of(
        new HostAndPort(matcher.group(1), port == null ? -1 : Integer.parseInt(port)));
  }
}
