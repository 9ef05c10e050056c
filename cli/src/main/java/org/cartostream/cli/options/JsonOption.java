package org.cartostream.cli.options;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Option by which a command prints JSON objects instead of lines for people. */
public final class JsonOption {

  @Option(
      names = "--json",
      description = "Print JSON in place of text; its JSON Schema is in docs/json.")
  private boolean json;

  public boolean isAsked() {
    return json;
  }

  /** Prints a record or a map as a JSON object. */
  public static void print(PrintWriter out, Object value) {
    try {
      out.println(new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(value));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("not to be written as JSON: " + value, e);
    }
  }
}
