package org.cartostream.topology.stream;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.particle.ParticleTransfer;

/**
 * Serializer of weight reports and particles for collective operations, with the same {@link
 * KryoRegistration} as on streams.
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
