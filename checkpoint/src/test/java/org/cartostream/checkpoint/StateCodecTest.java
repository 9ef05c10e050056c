package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;

@Quick
class StateCodecTest {

  private enum Colour {
    RED,
    BLUE
  }

  private record Point(double x, float[] y, Optional<String> name) {}

  private static final class Derived {
    private final int[] given;
    private transient int sum;

    private Derived(int given) {
      this.given = new int[] {given, given};
      readResolve();
    }

    private Object readResolve() {
      sum = Arrays.stream(given).sum();
      return this;
    }
  }

  /** Of a size, and the same for ever. */
  private static final class Large {
    private final int number;
    private transient byte[] content;

    private Large(int number) {
      this.number = number;
      this.content = new byte[] {(byte) number, 7};
    }

    private byte[] writeContent() {
      return content.clone();
    }

    private void readContent(byte[] bytes) {
      content = bytes;
    }
  }

  /** As a filter's parts: final fields, no constructor without parameters, rings. */
  private static final class Node {
    private final int number;
    private final Object token = new Object();
    private Node next;
    private transient int scratch = 7;
    private final Derived derived = new Derived(3);

    private Node(int number) {
      this.number = number;
    }
  }

  private static final class State {
    private final Map<Integer, long[]> sorted = new TreeMap<>();
    private final Map<String, Point> hashed = new HashMap<>();
    private final Map<Object, String> byIdentity = new IdentityHashMap<>();
    private final Deque<Node> queue = new ArrayDeque<>();
    private final List<Node> fixed;
    private Colour colour = Colour.BLUE;
    private final Node ring = new Node(1);

    private State() {
      Node other = new Node(2);
      ring.next = other;
      other.next = ring;
      fixed = List.of(ring, other);
      queue.add(other);
      sorted.put(3, new long[] {Long.MIN_VALUE, 4});
      hashed.put("point", new Point(-0.0, new float[] {Float.NaN}, Optional.of("a")));
      byIdentity.put(ring, "ring");
    }
  }

  @Test
  void aStateComesBackWithWhatItShares() throws Exception {
    State state = StateCodec.decode(encoded(new State()), State.class);
    assertThat(state.ring.next.next).isSameAs(state.ring);
    assertThat(state.ring.token).isNotNull().isNotSameAs(state.ring.next.token);
    assertThat(state.fixed).containsExactly(state.ring, state.ring.next);
    assertThat(state.queue).containsExactly(state.ring.next);
    assertThat(state.byIdentity).containsEntry(state.ring, "ring");
    assertThat(state.colour).isSameAs(Colour.BLUE);
    assertThat(state.sorted.get(3)).containsExactly(Long.MIN_VALUE, 4);
    assertThat(state.ring.number).isEqualTo(1);
    assertThat(state.ring.scratch).as("transient").isZero();
    assertThat(state.ring.derived.sum).as("derived").isEqualTo(6);
    Point point = state.hashed.get("point");
    assertThat(point.x()).isEqualTo(-0.0);
    assertThat(point.y()).containsExactly(Float.NaN);
    assertThat(point.name()).contains("a");
  }

  /** A heap in use may have no place for an array of many megabytes. */
  @Test
  void aLargeStateIsEncodedInSmallBlocks() throws Exception {
    int[] state = new Random(1).ints(1 << 20).toArray();
    StateCodec.Encoded encoded = StateCodec.encode(state);
    assertThat(encoded.size()).isGreaterThan(4 << 20);
    assertThat(encoded.blocks()).allMatch(block -> block.capacity() <= 1 << 16);
    assertThat(StateCodec.decode(encoded.bytes(), int[].class)).isEqualTo(state);
  }

