package org.cartostream.topology.stream;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.particle.ParticleTransfer;

/**
 * Serializer of what crosses to other workers without Storm: weight reports and particles of
 * collective operations, and broadcast payloads; with the same {@link KryoRegistration} as on
 * streams.
 *
 * <p>Owns a Kryo, and so belongs to one thread.
 */
public final class PayloadSerializer {

  private static final int FIRST_BUFFER_BYTES = 4096;

  /** Value for an unlimited buffer; collectives limit payloads themselves. */
  private static final int NO_LIMIT = -1;

  private final Kryo kryo = KryoRegistration.kryo();

  public byte[] pack(WeightReport weightReport) {
    Output out = new Output(FIRST_BUFFER_BYTES, NO_LIMIT);
    kryo.writeObject(out, weightReport);
    return out.toBytes();
  }

  /** Decodes a weight report. */
  public WeightReport weightReport(byte[] block) {
    return kryo.readObject(new Input(block), WeightReport.class);
  }

  /** Encodes particles; an empty list becomes an empty array. */
  public byte[] pack(List<ParticleTransfer> particleTransfers) {
    Output out = new Output(FIRST_BUFFER_BYTES, NO_LIMIT);
    particleTransfers.forEach(particleTransfer -> kryo.writeObject(out, particleTransfer));
    return out.toBytes();
  }

  /** Encodes the values of a tuple with a broadcast payload, see {@link Stream#broadcast}. */
  public byte[] packBroadcast(List<Object> values) {
    Output out = new Output(FIRST_BUFFER_BYTES, NO_LIMIT);
    kryo.writeClassAndObject(out, Stream.payload(values));
    out.writeLong(Stream.term(values));
    out.writeString((String) values.get(3));
    return out.toBytes();
  }

  /** Decodes the values of a tuple with a broadcast payload. */
  public List<Object> broadcast(byte[] message) {
    Input in = new Input(message);
    Payload payload = (Payload) kryo.readClassAndObject(in);
    return List.of(payload.run().robot(), payload, in.readLong(), in.readString());
  }

  /** Decodes particles. */
  public List<ParticleTransfer> transfers(byte[] block) {
    Input in = new Input(block);
    List<ParticleTransfer> particleTransfers = new ArrayList<>();
    while (in.position() < block.length) {
      particleTransfers.add(kryo.readObject(in, ParticleTransfer.class));
    }
    return particleTransfers;
  }
}
