package org.cartostream.run.files;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.cartostream.run.exit.ExitException;

/**
 * An index of Python packages, from which one file of a package is fetched. Address, proxy and
 * certificates are those of pip's configuration: {@code index-url}, {@code no-index}, {@code proxy}
 * and {@code cert} of {@code pip.conf}, or of the environment ({@code PIP_INDEX_URL} …), which
 * wins.
 *
 * <p>The protocol is that of PEP 503: a page of links for each package.
 */
final class PackageIndex {

  private static final String DEFAULT = "https://pypi.org/simple";
  private static final int TIMEOUT_MILLIS = (int) TimeUnit.SECONDS.toMillis(30);
  private static final int MAX_PAGE_BYTES = 16 << 20;
  private static final Pattern SETTING = Pattern.compile("([A-Za-z-]+)\\s*[=:]\\s*(.*)");

  private final Map<String, String> files;
  private final Map<String, String> environment;

  private PackageIndex(Map<String, String> files, Map<String, String> environment) {
    this.files = files;
    this.environment = environment;
  }

  /**
   * @param environment environment variables of the process
   */
  static PackageIndex configured(Map<String, String> environment) throws IOException {
    Map<String, String> files = new HashMap<>();
    String home = environment.getOrDefault("HOME", System.getProperty("user.home"));
    String users = environment.getOrDefault("XDG_CONFIG_HOME", home + "/.config");
    String named = environment.getOrDefault("PIP_CONFIG_FILE", "/dev/null");
    // Later ones win.
    for (String file :
        List.of("/etc/pip.conf", home + "/.pip/pip.conf", users + "/pip/pip.conf", named)) {
      if (Files.isRegularFile(Path.of(file))) {
        readConfiguration(Path.of(file), files);
      }
    }
    return new PackageIndex(files, environment);
  }

  private static void readConfiguration(Path file, Map<String, String> values) throws IOException {
    String section = "";
    for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
      Matcher setting = SETTING.matcher(line.strip());
      if (line.startsWith("[")) {
        section = line.strip();
      } else if (setting.matches() && List.of("[global]", "[download]").contains(section)) {
        values.put(section + setting.group(1), setting.group(2));
      }
    }
  }

  private Optional<String> setting(String name) {
    String variable = "PIP_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    return Stream.of(
            environment.get(variable), files.get("[download]" + name), files.get("[global]" + name))
        .filter(value -> value != null && !value.isBlank())
        .findFirst();
  }

  /**
   * Downloads a package and unpacks one file of it.
   *
   * @param dist {@code name==version} of a package that has a wheel
   * @param member path of the file in the wheel
   * @param target file to write; overwritten if it exists
   */
  void fetch(String dist, String member, Path target) {
    if (setting("no-index").filter(value -> !value.matches("0|false|no|off")).isPresent()) {
      throw ExitException.failed(
          "%s cannot be fetched: pip is told to use no index (no-index)".formatted(dist));
    }
    String[] parts = dist.split("==");
    URI index = URI.create(setting("index-url").orElse(DEFAULT).replaceFirst("/*$", "/"));
    URI page = index.resolve(parts[0].toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-") + "/");
    try {
      unpack(wheel(page, parts[0], parts[1]), member, target);
    } catch (IOException | GeneralSecurityException e) {
      throw ExitException.failed(
          "%s cannot be fetched from %s: %s; is there a network? PIP_INDEX_URL, PIP_PROXY and PIP_CERT, or pip.conf, name another way"
              .formatted(dist, withoutUser(page), reason(e)),
          e);
    }
  }

  private URI wheel(URI page, String name, String version)
      throws IOException, GeneralSecurityException {
    String links;
    try (InputStream in = open(page, page)) {
      links = new String(in.readNBytes(MAX_PAGE_BYTES), StandardCharsets.UTF_8);
    }
    String start = name.replaceAll("[-_.]+", "_") + "-" + version + "-";
    Matcher link =
        Pattern.compile(
                "href=\"([^\"]*/)?(" + Pattern.quote(start) + "[^\"/#]*\\.whl)[^\"]*\"",
                Pattern.CASE_INSENSITIVE)
            .matcher(links);
    if (!link.find()) {
      throw new FileNotFoundException("it has no file " + start + "*.whl");
    }
    String folder = link.group(1) == null ? "" : link.group(1).replace("&amp;", "&");
    return page.resolve(folder + link.group(2));
  }

  private void unpack(URI wheel, String member, Path target)
      throws IOException, GeneralSecurityException {
    URI index = URI.create(setting("index-url").orElse(DEFAULT));
    try (ZipInputStream zip = new ZipInputStream(open(wheel, index))) {
      ZipEntry entry = zip.getNextEntry();
      while (entry != null && !entry.getName().equals(member)) {
        entry = zip.getNextEntry();
      }
      if (entry == null) {
        throw new FileNotFoundException(wheel.getPath() + " has no file " + member);
      }
      Files.copy(zip, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * @param index the index, whose user and password are sent to its own host only
   */
  private InputStream open(URI address, URI index) throws IOException, GeneralSecurityException {
    Proxy proxy = proxy(address);
    HttpURLConnection connection =
        (HttpURLConnection)
            (proxy == null
                ? withoutUser(address).toURL().openConnection()
                : withoutUser(address).toURL().openConnection(proxy));
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    connection.setRequestProperty("Accept", "text/html, application/octet-stream, */*;q=0.1");
    if (index.getUserInfo() != null && index.getHost().equals(address.getHost())) {
      byte[] user = index.getUserInfo().getBytes(StandardCharsets.UTF_8);
      connection.setRequestProperty(
          "Authorization", "Basic " + Base64.getEncoder().encodeToString(user));
    }
    Optional<String> authorities = setting("cert");
    if (connection instanceof HttpsURLConnection secure && authorities.isPresent()) {
      secure.setSSLSocketFactory(trusting(Path.of(authorities.get())).getSocketFactory());
    }
    if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException("it answers " + connection.getResponseCode());
    }
    return connection.getInputStream();
  }

  /**
   * Returns the proxy for an address; null if none is configured, so that Java's own settings
   * apply.
   */
  private Proxy proxy(URI address) {
    String variable = address.getScheme() + "_proxy";
    String named =
        setting("proxy")
            .orElse(
                environment.getOrDefault(
                    variable, environment.get(variable.toUpperCase(Locale.ROOT))));
    String none = environment.getOrDefault("no_proxy", environment.getOrDefault("NO_PROXY", ""));
    if (named == null
        || named.isBlank()
        || Stream.of(none.split("\\s*,\\s*"))
            .anyMatch(host -> !host.isEmpty() && address.getHost().endsWith(host))) {
      return null;
    }
    URI proxy = URI.create(named.contains("://") ? named : "http://" + named);
    int port = proxy.getPort() < 0 ? 80 : proxy.getPort();
    return new Proxy(Proxy.Type.HTTP, new InetSocketAddress(proxy.getHost(), port));
  }

  private static SSLContext trusting(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("authority-" + store.size(), each);
      }
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static URI withoutUser(URI address) {
    return URI.create(address.toString().replaceFirst("//[^@/]*@", "//"));
  }

  private static String reason(Exception e) {
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
