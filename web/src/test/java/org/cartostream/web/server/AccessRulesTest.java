package org.cartostream.web.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.cartostream.testing.Quick;
import org.cartostream.web.server.AccessRules.Visit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Quick
class AccessRulesTest {

  private static final String HERE = "127.0.0.1:8765";

  private static int status(AccessRules rules, Visit visit) {
    return rules.check(visit).map(AccessRules.Denial::status).orElse(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:8765", "localhost:8765", "[::1]:8765", "localhost"})
  void whoeverIsOnThisComputerMayLook(String host) {
    assertThat(status(AccessRules.open("127.0.0.1"), new Visit(host, null, ""))).isEqualTo(200);
    assertThat(status(AccessRules.open("127.0.0.1"), new Visit(host, "http://" + host, "")))
        .isEqualTo(200);
  }

  @Test
  void aSiteWhoseNameLeadsHereMayNot() {
    assertThat(status(AccessRules.open("127.0.0.1"), new Visit("evil.example:8765", null, "")))
        .isEqualTo(403);
    assertThat(status(AccessRules.open("127.0.0.1"), new Visit(null, null, ""))).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:80", "http://localhost"})
  void pagesOfOtherSitesMayNot(String origin) {
    assertThat(status(AccessRules.open("127.0.0.1"), new Visit(HERE, origin, ""))).isEqualTo(403);
    AccessRules rules = AccessRules.withToken("host");
    assertThat(status(rules, new Visit(HERE, origin, rules.token()))).isEqualTo(403);
  }

  @Test
  void elsewhereTheTokenIsNeeded() {
    AccessRules rules = AccessRules.withToken("host");
    assertThat(rules.token()).hasSize(48).isNotEqualTo(AccessRules.withToken("host").token());
    assertThat(status(rules, new Visit("lab:8765", null, rules.token()))).isEqualTo(200);
    assertThat(status(rules, new Visit("lab:8765", null, ""))).isEqualTo(401);
    assertThat(status(rules, new Visit(HERE, null, ""))).isEqualTo(401);
    assertThat(status(rules, new Visit(HERE, null, rules.token().substring(1)))).isEqualTo(401);
  }

  @Test
  void anAddressIsAHostAndAPort() {
    assertThat(WebAddress.parse("0.0.0.0:80")).isEqualTo(new WebAddress("0.0.0.0", 80));
    assertThat(WebAddress.parse("[::1]:0")).isEqualTo(new WebAddress("[::1]", 0));
    assertThat(WebAddress.parse("9000")).isEqualTo(new WebAddress("127.0.0.1", 9000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"killian", "host:", ":80", "host:70000", "host:-1", "a:b"})
  void whatIsNoneIsNamed(String text) {
    assertThatThrownBy(() -> WebAddress.parse(text))
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("HOST:PORT or PORT is needed");
  }
}
