package org.cartostream.topology;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.filter.Parcel;

/**
 * Statements and particles as the bytes that collectives carry, as {@link Wire} writes them on
 * streams.
 *
 * <p>Owns a Kryo, and so belongs to one thread.
 */
final class Packing {

  private static final int FIRST_BUFFER_BYTES = 4096;

  /** No limit of its own: the collectives have one. */
  private static final int NO_LIMIT = -1;

  private final Kryo kryo = Wire.kryo();

  byte[] pack(Statement statement) {
    Output out = new Output(FIRST_BUFFER_BYTES, NO_LIMIT);
    kryo.writeObject(out, statement);
    return out.toBytes();
  }

  /** The statement in {@code block}. */
  Statement statement(byte[] block) {
    return kryo.readObject(new Input(block), Statement.class);
  }

  /** The particles; none are no bytes. */
  byte[] pack(List<Parcel> parcels) {
    Output out = new Output(FIRST_BUFFER_BYTES, NO_LIMIT);
    parcels.forEach(parcel -> kryo.writeObject(out, parcel));
    return out.toBytes();
  }

  /** The particles in {@code block}. */
  List<Parcel> parcels(byte[] block) {
    Input in = new Input(block);
    List<Parcel> parcels = new ArrayList<>();
    while (in.position() < block.length) {
      parcels.add(kryo.readObject(in, Parcel.class));
    }
    return parcels;
  }
}
