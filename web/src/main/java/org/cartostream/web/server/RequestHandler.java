package org.cartostream.web.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.map.file.MapFiles;
import org.cartostream.web.foxglove.FoxgloveClient;
import org.cartostream.web.page.PageFiles;
import org.cartostream.web.state.ObservedRun;
import org.cartostream.web.state.ViewerFeed;
import org.cartostream.web.supervision.Supervision;
import org.cartostream.web.viewer.ShownRuns;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;

/**
 * Handler of HTTP requests: serves the page's files, the state as JSON, health, metrics, and the
 * actions of buttons. Passes a request on to the WebSockets behind it only if the {@link
 * AccessRules} allow the request.
 */
final class RequestHandler extends Handler.Wrapper {

  static final String WEB_SOCKET = "/ws";

  /** Descriptions of the page's metrics, by name. */
  private static final Map<String, String> HELP =
      Map.of(
          "cartostream_web_readings", "Readings of all robots on the page by outcome",
          "cartostream_web_viewers", "Viewers of the page",
          "cartostream_web_turned_away_total", "Viewers refused for want of room",
          "cartostream_web_tile_bytes_total", "Bytes of map tiles sent to viewers",
          "cartostream_web_state_bytes_total", "Bytes of state (JSON) sent to viewers",
          "cartostream_web_strangers_closed_total", "Connections closed before admission");

  private static final String TEXT = Answer.TEXT;

  /** Maximum size of a request that writes a label, bytes. */
  private static final int MAX_BODY_BYTES = 4096;

  private static final String JSON = "application/json";
  private static final String BEARER = "Bearer ";
  private static final String API = "/api/";

  /**
   * Origins of Foxglove's apps, whose pages may connect though they come from elsewhere: they are
   * made to show robots, and people opened them for that.
   */
  private static final Pattern FOXGLOVE_APPS =
      Pattern.compile(
          "https://app\\.foxglove\\.dev|file://|https?://(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d+)?");

  /**
   * Content of the page.
   *
   * @param buttons actions of the page's buttons, by name
   * @param playback handler of requests for a recorded run; empty if the page is a live run's
   * @param supervision supervision of the service's processes; empty if the page is not a service's
   */
  record Shown(
      ShownRuns runs,
      Map<String, Runnable> buttons,
      Optional<PlaybackRequests> playback,
      Optional<Supervision> supervision) {}

  private final AccessRules rules;
  private final GuardedConnector connector;
  private final ShownRuns runs;
  private final Map<String, Runnable> buttons;
  private final Optional<PlaybackRequests> playback;
  private final Optional<Supervision> supervision;
  private final PageFiles files;

  /**
   * @param connector connector through which the requests come
   */
  RequestHandler(AccessRules rules, GuardedConnector connector, Shown shown) {
    this.rules = rules;
    this.connector = connector;
    this.runs = shown.runs();
    this.buttons = shown.buttons();
    this.playback = shown.playback();
    this.supervision = shown.supervision();
    this.files =
        new PageFiles(playback.isPresent() ? PageFiles.Source.PLAYBACK : PageFiles.Source.LIVE);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    String path = Request.getPathInContext(request);
    response
        .getHeaders()
        .put(
            "Content-Security-Policy",
            "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'");
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    response.getHeaders().put("Referrer-Policy", "no-referrer");
    response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
    if (path.equals("/health/live")) { // Open to all: it tells only that the process lives.
      return last(response, callback, Answer.text(200, "live"));
    }
    String inAddress = tokenInAddress(request);
    Optional<AccessRules.Denial> denial = rules.check(visit(request, inAddress));
    if (denial.isPresent()) {
      AccessRules.Denial why = denial.get();
      return last(response, callback, Answer.text(why.status(), why.sentence()));
    }
    if (!connector.admit(request)) {
      return last(response, callback, Answer.text(503, "there is no place left: try again later"));
    }
    if (rules.needsToken() && !inAddress.isEmpty() && path.equals("/") && !isFoxglove(request)) {
      return keepToken(request, response, callback, inAddress);
    }
    if (path.equals(WEB_SOCKET) || isFoxglove(request)) {
      return super.handle(request, response, callback)
          || answer(response, callback, 426, TEXT, "a WebSocket is served here\n");
    }
    return switch (request.getMethod()) {
      case "GET" -> get(path, request, response, callback);
      case "POST" -> post(path, request, response, callback);
      default -> answer(response, callback, 405, TEXT, "GET or POST\n");
    };
  }

