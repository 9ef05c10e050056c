package org.cartostream.cli.command;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.cartostream.testing.Nightly;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A replay by Storm goes on whatever was done to its journal or its results. */
@Nightly
@Timeout(120)
class ChangedStormResultIT {

  @TempDir private static Path shared;

  @TempDir private Path folder;

  private static Stream<Arguments> changes() {
    return ChangedFolder.changes(ChangedFolder.Kind.JOURNAL, ChangedFolder.Kind.MAP);
  }

  @BeforeAll
  static void prepare() throws Exception {
    new ChangedFolder(shared, "storm").prepare();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void goesOnToTheSameBytes(ChangedFolder.Kind kind, ChangedFolder.Change change) throws Exception {
    new ChangedFolder(shared, "storm").check(kind, change, folder.resolve("out"));
  }
}
