package org.cartostream.bench.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

@Quick
class LinePlotTest {

  private static Document parsed(LinePlot plot) throws Exception {
    byte[] svg = plot.svg().getBytes(StandardCharsets.UTF_8);
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg));
  }

  private static double number(NodeList elements, int i, String attribute) {
    return Double.parseDouble(((Element) elements.item(i)).getAttribute(attribute));
  }

  @Test
  void equalFactorsAreEqualDistances() throws Exception {
    List<LinePlot.Point> points =
        List.of(
            new LinePlot.Point(20, 1, 1, 1),
            new LinePlot.Point(60, 10, 9, 11),
            new LinePlot.Point(100, 100, 80, 120));

    NodeList circles =
        parsed(new LinePlot("ms", "particles", Map.of("one", points)))
            .getElementsByTagName("circle");

    double first = number(circles, 0, "cy") - number(circles, 1, "cy");
    double second = number(circles, 1, "cy") - number(circles, 2, "cy");
    assertThat(first).isPositive().isCloseTo(second, within(0.2));
    assertThat(number(circles, 1, "cx") - number(circles, 0, "cx"))
        .isCloseTo(number(circles, 2, "cx") - number(circles, 1, "cx"), within(0.2));
  }

  @Test
  void aSinglePointAndOddNamesAreDrawnToo() throws Exception {
    LinePlot plot =
        new LinePlot(
            "m", "particles", Map.of("a<b & c", List.of(new LinePlot.Point(30, 0.07, 0.07, 0.07))));

    assertThat(parsed(plot).getDocumentElement().getTextContent())
        .contains("a<b & c", "0.05", "0.1");
  }
}
