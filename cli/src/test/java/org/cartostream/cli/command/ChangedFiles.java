package org.cartostream.cli.command;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A replay goes on whatever was done to its files of some kinds. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(120)
abstract class ChangedFiles {

  private final String engine;
  private final ChangedFolder.Kind[] kinds;

  @TempDir private Path folder;

  private ChangedFolder changed;

  ChangedFiles(String engine, ChangedFolder.Kind... kinds) {
    this.engine = engine;
    this.kinds = kinds;
  }

  final Stream<Arguments> changes() {
    return ChangedFolder.changes(kinds);
  }

  @BeforeAll
  final void prepare(@TempDir Path shared) throws Exception {
    changed = new ChangedFolder(shared, engine);
    changed.prepare();
  }

  @ParameterizedTest
  @MethodSource("changes")
  final void goesOnToTheSameBytes(ChangedFolder.Kind kind, ChangedFolder.Change change)
      throws Exception {
    changed.check(kind, change, folder.resolve("out"));
  }
}