  private boolean get(String path, Request request, Response response, Callback callback) {
    PageFiles.PageFile file = files.get(path);
    if (file != null) {
      return answer(response, callback, 200, file.type(), file.content());
    }
    Optional<Answer> ofRecording =
        playback.flatMap(one -> one.get(path, Request.extractQueryParameters(request)));
    if (ofRecording.isPresent()) {
      return answer(response, callback, ofRecording.get());
    }
    return switch (path) {
      case API + "map.zip" -> map(request, response, callback);
      case API + "run" -> run(request, response, callback);
      case API + "robots" -> answer(response, callback, 200, JSON, ViewerFeed.json(runs.robots()));
      case API + "tasks" -> {
        Object tree = supervision.map(Supervision::tree).orElse(null);
        yield answer(response, callback, 200, JSON, ViewerFeed.json(tree));
      }
      case "/health/ready" -> ready(response, callback);
      case "/metrics" -> answer(response, callback, 200, TEXT, metrics());
      default -> answer(response, callback, 404, TEXT, "there is no " + path + " here\n");
    };
  }

  private boolean post(String path, Request request, Response response, Callback callback)
      throws IOException {
    if (playback.isPresent()) {
      long length = request.getLength();
      if (length < 0 || length > MAX_BODY_BYTES) { // A negative length is not given.
        return answer(
            response,
            callback,
            Answer.text(413, "at most %d bytes are taken".formatted(MAX_BODY_BYTES)));
      }
      Optional<Answer> ofRecording =
          playback.get().post(path, Content.Source.asString(request, StandardCharsets.UTF_8));
      if (ofRecording.isPresent()) {
        return answer(response, callback, ofRecording.get());
      }
    }
    Runnable action = path.startsWith(API) ? buttons.get(path.substring(API.length())) : null;
    if (action == null) {
      return answer(response, callback, 404, TEXT, "nothing is done by " + path + " here\n");
    }
    action.run();
    return answer(response, callback, 202, TEXT, "");
  }

  private boolean run(Request request, Response response, Callback callback) {
    String robot = Request.extractQueryParameters(request).getValue("robot");
    return runs.run(robot)
        .map(run -> answer(response, callback, 200, JSON, ViewerFeed.whole(run)))
        .orElseGet(
            () -> answer(response, callback, 404, TEXT, "no robot '" + robot + "' is known\n"));
  }

  private boolean map(Request request, Response response, Callback callback) {
    String robot = Request.extractQueryParameters(request).getValue("robot");
    Optional<OccupancyGrid> map = runs.run(robot).flatMap(ObservedRun::map);
    if (map.isEmpty()) {
      return answer(response, callback, 404, TEXT, "there is no map yet\n");
    }
    ByteArrayOutputStream zip = new ByteArrayOutputStream();
    try {
      MapFiles.writeZip(map.get(), zip);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Nothing is written but memory.
    }
    return answer(response, callback, 200, "application/zip", zip.toByteArray());
  }

  /**
   * Answers whether all links are well and some run has not failed: of several robots' runs one may
   * be given up while others continue.
   */
  private boolean ready(Response response, Callback callback) {
    List<ObservedRun> all = runs.all();
    boolean isReady =
        all.stream().allMatch(ObservedRun::isLinkWell)
            && all.stream().anyMatch(each -> each.phase() != ObservedRun.Phase.FAILED);
    return answer(
        response, callback, isReady ? 200 : 503, TEXT, isReady ? "ready\n" : "not ready\n");
  }

