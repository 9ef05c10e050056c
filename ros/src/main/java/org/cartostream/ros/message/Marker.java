package org.cartostream.ros.message;

import java.util.List;
import org.cartostream.ros.serialization.MessageType;

/**
 * ROS 2's {@code visualization_msgs/Marker} in the form since Humble: a shape to be drawn. A marker
 * replaces an earlier one of the same namespace and number.
 *
 * @param ns namespace of the marker
 * @param pose origin of the coordinates in {@code points}
 * @param scale metres; for lines x is the width
 * @param lifetime nanoseconds; 0 for no end
 */
public record Marker(
    Header header,
    String ns,
    int id,
    int type,
    int action,
    RosPose pose,
    Vector3 scale,
    ColorRgba color,
    long lifetime,
    boolean frameLocked,
    List<Vector3> points,
    List<ColorRgba> colors,
    String textureResource,
    CompressedImage texture,
    List<UvCoordinate> uvCoordinates,
    String text,
    String meshResource,
    MeshFile meshFile,
    boolean meshUseEmbeddedMaterials) {

  public static final MessageType<Marker> TYPE =
      MessageType.of("visualization_msgs/Marker", Marker.class);

  /** {@code sensor_msgs/CompressedImage}. */
  public record CompressedImage(Header header, String format, byte[] data) {}

  /** {@code visualization_msgs/UVCoordinate}: a place in a texture, from 0 to 1. */
  public record UvCoordinate(float u, float v) {}

  /** {@code visualization_msgs/MeshFile}: a mesh's own bytes. */
  public record MeshFile(String filename, byte[] data) {}

  private static final int LINE_LIST = 5;
  private static final int ADD = 0;

  /**
   * Returns a list of lines, each between two consecutive points; no points make it empty.
   *
   * @param width metres
   */
  public static Marker lines(
      Header header, String namespace, double width, ColorRgba colour, List<Vector3> points) {
    return new Marker(
        header,
        namespace,
        0,
        LINE_LIST,
        ADD,
        new RosPose(Vector3.ZERO, new Quaternion(0, 0, 0, 1)),
        new Vector3(width, 0, 0),
        colour,
        0,
        false,
        List.copyOf(points),
        List.of(),
        "",
        new CompressedImage(new Header(0, 0, ""), "", new byte[0]),
        List.of(),
        "",
        "",
        new MeshFile("", new byte[0]),
        false);
  }
}
