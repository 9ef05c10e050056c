package org.cartostream.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class ProcessTempFolderTest {

  @TempDir private Path temporary;

  @Test
  void leavesWhatMayBeAnothers() throws IOException {
    Path mine = ProcessTempFolder.make(temporary);
    Path home = Files.createDirectory(temporary.resolve("home"));
    Files.writeString(home.resolve("lock"), "");
    Path link = Files.createSymbolicLink(temporary.resolve("cartostream-process-0-link"), home);
    Path unlocked = Files.createDirectory(temporary.resolve("cartostream-process-0-begun"));
    ProcessTempFolder.sweep(temporary, mine);
    assertThat(link).exists();
    assertThat(home.resolve("lock")).exists();
    assertThat(unlocked).exists();
  }

  /** In a container each process has the number of the one before it. */
  @Test
  void sweepsWhatAProcessOfTheSameNumberLeft() throws IOException {
    Path mine = ProcessTempFolder.make(temporary);
    Path mineToo = ProcessTempFolder.make(temporary);
    Path left = left(ProcessHandle.current().pid() + "-left");
    ProcessTempFolder.sweep(temporary, mine);
    assertThat(left).doesNotExist();
    assertThat(mine).isDirectory();
    assertThat(mineToo).isDirectory();
  }

  @Test
  void passesOverWhatCannotBeWalked() throws IOException {
    Path mine = ProcessTempFolder.make(temporary);
    Path left = left("0-deep");
    Path deep = Files.createDirectories(nested(left));
    Path elsewhere = temporary.resolve("elsewhere");
    Files.createDirectories(nested(elsewhere));
    Path tooDeep = Files.move(elsewhere, deep.resolve("more"));
    try {
      ProcessTempFolder.sweep(temporary, mine);
      assertThat(left.resolve("lock")).exists();
    } finally {
      Files.move(tooDeep, elsewhere);
    }
    ProcessTempFolder.sweep(temporary, mine);
    assertThat(left).doesNotExist();
  }

  /** As a thread does that ends later than the others. */
  @Test
  void sweepsInTheEndWhereSomethingWasMadeWhileItWasDeleted() throws IOException {
    Path mine = ProcessTempFolder.make(temporary);
    Path left = left("0-busy");
    List<Path> inside = ProcessTempFolder.inside(left);
    Files.writeString(left.resolve("late"), "");
    assertThatThrownBy(() -> ProcessTempFolder.delete(left, inside))
        .isInstanceOf(DirectoryNotEmptyException.class);
    ProcessTempFolder.sweep(temporary, mine);
    assertThat(left).doesNotExist();
  }

  @Test
  void sweepsNothingWhereNothingCanBeListed() throws IOException {
    Path mine = ProcessTempFolder.make(temporary);
    ProcessTempFolder.sweep(temporary.resolve("missing"), mine);
    assertThat(mine).isDirectory();
  }

  private Path left(String name) throws IOException {
    Path folder = Files.createDirectory(temporary.resolve("cartostream-process-" + name));
    Files.writeString(folder.resolve("lock"), "");
    return folder;
  }

  /** Two of them in each other have a longer path than the system takes. */
  private static Path nested(Path folder) {
    Path path = folder;
    for (int i = 0; i < 12; i++) {
      path = path.resolve("a".repeat(200));
    }
    return path;
  }
}
