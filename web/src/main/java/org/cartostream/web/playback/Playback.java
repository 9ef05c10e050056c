package org.cartostream.web.playback;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cartostream.web.state.MapTilesFrame;
import org.cartostream.web.state.ScanPoints;

/**
 * Playback of a recorded run for its page: gives the run's steps, the map and the scan at any of
 * them, and labels. Keeps no state of the pages that ask. Thread-safe.
 */
public final class Playback {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final RecordedRun recording;
  private final List<OtherPath> others;
  private final Labels labels;

  /**
   * @param name name of the run, for people
   * @param others paths that are drawn over the run's path
   */
  public Playback(String name, RecordedRun recording, List<OtherPath> others, Labels labels) {
    this.name = name;
    this.recording = recording;
    this.others = List.copyOf(others);
    this.labels = labels;
  }

  /** Returns all steps as JSON, without maps and scans. */
  public byte[] timeline() throws IOException {
    List<RecordedReading> steps = recording.steps();
    long begins = steps.get(0).stampNanos();
    long ends = steps.get(steps.size() - 1).stampNanos();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("damage", recording.damage());
    json.put("steps", Timeline.of(steps));
    json.put("path", PoseColumns.of(recording.path(), begins));
    json.put("events", recording.events());
    json.put("corrections", recording.corrections());
    json.put("labels", labels.all());
    json.put("others", others.stream().map(each -> each.json(begins, ends)).toList());
    return JSON.writeValueAsBytes(json);
  }

  /**
   * Returns the tiles that a page needs to replace one map by another; see {@link MapTilesFrame}.
   *
   * @param shown number of the map that the page shows; -1 if it shows none
   * @param wanted number of the map that the page is to show
   * @throws IllegalArgumentException if there is no such map
   */
  public byte[] tiles(int shown, int wanted) throws IOException {
    check("map", wanted, 0, recording.maps());
    check("map", shown, -1, recording.maps());
    return MapTilesFrame.between(recording.map(shown), recording.map(wanted));
  }

  /**
   * Returns the loop edges of a message as JSON.
   *
   * @param number number of the message among those with loop edges, from 0
   * @throws IllegalArgumentException if there is no such message
   */
  public byte[] loops(int number) throws IOException {
    check("message with loops", number, 0, recording.loops());
    return JSON.writeValueAsBytes(Map.of("loops", recording.loops(number)));
  }

  /**
   * Returns the scan at a step and the newest particles then, as JSON.
   *
   * @throws IllegalArgumentException if there is no such step
   */
  public byte[] scan(int step) throws IOException {
    check("step", step, 0, recording.steps().size());
    return JSON.writeValueAsBytes(
        Map.of(
            "scanCentimetres",
            ScanPoints.centimetres(recording.scan(step)),
            "particles",
            recording.particles(step),
            "particleTasks",
            recording.particleTasks(step),
            "particlesAgeSeconds",
            recording.particlesAgeSeconds(step)));
  }

  private static void check(String what, int number, int min, int count) {
    if (number < min || number >= count) {
      throw new IllegalArgumentException(
          "there is no %s %d: they are %d to %d".formatted(what, number, min, count - 1));
    }
  }

  /**
   * Writes a label.
   *
   * @param json one label as JSON
   * @return all labels as JSON
   * @throws IllegalArgumentException if the text is no label; the message is one sentence that says
   *     why
   */
  public byte[] label(String json) throws IOException {
    Labels.Label label;
    try {
      label = JSON.readValue(json, Labels.Label.class);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("{\"seconds\": 12.5, \"text\": \"door\"} is a label", e);
    }
    if (label == null) {
      throw new IllegalArgumentException("a label is needed, not null");
    }
    labels.set(label);
    return JSON.writeValueAsBytes(labels.all());
  }
}
