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
 * Address of a broker, as parsed from a URI.
 *
 * @param tls true for {@code amqps}
 * @param host host name or IP address
 * @param port TCP port; 5672 or, with TLS, 5671 if the URI names none
 * @param vhost virtual host; {@code /} if the URI names none
 * @param user user name
 * @param password password, which is never shown
 */
public record BrokerAddress(
    boolean tls, String host, int port, String vhost, String user, String password) {

  /** Environment variable with the user name, where the URI has none. */
  public static final String USER_VARIABLE = "CARTOSTREAM_BROKER_USER";

  /** Environment variable that names a file with the password, where the URI has none. */
  public static final String PASSWORD_FILE_VARIABLE = "CARTOSTREAM_BROKER_PASSWORD_FILE";

  static final String PASSWORD_VARIABLE = "CARTOSTREAM_BROKER_PASSWORD";

  /** Names of the environment variables about a broker that are no settings. */
  public static final Set<String> VARIABLES =
      Set.of(USER_VARIABLE, PASSWORD_FILE_VARIABLE, PASSWORD_VARIABLE, TlsFolder.VARIABLE);

  /**
   * Credentials in a URI: all up to the last @, so that a password with an unescaped @ or / is
   * hidden, too.
   */
  private static final Pattern CREDENTIALS =
      Pattern.compile("^([a-z]*://)?.*@", Pattern.DOTALL | Pattern.CASE_INSENSITIVE);

  /**
   * Parts of a URI's authority. {@link URI} finds none of them where the host has an underscore, as
   * a container's name may.
   */
  private static final Pattern AUTHORITY =
      Pattern.compile(
          "(?:(?<login>[^@]*)@)?(?<host>[A-Za-z0-9._-]+|\\[[^\\[\\]]+\\])(?::(?<port>[0-9]{0,5}))?");

  /** Hides user and password of a URI, also if the text is no URI. */
  static String mask(String uri) {
    Matcher matcher = CREDENTIALS.matcher(uri);
    return matcher.replaceFirst(match -> (match.group(1) == null ? "" : match.group(1)) + "***@");
  }

  /**
   * Parses a URI. User and password come from it, else from {@code environment}, where a file with
   * the password wins over the password itself, else they are RabbitMQ's {@code guest}.
   *
   * @throws IllegalArgumentException if the text is no AMQP URI, or the file cannot be read; the
   *     message says what would be right
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

  /**
   * Returns the environment's password. The file wins: a cluster gives its processes one, whatever
   * else they inherit from a shell.
   */
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

  /**
   * Returns the vhost by RabbitMQ's URI specification: without a path the default vhost, which
   * {@code /%2f} names, too.
   */
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

  /** Returns {@code host:port}. */
  String hostAndPort() {
    return host + ":" + port;
  }

  /** Returns the address without user and password. */
  @Override
  public String toString() {
    return (tls ? "amqps" : "amqp") + "://" + hostAndPort() + " vhost '" + vhost + "'";
  }
}
