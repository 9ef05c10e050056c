package org.cartostream.settings.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Quick
class FolderTreeTest {

  @TempDir private Path folder;

  @Test
  void whatALinkLeadsToStays() throws Exception {
    Path others = Files.createDirectories(folder.resolve("others"));
    Path file = Files.createFile(others.resolve("file"));
    Path mine = folder.resolve("mine");
    Files.createDirectories(mine.resolve("a/b"));
    Files.createFile(mine.resolve("a/b/c"));
    Files.createSymbolicLink(mine.resolve("a/link"), others);
    FolderTree.delete(mine);
    assertThat(mine).doesNotExist();
    assertThat(file).exists();
    assertThatThrownBy(() -> FolderTree.delete(mine))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessage("cannot delete " + mine);
  }
}
