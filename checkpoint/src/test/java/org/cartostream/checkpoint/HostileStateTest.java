package org.cartostream.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.cartostream.testing.Quick;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A state of a stranger is refused by a sentence, before it takes more memory than there is. */
@Quick
class HostileStateTest {

  private static final long SEED = 54;

  /** As the table has them. */
  private static final int LIST = 22;

  private static final int OBJECTS = 20;
  private static final int OPTIONAL = 32;
  private static final int LINK = 9008;
  private static final int LINKS = 9009;
  private static final int HASH_SET = 28;
  private static final int STRING = 1; // Kryo's own.

  private static final long MAX_ALLOCATED = 32L << 20;

  /** One of a row. */
  private static final class Link {
    private Link next;
    private int[] numbers;
  }

  /** Bytes that are written as a state is, with the shapes of the JDK's types and of links. */
  private static byte[] crafted(Consumer<Output> content) {
    StateClassResolver classes = new StateClassResolver(StateTypes.installed());
    new Kryo(classes, null).setRegistrationRequired(false);
    IntStream.concat(IntStream.rangeClosed(10, 38), IntStream.of(LINK, LINKS))
        .forEach(classes::shape);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Output out = new Output(bytes)) {
      content.accept(out);
      StateCodec.writeShapes(classes, out);
    }
    return bytes.toByteArray();
  }

  /** An object's type and the mark of one that was not there before. */
  private static void begin(Output out, int type) {
    out.writeVarInt(type + 2, true);
    out.writeVarInt(1, true);
  }

  private static void refused(byte[] bytes, String why) {
    long before = allocated();
    assertThatThrownBy(() -> StateCodec.decode(bytes, Object.class))
        .isInstanceOf(CheckpointException.class)
        .hasMessageContaining(bytes.length + " bytes are no state of a Object")
        .hasMessageContaining(why)
        .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(300));
    assertThat(allocated() - before).isLessThan(MAX_ALLOCATED + 100L * bytes.length);
  }

  /** Bytes that the codec's threads have taken. */
  private static long allocated() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long[] codecs =
        Thread.getAllStackTraces().keySet().stream()
            .filter(each -> each.getName().equals("checkpoint-codec"))
            .mapToLong(Thread::getId)
            .toArray();
    return Arrays.stream(threads.getThreadAllocatedBytes(codecs)).sum();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 24, 25, 26, 27, 31, 37, 38, 9009})
  void anArrayOrAMapIsNotLongerThanItsBytes(int type) {
    for (int length : new int[] {Integer.MAX_VALUE - 8, 1 << 20}) {
      byte[] bytes =
          crafted(
              out -> {
                begin(out, type);
                out.writeVarInt(length, true);
              });
      refused(bytes, "elements is longer than its bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {22, 23, 28, 29, 30, 33, 34, 35, 36})
  void aCollectionIsNotLongerThanItsBytes(int type) {
    for (boolean isOfOneType : new boolean[] {true, false}) {
      byte[] bytes =
          crafted(
              out -> {
                begin(out, type);
                out.writeVarIntFlag(isOfOneType, Integer.MAX_VALUE - 8, true);
              });
      refused(bytes, "longer than its bytes");
    }
  }

  @Test
  void manyArraysTogetherAreNotLongerThanTheirBytes() {
    byte[] bytes =
        crafted(
            out -> {
              for (int i = 0; i < 50_000; i++) { // Each is the first element of the one before.
                begin(out, OBJECTS);
                out.writeVarInt(50_000, true);
              }
            });
    refused(bytes, "an array or a collection of 50,000 elements is longer than its bytes");
  }

  @Test
  void listsOfNothingButNullsAreBounded() throws Exception {
    List<Object> nulls = new ArrayList<>(Arrays.asList(new Object[10_000]));
    assertThat(StateCodec.decode(StateCodec.encode(nulls).bytes(), List.class)).isEqualTo(nulls);
    byte[] bytes =
        crafted(
            out -> {
              begin(out, LIST);
              out.writeVarIntFlag(true, 100_000, true);
              out.writeByte(0);
            });
    refused(bytes, "a collection of 100,000 is longer than its bytes");
  }

  @Test
  void aTextIsNotLongerThanItsBytes() {
    byte[] bytes =
        crafted(
            out -> {
              out.writeVarInt(STRING + 2, true);
              out.writeVarInt(1, true);
              out.writeVarIntFlag(true, Integer.MAX_VALUE - 8, true);
            });
    refused(bytes, "a text or a collection of 2,147,483,639 is longer than its bytes");
  }

  /** A million of each, one in the other. */
  @Test
  void whatRefersToEachOtherInTooLongARowIsRefused() {
    refused(
        crafted(
            out -> {
              for (int i = 0; i < 1_000_000; i++) {
                begin(out, LIST);
                out.writeVarIntFlag(false, 2, true);
              }
            }),
        "more than 100,000 objects in it refer to each other in a row");
    refused(
        crafted(
            out -> {
              out.writeVarInt(LINK + 2, true);
              for (int i = 0; i < 1_000_000; i++) {
                out.writeVarInt(1, true);
              }
            }),
        "more than 100,000 objects in it refer to each other in a row");
    refused(
        crafted(
            out -> {
              for (int i = 0; i < 1_000_000; i++) {
                begin(out, OPTIONAL);
              }
            }),
        "more than 100,000 objects in it refer to each other in a row");
  }

  /** So the stack suffices for what is read. */
  @Test
  void aRowThatIsNotTooLongIsWrittenAndRead() throws Exception {
    List<Object> lists = new ArrayList<>();
    Map<Object, Object> maps = new TreeMap<>();
    Optional<Object> optionals = Optional.empty();
    Link link = new Link();
    for (int i = 0; i < 49_000; i++) {
      lists = new ArrayList<>(List.of(1, lists));
      maps = new TreeMap<>(Map.of(1, maps));
      optionals = Optional.of(new Object[] {optionals});
      Link next = link;
      link = new Link();
      link.next = next;
    }
    for (Object each : List.of(lists, maps, new Object[] {optionals}, new Link[] {link}[0])) {
      byte[] bytes = StateCodec.encode(each).bytes();
      assertThatCode(() -> StateCodec.decode(bytes, each.getClass())).doesNotThrowAnyException();
    }
  }

  /** Each of forty refers twice to the one before: hashed, it would take days. */
  @Test
  void noCollectionIsHashed() {
    Set<Object> sets = new HashSet<>(Set.of(1));
    Map<Object, Object> maps = new HashMap<>(Map.of(1, 1));
    for (int i = 0; i < 6; i++) {
      sets = new HashSet<>(List.of(sets, List.of(sets)));
      maps = new HashMap<>(Map.of(maps, 1, Optional.of(maps), 2));
    }
    Map<Object, Object> behindNull = new LinkedHashMap<>();
    behindNull.put("a", null);
    behindNull.put(List.of(1), 1);
    byte[] claimed =
        crafted( // A list, and a reference to it that says it were a link.
            out -> {
              begin(out, LIST);
              out.writeVarIntFlag(false, 2 + 1, true);
              begin(out, LIST);
              out.writeVarIntFlag(true, 1, true);
              begin(out, HASH_SET);
              out.writeVarIntFlag(false, 1 + 1, true);
              out.writeVarInt(LINK + 2, true);
              out.writeVarInt(1 + 2, true);
            });
    refused(StateCodec.encode(sets).bytes(), "could take for ever");
    refused(StateCodec.encode(maps).bytes(), "could take for ever");
    refused(StateCodec.encode(behindNull).bytes(), "could take for ever");
    refused(StateCodec.encode(new Object[] {Set.of(List.of(1))}).bytes(), "for ever");
    refused(claimed, "a reference to " + Link.class.getName() + " is to java.util.ArrayList");
  }

  @Test
  void collectionsAreValuesOfMaps() throws Exception {
    Map<Object, Object> map = new TreeMap<>();
    map.put("a", null);
    map.put("b", new HashSet<>(Set.of(1, 2)));
    map.put("c", new HashMap<>(Map.of(1L, List.of(1), 2L, List.of(2))));
    byte[] bytes = StateCodec.encode(new ArrayList<>(List.of(map, map))).bytes();
    assertThat(StateCodec.decode(bytes, List.class)).isEqualTo(List.of(map, map));
    Map<Object, Object> byIdentity = new IdentityHashMap<>(Map.of(map, 1));
    assertThat(StateCodec.decode(StateCodec.encode(byIdentity).bytes(), Map.class)).hasSize(1);
  }

  /** 100,000 of each, in so much memory as their bytes three times. */
  @Test
  void objectsTakeNoMoreMemoryThanThereIs() {
    for (Supplier<Object> each :
        List.<Supplier<Object>>of(ArrayList::new, HashMap::new, Link::new, () -> "ab", () -> 7L)) {
      List<Object> all = Stream.generate(each).limit(100_000).collect(Collectors.toList());
      byte[] bytes = StateCodec.encode(new ArrayList<>(all)).bytes();
      StateInput in = new StateInput(bytes, 3L * bytes.length);
      assertThatThrownBy(() -> StateCodec.decode(in, List.class, null, StateTypes.installed()))
          .as("%s", all.get(0))
          .isInstanceOf(CheckpointException.class)
          .hasMessageContaining("its objects take more memory than this process can have (-Xmx)");
    }
  }

  @Test
  void aTypeWithoutItsShapeIsRefused() {
    byte[] bytes = {LIST + 2, 1, (byte) 0x81, 0, 3, 0, 0, 0}; // An empty list, and no shapes.
    refused(bytes, "the shape of its type java.util.ArrayList is missing");
  }

  @Test
  void aStateThatCouldNotBeReadIsNotWritten() {
    Link first = new Link();
    Link last = first;
    for (int i = 0; i < 1_000_000; i++) {
      last.next = new Link();
      last = last.next;
    }
    assertThatThrownBy(() -> StateCodec.encode(first))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "a state cannot be kept: more than 100,000 objects in it refer to each other in a row");
  }

  /** The number 1 is Kryo's for a class by its name. */
  @ParameterizedTest
  @CsvSource({
    "1, type -1",
    "12345, type 12343",
    "45, type 43",
  })
  void noClassIsLookedUpThatTheTableHasNot(int id, String type) {
    byte[] bytes =
        crafted(
            out -> {
              out.writeVarInt(id, true);
              out.writeVarInt(0, true);
              out.writeString("org.cartostream.checkpoint.HostileStateTest$Link");
            });
    refused(bytes, "it has a " + type + ", which this version has not");
  }

  /** Put into the field unchecked, it would be taken for an array of other bytes. */
  @Test
  void aFieldRefersOnlyToWhatItMayHave() {
    byte[] bytes =
        crafted(
            out -> {
              out.writeVarInt(LINK + 2, true);
              out.writeVarInt(1, true);
              out.writeVarInt(0, true); // No next.
              out.writeVarInt(2, true); // The first object, in place of numbers.
            });
    assertThatThrownBy(() -> StateCodec.decode(bytes, Object.class))
        .isInstanceOf(CheckpointException.class)
        .hasStackTraceContaining("Link.numbers");
  }

  /** Whatever is done to the bytes of a good one, the end is a state or a sentence. */
  @Test
  void aStateWithOtherBytesIsReadOrRefused() throws Exception {
    Link link = new Link();
    link.numbers = new int[] {1, 1000, 1_000_000};
    Map<Object, Object> map = new HashMap<>(Map.of("a", new TreeMap<>(Map.of(1, "b"))));
    byte[] whole =
        StateCodec.encode(new ArrayList<>(List.of(link, map, Optional.of(link), "text"))).bytes();
    Link back = (Link) StateCodec.decode(whole, List.class).get(0);
    assertThat(back.numbers).containsExactly(link.numbers);
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < 5_000; i++) {
      byte[] bytes = whole.clone();
      for (int j = random.nextInt(3); j >= 0; j--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      try {
        StateCodec.decode(bytes, Object.class);
      } catch (CheckpointException e) {
        assertThat(e.getMessage()).hasSizeLessThan(2_000);
        refused++;
      }
    }
    assertThat(refused).isBetween(2_000, 4_900);
  }
}
