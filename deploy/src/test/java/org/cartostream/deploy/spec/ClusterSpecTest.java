package org.cartostream.deploy.spec;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.deploy.host.ClusterException;
import org.cartostream.deploy.host.Host;
import org.cartostream.deploy.host.HostRole;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file of hosts may say, and what it is told when it says something else. */
@Quick
class ClusterSpecTest {

  private static final String GOOD =
      """
      reach: ssh
      hosts:
        - name: one
          address: 192.168.7.1
          roles: [zookeeper, broker, nimbus]
        - name: two
          address: 192.168.7.2
          roles: [supervisor]
          slots: 2
      """;

  @TempDir private Path folder;

  private ClusterSpec plan(String yaml) throws Exception {
    return ClusterSpec.of(Files.writeString(folder.resolve("hosts.yaml"), yaml), false, 256);
  }

  @Test
  void readsWhoDoesWhat() throws Exception {
    ClusterSpec clusterSpec = plan(GOOD);
    assertThat(clusterSpec.hostOf(HostRole.NIMBUS).name()).isEqualTo("one");
    assertThat(clusterSpec.hosts()).allMatch(host -> host.reach() == Host.Reach.SSH);
    assertThat(clusterSpec.slots()).isEqualTo(2);
  }

  @Test
  void namesTheStoreIfItIsToBeShared() throws Exception {
    assertThat(plan(GOOD).checkpoints()).isEmpty();
    ClusterSpec inBucket = plan("checkpoints: s3://robots/lab\n" + GOOD);
    assertThat(inBucket.checkpoints()).isEqualTo("s3://robots/lab");
    assertThat(inBucket.storesInBucket()).isTrue();
    ClusterSpec inFolder = plan("checkpoints: /mnt/checkpoints\n" + GOOD);
    assertThat(inFolder.checkpoints()).isEqualTo("/mnt/checkpoints");
    assertThat(inFolder.storesInBucket()).isFalse();
    assertThatThrownBy(() -> plan("checkpoints: some\n" + GOOD))
        .hasMessageContaining(": checkpoints: 'some' is no store that hosts can share; a folder");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          reach: ssh            |                  | hosts.yaml: no line 'reach:'
          reach: ssh            | reach: pigeon    | line 1: 'reach': 'pigeon' is no way to a host: take ssh
          name: two             | name: one        | two hosts are called 'one'
          name: two             | name: Two        | 'Two' is no host's name
          name: two             | name: secrets    | no host can be called 'secrets'
          address: 192.168.7.2  |                  | hosts.yaml: line 6: two has no address
          roles: [supervisor]   |                  | line 6: host two has no roles
          roles: [supervisor]   | roles: [nimbus, supervisor] | 2 of the hosts [one, two] have the role nimbus
          roles: [supervisor]   | roles: [cook]    | line 8: 'hosts[1].roles[0]': 'cook' is no role; roles are [zookeeper
          slots: 2              |                  | line 6: two has 0 slots
          slots: 2              | slots: 2147483647 | two has 2147483647 slots; a host has 1000 at most
          name: two             | name: -two       | '-two' is no host's name
          name: two             | name: ../../two  | '../../two' is no host's name
          name: two             | name: drained    | no host can be called 'drained'
          address: 192.168.7.2  | address: -oProxyCommand=id | two has the address '-oProxyCommand=id'; it must
          address: 192.168.7.2  | address: a b     | two has the address 'a b'
          address: 192.168.7.2  | address: $(id)   | two has the address '$(id)'
          reach: ssh            | ssh: [a, b]      | line 1: 'ssh': the value must be a word
          slots: 2              | slots: many      | line 9: 'hosts[1].slots': the value must be a whole number
          slots: 2              | slot: 2          | line 9: 'hosts[1].slot': there is no such key; keys here are [
          address: 192.168.7.2  | address: 192.168.7.1 | two hosts have the address '192.168.7.1'
          name: two             | name two         | line 6: 'hosts[1]': the value must be keys with values, as 'name: two'
          name: two             | "	name: two"    | line 6: this is no YAML
          """)
  void namesWhatIsWrong(String right, String wrong, String complaint) {
    assertThatThrownBy(() -> plan(GOOD.replace(right, wrong == null ? "" : wrong)))
        .asInstanceOf(type(ClusterException.class))
        .satisfies(e -> assertThat(e.isWrongValue()).isTrue())
        .extracting(Throwable::getMessage, as(STRING))
        .startsWith(folder.resolve("hosts.yaml") + ": ")
        .contains(complaint);
  }

  @Test
  void aLongNameIsCutInTheSentence() {
    String word = "x".repeat(100_000);
    for (String line : new String[] {"name: two", "address: 192.168.7.2"}) {
      assertThatThrownBy(
              () -> plan(GOOD.replace(line, line.substring(0, line.indexOf(' ') + 1) + word)))
          .isInstanceOf(ClusterException.class)
          .satisfies(e -> assertThat(e.getMessage()).contains("xxx...").hasSizeLessThan(500));
    }
  }

  @Test
  void aFileThatCannotBeReadIsNoWrongValue() {
    assertThatThrownBy(() -> ClusterSpec.of(folder.resolve("none.yaml"), false, 256))
        .asInstanceOf(type(ClusterException.class))
        .satisfies(e -> assertThat(e.isWrongValue()).isFalse());
  }

  @Test
  void sshTakesNoHostForAnOption() throws Exception {
    assertThat(plan(GOOD).hosts())
        .allSatisfy(host -> assertThat(host.shell()).containsSequence("--", host.address()));
  }

  /** It can have commands run here. */
  @Test
  void takesAFileForSshThatIsTheUsersOwnAndNoOther() throws Exception {
    Path beside = Files.createFile(folder.resolve("my_ssh_config"));
    for (String good : List.of("my_ssh_config", beside.toString())) {
      assertThat(plan("ssh: " + good + "\n" + GOOD).hosts().get(0).sshConfig())
          .isEqualTo(beside.toString());
    }
    Path another = Files.createFile(Files.createDirectory(folder.resolve("sub")).resolve("config"));
    List<String> bad =
        new ArrayList<>(List.of("sub/config", "sub/../my_ssh_config", "sub", "none", "/dev/zero"));
    if (folder.getFileSystem().supportedFileAttributeViews().contains("unix")
        && Files.getAttribute(another, "unix:uid").equals(0)) {
      Files.setAttribute(another, "unix:uid", 12_345);
      bad.add(another.toString());
    }
    for (String each : bad) {
      assertThatThrownBy(() -> plan("ssh: " + each + "\n" + GOOD))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("'ssh: " + each + "' can run commands; it must name a file of");
    }
  }

  /** Its length is 0 for the file system, and it has no end. */
  @Test
  void readsNoDevice() {
    assertThatThrownBy(() -> ClusterSpec.of(Path.of("/dev/zero"), false, 256))
        .isInstanceOf(ClusterException.class)
        .hasMessageContaining("it is a folder, a pipe or a device, or has more than");
  }

  @Test
  void refusesAHeapInWhichNoWorkerCouldStart() {
    assertThatThrownBy(() -> ClusterSpec.onThisMachine(1, false, -5))
        .isInstanceOf(ClusterException.class)
        .hasMessage("a worker's heap of -5 MB is too small: 128 at least");
  }
}
