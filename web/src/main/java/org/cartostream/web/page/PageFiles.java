package org.cartostream.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Files of the web page, read from the jar. Owns their bytes. */
public final class PageFiles {

  /** Source of the page's data, with the JavaScript module that reads it. */
  public enum Source {
    /** Server of a run that is in progress. */
    LIVE("link.js"),
    /** Server that reads a recording. */
    PLAYBACK("playback.js"),
    /** The page's own file, which contains the data. */
    EMBEDDED("embedded.js");

    private final String module;

    Source(String module) {
      this.module = module;
    }
  }

  /** A file's content and its media type. */
  public record PageFile(String type, byte[] content) {}

  static final String HTML = "text/html; charset=utf-8";
  static final String CSS = "text/css; charset=utf-8";
  public static final String SCRIPT = "text/javascript; charset=utf-8";

  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  private final Map<String, PageFile> files = new LinkedHashMap<>();

  public PageFiles(Source source) {
    add("/", HTML, "index.html");
    add("/page.css", CSS, "page.css");
    for (String module :
        new String[] {"main", "tiles", "view", "layers", "control", "panel", "player", "tasks"}) {
      add("/" + module + ".js", SCRIPT, module + ".js");
    }
    add("/source.js", SCRIPT, source.module);
    add("/uplot.js", SCRIPT, UPLOT + "uPlot.esm.js");
    add("/uplot.css", CSS, UPLOT + "uPlot.min.css");
  }

  private void add(String path, String type, String resource) {
    try (InputStream in = PageFiles.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("the classpath lacks " + resource);
      }
      files.put(path, new PageFile(type, in.readAllBytes()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the file at a path; null if there is none. */
  public PageFile get(String path) {
    return files.get(path);
  }

  /** Returns all files by path. */
  public Map<String, PageFile> all() {
    return Collections.unmodifiableMap(files);
  }
}