  private String metrics() {
    ObservedRun.Counts counts =
        runs.all().stream()
            .map(ObservedRun::counts)
            .reduce(ObservedRun.Counts.NONE, ObservedRun.Counts::plus);
    StringBuilder text = new StringBuilder();
    head("cartostream_web_readings", text);
    Map.of("processed", counts.processed(), "refused", counts.refused(), "lost", counts.lost())
        .forEach(
            (outcome, count) ->
                text.append(
                    "cartostream_web_readings{outcome=\"%s\"} %d\n".formatted(outcome, count)));
    Map<String, Long> figures = new TreeMap<>(runs.figures());
    figures.put("cartostream_web_strangers_closed_total", connector.turnedAway());
    figures.forEach(
        (name, value) -> {
          head(name, text);
          text.append(name + " " + value + "\n");
        });
    return text.toString();
  }

  private static void head(String name, StringBuilder text) {
    text.append("# HELP %s %s\n".formatted(name, HELP.get(name)));
    text.append("# TYPE %s %s\n".formatted(name, name.endsWith("_total") ? "counter" : "gauge"));
  }

  // --- tokens ----------------------------------------------------------------------------------

  private AccessRules.Visit visit(Request request, String inAddress) {
    String authorization = request.getHeaders().get(HttpHeader.AUTHORIZATION);
    String token = inAddress;
    if (token.isEmpty() && authorization != null && authorization.startsWith(BEARER)) {
      token = authorization.substring(BEARER.length());
    }
    for (HttpCookie cookie : Request.getCookies(request)) {
      if (token.isEmpty() && cookie.getName().equals(cookieName(request))) {
        token = cookie.getValue();
      }
    }
    String origin = request.getHeaders().get(HttpHeader.ORIGIN);
    boolean isApp =
        isFoxglove(request) && origin != null && FOXGLOVE_APPS.matcher(origin).matches();
    return new AccessRules.Visit(
        request.getHeaders().get(HttpHeader.HOST), isApp ? null : origin, token);
  }

  private static boolean isFoxglove(Request request) {
    return request.getHeaders().getValuesList(HttpHeader.SEC_WEBSOCKET_SUBPROTOCOL).stream()
        .flatMap(values -> Arrays.stream(values.split(",")))
        .anyMatch(each -> FoxgloveClient.PROTOCOLS.contains(each.trim()));
  }

  private static String tokenInAddress(Request request) {
    Fields parameters = Request.extractQueryParameters(request);
    String token = parameters.getValue("token");
    return token == null ? "" : token;
  }

  /**
   * Moves the token from the address into a cookie, so that it is neither in the browser's history
   * nor in links from the page.
   */
  private boolean keepToken(Request request, Response response, Callback callback, String token) {
    Response.addCookie(
        response,
        HttpCookie.build(cookieName(request), token)
            .path("/")
            .httpOnly(true)
            .sameSite(HttpCookie.SameSite.STRICT)
            .secure(request.getConnectionMetaData().isSecure())
            .build());
    response.getHeaders().put(HttpHeader.LOCATION, "/");
    return answer(response, callback, 303, TEXT, "");
  }

  /** Returns the name of the cookie, with the port: cookies are shared by all ports of a host. */
  private static String cookieName(Request request) {
    return "cartostream-" + Request.getLocalPort(request);
  }

  /** Sends an answer and closes the connection: a stranger has no place for another request. */
  private static boolean last(Response response, Callback callback, Answer answer) {
    response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
    return answer(response, callback, answer);
  }

  private static boolean answer(Response response, Callback callback, Answer answer) {
    return answer(response, callback, answer.status(), answer.type(), answer.content());
  }

  private static boolean answer(
      Response response, Callback callback, int status, String type, String content) {
    return answer(response, callback, status, type, content.getBytes(StandardCharsets.UTF_8));
  }

  private static boolean answer(
      Response response, Callback callback, int status, String type, byte[] content) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, content.length);
    response.write(true, ByteBuffer.wrap(content), callback);
    return true;
  }
}