  @Test
  void largeContentsAreBesideTheStateAndComeBack() throws Exception {
    Large shared = new Large(5);
    StateCodec.Encoded encoded =
        StateCodec.encode(List.of(shared, new Node(1), new Large(6), shared));
    byte[] bytes = encoded.bytes();
    List<byte[]> contents = encoded.contents().stream().map(StateCodec.Content::bytes).toList();
    assertThat(contents).containsExactly(new byte[] {5, 7}, new byte[] {6, 7});

    List<?> back = StateCodec.decode(bytes, List.class, contents::get);

    assertThat(((Large) back.get(0)).number).isEqualTo(5);
    assertThat(((Large) back.get(0)).content).containsExactly(5, 7);
    assertThat(((Large) back.get(2)).content).containsExactly(6, 7);
    assertThat(back.get(3)).isSameAs(back.get(0));
    assertThatThrownBy(() -> StateCodec.decode(bytes, List.class))
        .isInstanceOf(CheckpointException.class)
        .hasMessage("the content 0 beside a state is missing");
  }

  @Test
  void eachContentIsReadOnce() {
    byte[] bytes = encoded(new Object[] {new Large(5), new Large(6)});
    // The last byte of the second object is its content's number.
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int end = all.getInt(bytes.length - Integer.BYTES);
    assertThat(bytes[end - 1]).isEqualTo((byte) 1);
    bytes[end - 1] = 0;
    assertThatThrownBy(() -> StateCodec.decode(bytes, Object[].class, number -> new byte[2]))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("the content 0 beside it comes where 1 was written");
  }

  /** What can be tried again is not taken for a state that is damaged. */
  @Test
  void aContentThatCannotBeReadNowIsNoDamage() {
    byte[] bytes = encoded(new Large(5));
    IOException gone = new IOException("Transport endpoint is not connected");
    assertThatThrownBy(
            () ->
                StateCodec.decode(
                    bytes,
                    Large.class,
                    number -> {
                      throw gone;
                    }))
        .isSameAs(gone);
  }

  @Property(tries = 100)
  void numbersComeBackToTheLastBit(@ForAll @Size(max = 50) double[] values) throws Exception {
    double[] back = StateCodec.decode(encoded(values), double[].class);
    assertThat(Arrays.stream(back).mapToLong(Double::doubleToRawLongBits).toArray())
        .isEqualTo(Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray());
  }

  /** As long as the longest row of objects in a filter's state, and twice as long. */
  @Test
  void longRowsOfObjectsDoNotOverflowTheStack() throws Exception {
    Node first = new Node(0);
    Node last = first;
    for (int i = 1; i < 20_000; i++) {
      last.next = new Node(i);
      last = last.next;
    }
    Node back = StateCodec.decode(encoded(first), Node.class);
    int count = 0;
    for (Node at = back; at != null; at = at.next) {
      assertThat(at.number).isEqualTo(count++);
    }
    assertThat(count).isEqualTo(20_000);
  }

  /** As {@link Node} and {@link Point} after a renaming of both, and of what they have. */
  private static final class RenamedNode {
    private RenamedNode following;
    private final int count;
    private final Derived ofDerived = null;
    private final Object mark = null;

    private RenamedNode(int count) {
      this.count = count;
    }
  }

  private record RenamedPoint(double across, float[] heights, Optional<String> called) {}

  private enum RenamedColour {
    AZURE,
    CRIMSON
  }

  private static final String HERE = StateCodecTest.class.getName() + "$";

  /** The lines of the main table that tests need, and these. */
  private static StateTypes table(String... lines) {
    return StateTypes.of(
        Stream.concat(
                Stream.of(
                    "10 java.lang.Object",
                    "15 [I",
                    "17 [F",
                    "22 java.util.ArrayList",
                    "32 java.util.Optional",
                    "9003 " + HERE + "Derived 1:given"),
                Stream.of(lines))
            .toList(),
        StateCodecTest.class.getClassLoader());
  }

  private static <T> T decode(byte[] bytes, Class<T> type, StateTypes types) throws IOException {
    StateInput in = new StateInput(bytes, Runtime.getRuntime().maxMemory());
    return StateCodec.decode(in, type, number -> new byte[0], types);
  }

