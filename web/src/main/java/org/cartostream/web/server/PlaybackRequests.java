package org.cartostream.web.server;

import java.io.IOException;
import java.util.Optional;
import org.cartostream.ros.RosException;
import org.cartostream.web.playback.Playback;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.util.Fields;

/** Handler of requests from the page of a recorded run, below {@link #PATH}. */
final class PlaybackRequests {

  static final String PATH = "/api/recording";

  private static final String JSON = "application/json";
  private static final String TILES = "application/octet-stream";

  private final Playback playback;

  PlaybackRequests(Playback playback) {
    this.playback = playback;
  }

  private interface Content {
    byte[] get() throws IOException;
  }

  /** Answers a GET request; empty if there is nothing at its path. */
  Optional<Answer> get(String path, Fields parameters) {
    return switch (path) {
      case PATH -> Optional.of(answer(JSON, playback::timeline));
      case PATH + "/map" ->
          Optional.of(
              answer(
                  TILES,
                  () -> playback.tiles(number(parameters, "shown"), number(parameters, "wanted"))));
      case PATH + "/scan" ->
          Optional.of(answer(JSON, () -> playback.scan(number(parameters, "step"))));
      case PATH + "/loops" ->
          Optional.of(answer(JSON, () -> playback.loops(number(parameters, "number"))));
      default -> Optional.empty();
    };
  }

  /** Answers a POST request; empty if its path does nothing. */
  Optional<Answer> post(String path, String body) {
    return path.equals(PATH + "/label")
        ? Optional.of(answer(JSON, () -> playback.label(body)))
        : Optional.empty();
  }

  private static int number(Fields parameters, String name) {
    String text = parameters.getValue(name);
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) { // Also if the text is null.
      throw new IllegalArgumentException("'%s' is a whole number, not %s".formatted(name, text), e);
    }
  }

  private static Answer answer(String type, Content content) {
    try {
      return new Answer(HttpStatus.OK_200, type, content.get());
    } catch (IllegalArgumentException e) {
      return Answer.text(HttpStatus.BAD_REQUEST_400, e.getMessage());
    } catch (IOException | RosException e) {
      return Answer.text(HttpStatus.INTERNAL_SERVER_ERROR_500, e.getMessage());
    }
  }
}
