package org.cartostream.collectives.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import org.cartostream.collectives.ChannelContract;
import org.cartostream.collectives.Group;
import org.cartostream.collectives.operation.CollectiveSettings;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class SharedMemoryChannelTest extends ChannelContract {

  @Override
  protected String transport() {
    return "shared-memory";
  }

  @Override
  protected int tries() {
    return 600;
  }

  @Test
  void whatAKilledMemberHasLeftIsDeletedByTheNext() throws IOException {
    Group.by("shared-memory", 1, CollectiveSettings.defaults(), UnaryOperator.identity()).close();
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    Path folder = Files.createTempDirectory(Path.of("/dev/shm/cartostream-" + user), "left");
    Path ring = Files.createFile(folder.resolve("0-1"));
    Path socket = folder.resolve("0");
    ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(socket))
        .close();
    Path young = Files.createFile(folder.resolve("0-2"));
    for (Path each : List.of(ring, socket)) {
      Files.setLastModifiedTime(each, FileTime.from(Instant.now().minus(Duration.ofHours(1))));
    }
    Group.by("shared-memory", 1, CollectiveSettings.defaults(), UnaryOperator.identity()).close();
    assertThat(List.of(ring, socket)).noneMatch(Files::exists);
    assertThat(young).exists();
    Files.delete(young);
    Files.delete(folder);
  }

  @Test
  void aFolderThatOthersCanEnterIsNotUsed() throws IOException {
    Path open = Files.createTempDirectory("open");
    Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
    Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    assertThatThrownBy(() -> SharedFolder.own(open, user))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("rwxr-xr-x");
    Path link = Files.createSymbolicLink(open.resolve("link"), Files.createTempDirectory("own"));
    assertThatThrownBy(() -> SharedFolder.own(link, user)).isInstanceOf(IOException.class);
  }
}
