package org.cartostream.ros.xmlrpc;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.cartostream.ros.RosException;

/**
 * Codec for XML-RPC's calls and responses (xmlrpc.com/spec.md). Values are String, Integer,
 * Boolean, Double, byte arrays, Lists and Maps.
 */
public final class XmlRpc {

  /** Maximum nesting of values; ROS needs four levels. */
  private static final int DEEPEST = 32;

  private static final XMLInputFactory XML = XMLInputFactory.newDefaultFactory();

  static {
    XML.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    XML.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    XML.setProperty(XMLInputFactory.IS_COALESCING, true);
  }

  private XmlRpc() {}

  /** A method call: the method's name and its arguments. */
  public record Call(String method, List<Object> parameters) {}

  static byte[] call(String method, List<?> parameters) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\"?><methodCall><methodName>");
    out.append(escape(method)).append("</methodName><params>");
    parameters.forEach(parameter -> param(parameter, out));
    return bytes(out.append("</params></methodCall>"));
  }

  public static byte[] response(Object value) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\"?><methodResponse><params>");
    param(value, out);
    return bytes(out.append("</params></methodResponse>"));
  }

  static byte[] fault(String sentence) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\"?><methodResponse><fault>");
    write(Map.of("faultCode", 1, "faultString", sentence), out);
    return bytes(out.append("</fault></methodResponse>"));
  }

  private static byte[] bytes(StringBuilder text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void param(Object value, StringBuilder out) {
    out.append("<param>");
    write(value, out);
    out.append("</param>");
  }

  private static void write(Object value, StringBuilder out) {
    out.append("<value>");
    if (value instanceof String text) {
      out.append("<string>").append(escape(text)).append("</string>");
    } else if (value instanceof Integer number) {
      out.append("<int>").append(number.intValue()).append("</int>");
    } else if (value instanceof Boolean bit) {
      out.append("<boolean>").append(bit ? 1 : 0).append("</boolean>");
    } else if (value instanceof Double number) {
      out.append("<double>").append(number.doubleValue()).append("</double>");
    } else if (value instanceof List<?> list) {
      out.append("<array><data>");
      list.forEach(each -> write(each, out));
      out.append("</data></array>");
    } else if (value instanceof Map<?, ?> map) {
      out.append("<struct>");
      map.forEach(
          (name, member) -> {
            out.append("<member><name>").append(escape((String) name)).append("</name>");
            write(member, out);
            out.append("</member>");
          });
      out.append("</struct>");
    } else {
      throw new IllegalArgumentException("XML-RPC has no type for " + value);
    }
    out.append("</value>");
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /**
   * Reads a call.
   *
   * @throws RosException if the text is not a call
   */
  public static Call readCall(byte[] text) {
    try {
      XMLStreamReader in = open(text, "methodCall");
      in.nextTag();
      in.require(XMLStreamConstants.START_ELEMENT, null, "methodName");
      String method = in.getElementText().trim();
      List<Object> parameters = new ArrayList<>();
      if (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
        while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
          parameters.add(param(in));
        }
      }
      return new Call(method, parameters);
    } catch (XMLStreamException | IllegalArgumentException e) {
      throw new RosException("not an XML-RPC call: " + e.getMessage(), e);
    }
  }

  /**
   * Reads a response, and returns its value.
   *
   * @throws RosException if the text is not a response, or is a fault
   */
  static Object readResponse(byte[] text) {
    try {
      XMLStreamReader in = open(text, "methodResponse");
      in.nextTag();
      if (in.getLocalName().equals("fault")) {
        in.nextTag();
        throw new RosException("the other side failed: " + value(in, 0));
      }
      in.nextTag();
      return param(in);
    } catch (XMLStreamException | IllegalArgumentException e) {
      throw new RosException("not an XML-RPC answer: " + e.getMessage(), e);
    }
  }

  private static XMLStreamReader open(byte[] text, String root) throws XMLStreamException {
    XMLStreamReader in = XML.createXMLStreamReader(new ByteArrayInputStream(text));
    in.nextTag();
    in.require(XMLStreamConstants.START_ELEMENT, null, root);
    return in;
  }

  private static Object param(XMLStreamReader in) throws XMLStreamException {
    in.nextTag();
    Object value = value(in, 0);
    in.nextTag(); // </param>
    return value;
  }

  /**
   * Reads a value from {@code <value>} to {@code </value>}. A value without an element for its type
   * is text.
   */
  private static Object value(XMLStreamReader in, int depth) throws XMLStreamException {
    in.require(XMLStreamConstants.START_ELEMENT, null, "value");
    if (depth > DEEPEST) {
      throw new IllegalArgumentException("values lie more than " + DEEPEST + " deep");
    }
    StringBuilder text = new StringBuilder();
    int event = in.next();
    while (event == XMLStreamConstants.CHARACTERS || event == XMLStreamConstants.COMMENT) {
      text.append(event == XMLStreamConstants.CHARACTERS ? in.getText() : "");
      event = in.next();
    }
    if (event == XMLStreamConstants.END_ELEMENT) {
      return text.toString();
    }
    Object value = typed(in, depth);
    in.nextTag(); // </value>
    return value;
  }

  private static Object typed(XMLStreamReader in, int depth) throws XMLStreamException {
    String type = in.getLocalName();
    return switch (type) {
      case "array" -> array(in, depth);
      case "struct" -> struct(in, depth);
      case "string", "dateTime.iso8601" -> in.getElementText();
      case "int", "i4" -> Integer.valueOf(in.getElementText().trim());
      case "boolean" -> in.getElementText().trim().equals("1");
      case "double" -> Double.valueOf(in.getElementText().trim());
      case "base64" -> Base64.getMimeDecoder().decode(in.getElementText());
      default -> throw new IllegalArgumentException("a value of type '" + type + "'");
    };
  }

  private static List<Object> array(XMLStreamReader in, int depth) throws XMLStreamException {
    in.nextTag();
    in.require(XMLStreamConstants.START_ELEMENT, null, "data");
    List<Object> values = new ArrayList<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      values.add(value(in, depth + 1));
    }
    in.nextTag(); // </array>
    return values;
  }

  private static Map<String, Object> struct(XMLStreamReader in, int depth)
      throws XMLStreamException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (in.nextTag() == XMLStreamConstants.START_ELEMENT) {
      in.nextTag();
      String name = in.getElementText();
      in.nextTag();
      members.put(name, value(in, depth + 1));
      in.nextTag(); // </member>
    }
    return members;
  }
}