  @Test
  void aStateIsReadAfterItsClassesAndFieldsWereRenamed() throws Exception {
    Node node = new Node(7);
    node.next = new Node(8);
    node.next.next = node;
    byte[] bytes =
        encoded(
            new ArrayList<>(
                List.of(
                    node,
                    new Point(2.5, new float[] {3}, Optional.of("a")),
                    Colour.RED,
                    Colour.BLUE)));
    assertThat(new String(bytes, StandardCharsets.ISO_8859_1))
        .doesNotContain("artostream", "java", "Node", "number", "RED");

    List<?> back =
        decode(
            bytes,
            ArrayList.class,
            table(
                "9001 " + HERE + "RenamedColour 1:CRIMSON 2:AZURE",
                "9002 " + HERE + "RenamedPoint 1:across 2:heights 3:called",
                "9005 " + HERE + "RenamedNode 1:count 2:mark 3:following 4:ofDerived"));

    RenamedNode renamed = (RenamedNode) back.get(0);
    assertThat(renamed.count).isEqualTo(7);
    assertThat(renamed.following.count).isEqualTo(8);
    assertThat(renamed.following.following).isSameAs(renamed);
    assertThat(renamed.ofDerived.sum).isEqualTo(6);
    assertThat(renamed.mark).isNotNull();
    RenamedPoint point = (RenamedPoint) back.get(1);
    assertThat(point.across()).isEqualTo(2.5);
    assertThat(point.heights()).containsExactly(3);
    assertThat(point.called()).contains("a");
    assertThat(back.subList(2, 4).toArray())
        .containsExactly(RenamedColour.CRIMSON, RenamedColour.AZURE);
  }

  @Test
  void aTypeOfAnotherShapeIsRefusedByItsName() {
    byte[] bytes = encoded(new Node(5));
    assertThatThrownBy(
            () ->
                decode(
                    bytes,
                    RenamedNode.class,
                    table("9005 " + HERE + "RenamedNode 1:count 2:mark 3:following 5:ofDerived")))
        .isInstanceOf(CheckpointException.class)
        .hasMessage(
            "the state was written by another version of the program: %sRenamedNode had [count: I, mark: object, following: %1$sRenamedNode, field 4: %1$sDerived], and has [count: I, mark: object, following: %1$sRenamedNode, ofDerived: %1$sDerived] now"
                .formatted(HERE));
  }

  @Test
  void aTypeAndAConstantThatAreGoneAreRefusedByTheirNumbers() {
    byte[] bytes = encoded(new ArrayList<>(List.of(new Node(5), Colour.BLUE)));
    String node = "9005 " + HERE + "Node 1:number 2:token 3:next 4:derived";
    assertThatThrownBy(() -> decode(bytes, ArrayList.class, table(node)))
        .isInstanceOf(CheckpointException.class)
        .hasMessage(
            "the state was written by another version of the program: it has a type 9001, which this version has not");
    assertThatThrownBy(
            () ->
                decode(
                    bytes,
                    ArrayList.class,
                    table(node, "9001 " + HERE + "RenamedColour 1:CRIMSON 3:AZURE")))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("it has constant 2 of " + HERE + "RenamedColour, which this version");
  }

  @Test
  void whatIsNoDataCannotBePartOfIt() {
    List<Object> state = new ArrayList<>(List.of(new File("x")));
    assertThatThrownBy(() -> encoded(state))
        .hasMessageStartingWith("java.io.File cannot be part of a state: the line '")
        .hasMessageContaining(" java.io.File 1:path' in org/cartostream/state-types would");
    Runnable code = () -> {};
    assertThatThrownBy(() -> encoded(new Object[] {code})).hasMessageContaining("cannot be");
  }

  @Test
  void bytesThatAreNoneAreRefused() {
    byte[] bytes = encoded(new State());
    assertThatThrownBy(() -> StateCodec.decode(new byte[0], State.class))
        .isInstanceOf(CheckpointException.class);
    assertThatThrownBy(() -> StateCodec.decode(Arrays.copyOf(bytes, bytes.length / 2), State.class))
        .isInstanceOf(CheckpointException.class);
    assertThatThrownBy(() -> StateCodec.decode(bytes, Node.class))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining("no state of a Node");
  }

  private static byte[] encoded(Object state) {
    return StateCodec.encode(state).bytes();
  }
}
