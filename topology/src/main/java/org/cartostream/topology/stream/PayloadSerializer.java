package org.cartostream.topology.stream;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import org.cartostream.slam.particle.ParticleTransfer;

/**
 * Serializer of weight reports and particles for the collectives, by the same {@link
 * KryoRegistration} as on streams.
 *
 * <p>Owns a Kryo, and so belongs to one thread.
 */
public final class PayloadSerializer {

  private static final int FIRST_BUFFER_BYTES = 4096;

  /** No limit of its own: the collectives have one. */
  private static final int NO_LIMIT = -1;

  private final Kryo kryo = KryoRegistration.kryo();

  public byte[] pack(WeightReport weightReport) {
    Output out = new Output(FIRST_BUFFER_BYTES, NO_LIMIT);
    kryo.writeObject(out, weightReport);
    return out.toBytes();
  }

  /** The statement in {@code block}. */
  public WeightReport weightReport(byte[] block) {
    return kryo.readObject(new Input(block), WeightReport.class);
  }

  /** The particles; none are no bytes. */
  public byte[] pack(List<ParticleTransfer> particleTransfers) {
    Output out = new Output(FIRST_BUFFER_BYTES, NO_LIMIT);
    particleTransfers.forEach(particleTransfer -> kryo.writeObject(out, particleTransfer));
    return out.toBytes();
  }

  /** The particles in {@code block}. */
  public List<ParticleTransfer> transfers(byte[] block) {
    Input in = new Input(block);
    List<ParticleTransfer> particleTransfers = new ArrayList<>();
    while (in.position() < block.length) {
      particleTransfers.add(kryo.readObject(in, ParticleTransfer.class));
    }
    return particleTransfers;
  }
}
