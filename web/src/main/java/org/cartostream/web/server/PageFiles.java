package org.cartostream.web.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The files of the page, from the jar: these and no others. Owns their bytes. */
final class PageFiles {

  /** A file's content and its media type. */
  record PageFile(String type, byte[] content) {}

  private static final String OWN = "/org/cartostream/web/page/";
  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/";

  private static final String HTML = "text/html; charset=utf-8";
  private static final String CSS = "text/css; charset=utf-8";
  private static final String SCRIPT = "text/javascript; charset=utf-8";

  private final Map<String, PageFile> files = new LinkedHashMap<>();

  PageFiles() {
    add("/", HTML, OWN + "index.html");
    add("/page.css", CSS, OWN + "page.css");
    for (String module :
        new String[] {"main", "link", "tiles", "view", "layers", "control", "panel"}) {
      add("/" + module + ".js", SCRIPT, OWN + module + ".js");
    }
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

  /** Null if there is no such file. */
  PageFile get(String path) {
    return files.get(path);
  }
}
