package org.cartostream.cli.command;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.cartostream.cli.options.JsonOption;
import org.cartostream.run.exit.ExitException;
import org.cartostream.run.files.DataSets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code cartostream datasets}. */
@Command(
    name = "datasets",
    description = {
      "List the public logs that can be had by name, or fetch one and print where it is.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  cartostream datasets            what there is",
      "  cartostream datasets killian    fetch it, for use without a network"
    })
public final class DatasetsCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "The data set to fetch.")
  private String name;

  @Mixin private JsonOption json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    DataSets dataSets = DataSets.installed();
    Map<String, String> list = dataSets.list();
    boolean isKnown = name == null || list.containsKey(name);
    if (json.isAsked() && isKnown) {
      List<Map<String, String>> sets = new ArrayList<>();
      list.forEach((each, what) -> sets.add(Map.of("name", each, "description", what)));
      if (name != null) {
        sets.removeIf(each -> !each.get("name").equals(name));
        sets.set(0, Map.of("name", name, "file", dataSets.fetch(name).toString()));
      }
      JsonOption.print(out, Map.of("datasets", sets));
    } else if (name == null) {
      list.forEach(
          (each, sentence) -> out.println(String.format(Locale.ROOT, "%-12s %s", each, sentence)));
    } else if (isKnown) {
      out.println(dataSets.fetch(name));
    } else {
      throw ExitException.wrongUsage(
          "there is no data set '" + name + "'; there are: " + String.join(", ", list.keySet()));
    }
    out.flush();
    return 0;
  }
}
