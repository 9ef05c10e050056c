package org.cartostream.web.playback;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.cartostream.slam.file.AtomicFile;
import org.cartostream.slam.map.OccupancyGrid;
import org.cartostream.slam.trajectory.StampedPose;
import org.cartostream.web.page.PageFiles;
import org.cartostream.web.state.MapTilesFrame;

/**
 * Report of a finished run as one HTML file that can be mailed: the page with all that it needs,
 * the final map, the path on its time line, and figures. It uses no network, and its content
 * security policy forbids that, too.
 *
 * @param name name of the run, for people
 * @param path corrected poses with loops closed; not empty
 * @param figures rows of a name and a value
 * @param labels labels of moments of the run
 * @param others paths that are drawn over the run's path
 */
public record HtmlReport(
    String name,
    OccupancyGrid map,
    List<StampedPose> path,
    List<List<String>> figures,
    Labels labels,
    List<OtherPath> others) {

  /** Maximum number of poses: more would show no more, and make the file too large to be mailed. */
  private static final int MAX_POSES = 50_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private static final String POLICY =
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
          + " script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:\">";

  /** Writes the file. */
  public void write(Path file) throws IOException {
    byte[] html = html().getBytes(StandardCharsets.UTF_8);
    AtomicFile.write(file, out -> out.write(html));
  }

  private String html() throws IOException {
    PageFiles files = new PageFiles(PageFiles.Source.EMBEDDED);
    String scripts =
        """
        <script type="importmap">%s</script>
        <script type="application/json" id="run">%s</script>
        <script type="module">import 'page/main.js';</script>
        """
            .formatted(imports(files), json());
    String page = text(files, "/");
    page = replace(page, "<meta charset=\"utf-8\">", "<meta charset=\"utf-8\">\n  " + POLICY);
    page = replace(page, "<script type=\"module\" src=\"/main.js\"></script>", scripts);
    for (String css : List.of("/uplot.css", "/page.css")) {
      page =
          replace(
              page,
              "<link rel=\"stylesheet\" href=\"%s\">".formatted(css),
              "<style>%s</style>".formatted(text(files, css)));
    }
    return page;
  }

  private static String replace(String page, String part, String by) {
    if (!page.contains(part)) {
      throw new IllegalStateException("the page lacks " + part);
    }
    return page.replace(part, by);
  }

  /**
   * Returns the page's modules as an import map: a module within a file has no address, and is
   * found by name.
   */
  private static String imports(PageFiles files) throws IOException {
    Map<String, String> imports = new LinkedHashMap<>();
    files
        .all()
        .forEach(
            (path, file) -> {
              if (file.type().equals(PageFiles.SCRIPT)) {
                String module = text(files, path).replace(" from '/", " from 'page/");
                byte[] bytes = module.getBytes(StandardCharsets.UTF_8);
                imports.put(
                    "page" + path,
                    "data:text/javascript;charset=utf-8;base64,"
                        + Base64.getEncoder().encodeToString(bytes));
              }
            });
    return JSON.writeValueAsString(Map.of("imports", imports));
  }

  private static String text(PageFiles files, String path) {
    return new String(files.get(path).content(), StandardCharsets.UTF_8);
  }

  private String json() throws IOException {
    List<StampedPose> poses = thinned();
    long begins = poses.get(0).stampNanos();
    Map<String, Object> steps = new LinkedHashMap<>(PoseColumns.of(poses, begins));
    steps.put("reading", IntStream.rangeClosed(1, poses.size()).toArray());
    steps.put("map", new int[poses.size()]);
    steps.put("firstPose", 0);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("name", name);
    json.put("damage", "");
    json.put("steps", steps);
    json.put("path", PoseColumns.of(List.of(), begins));
    json.put("events", List.of());
    json.put("labels", labels.all());
    json.put(
        "others",
        others.stream()
            .map(each -> each.json(begins, poses.get(poses.size() - 1).stampNanos()))
            .toList());
    json.put("figures", figures);
    json.put("tiles", Base64.getEncoder().encodeToString(MapTilesFrame.between(null, map)));
    // No text may contain the tag that ends the script.
    return JSON.writeValueAsString(json).replace("<", "\\u003c");
  }

  /** Returns every n-th pose and the last one: at most {@link #MAX_POSES} and one. */
  private List<StampedPose> thinned() {
    int stride = (path.size() + MAX_POSES - 1) / MAX_POSES;
    List<StampedPose> kept = new ArrayList<>();
    for (int i = 0; i < path.size(); i += stride) {
      kept.add(path.get(i));
    }
    if ((path.size() - 1) % stride != 0) {
      kept.add(path.get(path.size() - 1));
    }
    return kept;
  }
}
