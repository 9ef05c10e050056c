package org.cartostream.broker.connection;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A broker's address, taken apart.
 *
 * @param tls true for {@code amqps}
 * @param host name or number
 * @param port 5672 or, with TLS, 5671 if the URI names none
 * @param vhost {@code /} if the URI names none
 * @param user who logs in
 * @param password never shown
 */
public record BrokerAddress(
    boolean tls, String host, int port, String vhost, String user, String password) {

  /** Environment variable with the user's name, where the URI has none. */
  public static final String USER_VARIABLE = "CARTOSTREAM_BROKER_USER";

  /** Environment variable with a file that holds the password, where the URI has none. */
  public static final String PASSWORD_FILE_VARIABLE = "CARTOSTREAM_BROKER_PASSWORD_FILE";

  static final String PASSWORD_VARIABLE = "CARTOSTREAM_BROKER_PASSWORD";

  /** Names of the environment variables about a broker that are no settings. */
  public static final Set<String> VARIABLES =
      Set.of(USER_VARIABLE, PASSWORD_FILE_VARIABLE, PASSWORD_VARIABLE, TlsFolder.VARIABLE);

  /** Up to the last @, so that a password with an unescaped @ or / is hidden as well. */
  private static final Pattern CREDENTIALS =
      Pattern.compile("^([a-z]*://)?.*@", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  /** {@link URI} finds none of these where the host has an underscore, as a container's may. */
  private static final Pattern AUTHORITY =
      Pattern.compile(
          "(?:(?<login>[^@]*)@)?(?<host>[A-Za-z0-9._-]+|\\[[^\\[\\]]+\\])(?::(?<port>[0-9]{0,5}))?");

  /** Hides user and password, also in what is no URI. */
  static String mask(String uri) {
    Matcher matcher = CREDENTIALS.matcher(uri);
    return matcher.replaceFirst(match -> (match.group(1) == null ? "" : match.group(1)) + "***@");
  }

  /**
   * Takes a URI apart. User and password come from it, else from {@code environment}, where a file
   * with the password wins over the password itself, else they are RabbitMQ's {@code guest}.
   *
   * @throws IllegalArgumentException if it is no AMQP URI, or the file cannot be read; the message
   *     says what would be right
   */
  static BrokerAddress of(String uri, Map<String, String> environment) {
    URI parsed;
    try {
      parsed = new URI(uri);
    } catch (URISyntaxException e) {
      throw wrong(uri, e.getReason());
    }
    String scheme = parsed.getScheme();
    if (!"amqp".equals(scheme) && !"amqps".equals(scheme)) {
      throw wrong(uri, "it does not begin with amqp:// or amqps://");
    }
    boolean tls = scheme.equals("amqps");
    String text = parsed.getRawAuthority();
    Matcher authority = AUTHORITY.matcher(text == null ? "" : text);
    if (!authority.matches()) {
      throw wrong(uri, "it names no host");
    }
    String[] login = login(authority.group("login"), environment);
    String port = authority.group("port");
    return new BrokerAddress(
        tls,
        authority.group("host"),
        port == null || port.isEmpty() ? (tls ? 5671 : 5672) : Integer.parseInt(port),
        vhost(uri, parsed.getRawPath()),
        login[0],
        login[1]);
  }

  private static String[] login(String userInfo, Map<String, String> environment) {
    String user = environment.getOrDefault(USER_VARIABLE, "guest");
    String password = password(environment);
    if (userInfo != null) {
      int colon = userInfo.indexOf(':');
      user = decode(colon < 0 ? userInfo : userInfo.substring(0, colon));
      password = colon < 0 ? password : decode(userInfo.substring(colon + 1));
    }
    return new String[] {user, password};
  }

  /** The file wins: a cluster gives its processes one, whatever else they inherit from a shell. */
  private static String password(Map<String, String> environment) {
    String file = environment.get(PASSWORD_FILE_VARIABLE);
    if (file == null) {
      return environment.getOrDefault(PASSWORD_VARIABLE, "guest");
    }
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException e) {
      throw new IllegalArgumentException(
          PASSWORD_FILE_VARIABLE + ": '" + file + "' cannot be read; it should hold a password", e);
    }
  }

  /** RabbitMQ's URI specification: no path is the default vhost; {@code /%2f} is named "/". */
  private static String vhost(String uri, String path) {
    if (path == null || path.isEmpty() || path.equals("/")) {
      return "/";
    }
    if (path.indexOf('/', 1) >= 0) {
      throw wrong(uri, "a '/' within the vhost must be written %2f");
    }
    return decode(path.substring(1));
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2b"), StandardCharsets.UTF_8);
  }

  private static IllegalArgumentException wrong(String uri, String why) {
    return new IllegalArgumentException(
        "'"
            + mask(uri)
            + "' is no broker's address: "
            + why
            + "; it should look like amqp://user:password@host:5672/vhost");
  }

  /** {@code host:port}. */
  String hostAndPort() {
    return host + ":" + port;
  }

  /** Returns the address without the password. */
  @Override
  public String toString() {
    return (tls ? "amqps" : "amqp") + "://" + hostAndPort() + " vhost '" + vhost + "'";
  }
}
