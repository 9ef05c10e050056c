package org.cartostream.broker.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class BrokerAddressTest {

  @Test
  void takesAFullAddressApart() {
    assertThat(BrokerAddress.of("amqps://ann:s%40cret+1@broker.example:9999/maps", Map.of()))
        .isEqualTo(new BrokerAddress(true, "broker.example", 9999, "maps", "ann", "s@cret+1"));
  }

  @Test
  void fillsInWhatIsMissing() {
    assertThat(BrokerAddress.of("amqp://localhost", Map.of()))
        .isEqualTo(new BrokerAddress(false, "localhost", 5672, "/", "guest", "guest"));
    assertThat(BrokerAddress.of("amqps://localhost/%2f", Map.of()))
        .isEqualTo(new BrokerAddress(true, "localhost", 5671, "/", "guest", "guest"));
  }

  @Test
  void takesCredentialsFromTheEnvironment() {
    Map<String, String> environment =
        Map.of(BrokerAddress.USER_VARIABLE, "ann", BrokerAddress.PASSWORD_VARIABLE, "secret");
    assertThat(BrokerAddress.of("amqp://localhost", environment))
        .extracting(BrokerAddress::user, BrokerAddress::password)
        .containsExactly("ann", "secret");
    assertThat(BrokerAddress.of("amqp://bob@localhost", environment))
        .extracting(BrokerAddress::user, BrokerAddress::password)
        .containsExactly("bob", "secret");
  }

  /** As in a cluster's process that inherits the password of the user's shell. */
  @Test
  void theFileWinsOverThePasswordOfTheEnvironment(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "from the file\n");
    Map<String, String> environment =
        Map.of(
            BrokerAddress.PASSWORD_VARIABLE,
            "from the shell",
            BrokerAddress.PASSWORD_FILE_VARIABLE,
            file.toString());
    assertThat(BrokerAddress.of("amqp://localhost", environment).password())
        .isEqualTo("from the file");
    assertThat(BrokerAddress.of("amqp://ann:own@localhost", environment).password())
        .isEqualTo("own");
  }

  /** As containers are called; {@link java.net.URI} knows no such hosts. */
  @Test
  void takesAHostWithAnUnderscore() {
    assertThat(BrokerAddress.of("amqp://ann:s%40cret@my_broker:9999/maps", Map.of()))
        .isEqualTo(new BrokerAddress(false, "my_broker", 9999, "maps", "ann", "s@cret"));
    assertThat(BrokerAddress.of("amqps://my_broker", Map.of()))
        .isEqualTo(new BrokerAddress(true, "my_broker", 5671, "/", "guest", "guest"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://ann:secret@host",
        "ann:secret@host",
        "amqp://ann:secret@",
        "amqp://ann:sec ret@host",
        "amqp://ann:sec/ret@secret@host",
        "amqp://ann:secret@host/a/b",
        "amqp://ann:secret@host:port",
        "amqp://ann:secret@my_host:port",
        "amqp://ann:sec_ret@secret@host"
      })
  void refusesWhatIsNoAddressWithoutShowingThePassword(String uri) {
    assertThatThrownBy(() -> BrokerAddress.of(uri, Map.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("amqp://user:password@host:5672/vhost")
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("sec ret");
  }

  @Test
  void settingsTakeNoWrongAddressAndNoWrongNameOfAService() {
    BrokerSettings settings = BrokerSettings.defaults();
    assertThatThrownBy(() -> settings.withUri("http://host"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it does not begin with amqp:// or amqps://");
    assertThatThrownBy(() -> settings.withService("my.service"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("'my.service' is no service's name");
  }

  @Test
  void showsNoCredentialsInSettings() {
    BrokerSettings settings = BrokerSettings.defaults().withUri("amqp://ann:secret@host");
    assertThat(settings.toString()).contains("amqp://***@host").doesNotContain("secret", "ann");
    assertThat(settings.masked().uri()).isEqualTo("amqp://***@host");
  }
}
