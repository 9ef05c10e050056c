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

/** A replay by one thread goes on whatever was done to its folder. */
@Nightly
@Timeout(120)
class ChangedSerialFolderIT {

  @TempDir private static Path shared;

  @TempDir private Path folder;

  private static Stream<Arguments> changes() {
    return ChangedFolder.changes(
        ChangedFolder.Kind.MANIFEST,
        ChangedFolder.Kind.PART,
        ChangedFolder.Kind.MAP,
        ChangedFolder.Kind.STATE);
  }

  @BeforeAll
  static void prepare() throws Exception {
    new ChangedFolder(shared, "serial").prepare();
  }

  @ParameterizedTest
  @MethodSource("changes")
  void goesOnToTheSameBytes(ChangedFolder.Kind kind, ChangedFolder.Change change) throws Exception {
    new ChangedFolder(shared, "serial").check(kind, change, folder.resolve("out"));
  }
}
