package org.cartostream.ros.xmlrpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.cartostream.ros.RosException;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class XmlRpcTest {

  @Test
  void readsWhatItWrote() {
    List<Object> parameters =
        List.of("a <b> & c", 42, -1.5, true, List.of("x", List.of()), Map.of("key", 1));
    assertThat(XmlRpc.readCall(XmlRpc.call("do.it", parameters)))
        .isEqualTo(new XmlRpc.Call("do.it", parameters));
    Object value = List.of(1, "", List.of("TCPROS", "host", 1234));
    assertThat(XmlRpc.readResponse(XmlRpc.response(value))).isEqualTo(value);
  }

  /**
   * From the specification at xmlrpc.com, with its white space; text without a type is a string.
   */
  @Test
  void readsTheExamplesOfTheSpecification() {
    String call =
        """
        <?xml version="1.0"?>
        <methodCall>
           <methodName>examples.getStateName</methodName>
           <params>
              <param>
                 <value><i4>41</i4></value>
                 </param>
              <param><value> plain </value></param>
              <param><value></value></param>
              </params>
           </methodCall>
        """;
    assertThat(XmlRpc.readCall(call.getBytes(UTF_8)))
        .isEqualTo(new XmlRpc.Call("examples.getStateName", List.of(41, " plain ", "")));
  }

  @Test
  void tellsAFault() {
    assertThatThrownBy(() -> XmlRpc.readResponse(XmlRpc.fault("too many parameters")))
        .isInstanceOf(RosException.class)
        .hasMessageContaining("too many parameters");
  }

  @Test
  void readsNoFilesForAStranger() {
    String call =
        "<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY f SYSTEM \"file:///etc/hostname\">]>"
            + "<methodCall><methodName>&f;</methodName><params></params></methodCall>";
    assertThatThrownBy(() -> XmlRpc.readCall(call.getBytes(UTF_8)))
        .isInstanceOf(RosException.class);
  }

  @Test
  void refusesWhatIsNoCall() {
    for (String text : List.of("", "hello", "<methodCall/>", "<html></html>")) {
      assertThatThrownBy(() -> XmlRpc.readCall(text.getBytes(UTF_8)))
          .isInstanceOf(RosException.class)
          .hasMessageContaining("not an XML-RPC call");
    }
  }
}
