package org.cartostream.broker.codec;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.List;
import org.cartostream.broker.BrokerRefusal;
import org.cartostream.broker.message.ParticlesMessage;
import org.cartostream.slam.geometry.Pose;
import org.cartostream.slam.localisation.LocalisationQuality;
import org.cartostream.slam.map.server.PackedMap;
import org.cartostream.slam.motion.Placement;

/** Writes and reads what messages say of a robot in a known map, with {@link FieldCodec}. */
final class LocalisationSerializers {

  private static final byte NOTHING = 0;

  private LocalisationSerializers() {}

  static void writeMap(Output out, PackedMap map) {
    out.writeInt(map.width());
    out.writeInt(map.height());
    FieldCodec.writeDouble(out, map.resolution());
    FieldCodec.writePose(out, map.origin());
    out.writeInt(map.occupiedFrom());
    out.writeInt(map.freeUpTo());
    out.writeInt(map.deflated().length);
    out.writeBytes(map.deflated());
  }

  static PackedMap readMap(Input in) {
    return new PackedMap(
        in.readInt(),
        in.readInt(),
        FieldCodec.readDouble(in),
        FieldCodec.readPose(in),
        in.readInt(),
        in.readInt(),
        in.readBytes(FieldCodec.readLength(in, 1, "bytes of a known map")));
  }

  /**
   * @param placement null for none
   */
  static void writePlacement(Output out, Placement placement) {
    if (placement instanceof Placement.At at) {
      out.writeByte('P');
      FieldCodec.writePose(out, at.pose());
      FieldCodec.writeDouble(out, at.x());
      FieldCodec.writeDouble(out, at.y());
      FieldCodec.writeDouble(out, at.heading());
    } else {
      out.writeByte(
          placement == null ? NOTHING : placement instanceof Placement.Anywhere ? 'A' : 'U');
    }
  }

  static Placement readPlacement(Input in) {
    byte kind = in.readByte();
    return switch (kind) {
      case NOTHING -> null;
      case 'A' -> new Placement.Anywhere();
      case 'U' -> new Placement.Unmoved();
      case 'P' ->
          new Placement.At(
              FieldCodec.readPose(in),
              FieldCodec.readDouble(in),
              FieldCodec.readDouble(in),
              FieldCodec.readDouble(in));
      default -> throw BrokerRefusal.UNKNOWN_TYPE.exception("placement " + kind);
    };
  }

  static void writeParticles(Output out, ParticlesMessage message) {
    out.writeInt(message.poses().size());
    message.poses().forEach(pose -> FieldCodec.writePose(out, pose));
    message.tasks().forEach(out::writeInt);
  }

  static ParticlesMessage readParticles(Input in) {
    int bytes = FieldCodec.POSE_BYTES + Integer.BYTES;
    Pose[] poses = new Pose[FieldCodec.readLength(in, bytes, "particles")];
    for (int i = 0; i < poses.length; i++) {
      poses[i] = FieldCodec.readPose(in);
    }
    Integer[] tasks = new Integer[poses.length];
    for (int i = 0; i < tasks.length; i++) {
      tasks[i] = in.readInt();
    }
    return new ParticlesMessage(List.of(poses), List.of(tasks));
  }

  /**
   * @param quality null for none
   */
  static void writeQuality(Output out, LocalisationQuality quality) {
    if (quality == null) {
      out.writeByte(NOTHING);
      return;
    }
    out.writeByte(1 + quality.state().ordinal());
    FieldCodec.writeDouble(out, quality.fit());
    FieldCodec.writeDouble(out, quality.spreadMetres());
    FieldCodec.writeDouble(out, quality.spreadRadians());
    FieldCodec.writeDouble(out, quality.share());
  }

  static LocalisationQuality readQuality(Input in) {
    byte kind = in.readByte();
    if (kind == NOTHING) {
      return null;
    }
    LocalisationQuality.State[] states = LocalisationQuality.State.values();
    if (kind < 1 || kind > states.length) {
      throw BrokerRefusal.UNKNOWN_TYPE.exception("state of localisation " + kind);
    }
    return new LocalisationQuality(
        FieldCodec.readDouble(in),
        FieldCodec.readDouble(in),
        FieldCodec.readDouble(in),
        FieldCodec.readDouble(in),
        states[kind - 1]);
  }
}
