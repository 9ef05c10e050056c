package org.cartostream.settings.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class PrintableTextTest {

  @Test
  void whatIsLongIsCutAndSaysSo() {
    assertThat(PrintableText.of("x".repeat(100_000))).isEqualTo("x".repeat(60) + "...");
    assertThat(PrintableText.of("12345", 5)).isEqualTo("12345");
    assertThat(PrintableText.of("123456", 5)).isEqualTo("12345...");
  }

  @Test
  void whatCannotBePrintedIsAQuestionMark() {
    assertThat(PrintableText.of(" a\u001b[31mb\u0000c\nd ")).isEqualTo("a?[31mb?c?d");
    assertThat(PrintableText.of("Räume")).isEqualTo("Räume");
    assertThat(PrintableText.of(null)).isEqualTo("null");
  }
}
