package org.cartostream.sim.world;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Element of an SDF file (sdformat.org, version 1.7).
 *
 * @param name tag of the element
 * @param id value of its attribute {@code name}; empty if it has none
 * @param text text between the child elements, trimmed
 */
record SdfElement(String name, String id, String text, List<SdfElement> children) {

  /**
   * Reads the root element of a file; external entities and document types are ignored.
   *
   * @throws SdfException if the file is no XML
   */
  static SdfElement read(InputStream in) {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      XMLStreamReader reader = factory.createXMLStreamReader(in);
      while (reader.next() != XMLStreamConstants.START_ELEMENT) {
        // Skips what stands before the root element.
      }
      return element(reader);
    } catch (XMLStreamException e) {
      throw new SdfException("no XML: " + e.getMessage(), e);
    }
  }

  private static SdfElement element(XMLStreamReader reader) throws XMLStreamException {
    String name = reader.getLocalName();
    String id = reader.getAttributeValue(null, "name");
    StringBuilder text = new StringBuilder();
    List<SdfElement> children = new ArrayList<>();
    for (int event = reader.next();
        event != XMLStreamConstants.END_ELEMENT;
        event = reader.next()) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        children.add(element(reader));
      } else if (event == XMLStreamConstants.CHARACTERS) {
        text.append(reader.getText());
      }
    }
    return new SdfElement(
        name, id == null ? "" : id, text.toString().trim(), List.copyOf(children));
  }

  List<SdfElement> all(String tag) {
    return children.stream().filter(child -> child.name.equals(tag)).toList();
  }

  /** Returns the first element along a path of tags, each within the one before. */
  Optional<SdfElement> find(String... path) {
    SdfElement at = this;
    for (String tag : path) {
      List<SdfElement> next = at.all(tag);
      if (next.isEmpty()) {
        return Optional.empty();
      }
      at = next.get(0);
    }
    return Optional.of(at);
  }

  /**
   * Returns the numbers in the text of the element at the end of a path of tags.
   *
   * @throws SdfException if the element is missing, or its text is not {@code count} numbers
   */
  double[] numbers(int count, String... path) {
    SdfElement at =
        find(path).orElseThrow(() -> new SdfException(this + " has no " + String.join("/", path)));
    String[] words = at.text.isEmpty() ? new String[0] : at.text.split("\\s+");
    double[] numbers = new double[words.length];
    try {
      for (int i = 0; i < words.length; i++) {
        numbers[i] = Double.parseDouble(words[i]);
      }
    } catch (NumberFormatException e) {
      throw new SdfException(at + " has no numbers: '" + at.text + "'", e);
    }
    if (numbers.length != count) {
      throw new SdfException(at + " has " + numbers.length + " numbers, not " + count);
    }
    return numbers;
  }

  double number(String... path) {
    return numbers(1, path)[0];
  }

  @Override
  public String toString() {
    return id.isEmpty() ? "<" + name + ">" : "<" + name + " name=\"" + id + "\">";
  }
}
