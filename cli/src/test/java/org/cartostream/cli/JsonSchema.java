package org.cartostream.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/** Holds what a command prints by {@code --json} against its schema in {@code docs/json}. */
public final class JsonSchema {

  private JsonSchema() {}

  /**
   * It is as the schema says.
   *
   * @param name of the schema
   */
  public static void check(String name, String json) throws IOException {
    assertThat(complaints(name, json)).as(json).isEmpty();
  }

  /** What the schema has against it. */
  public static Set<ValidationMessage> complaints(String name, String json) throws IOException {
    Path file = Path.of(System.getProperty("cartostream.root"), "docs/json", name + ".schema.json");
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(Files.readString(file))
        .validate(json, InputFormat.JSON);
  }
}
