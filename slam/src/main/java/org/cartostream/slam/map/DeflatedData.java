package org.cartostream.slam.map;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;

/** Numbers as deflated bytes, at the fastest level: robots wait while maps travel. */
final class DeflatedData {

  /** Writer of the data to be deflated. */
  interface DataWriter {
    void writeTo(DataOutputStream out) throws IOException;
  }

  private DeflatedData() {}

  static byte[] of(DataWriter dataWriter) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, deflater))) {
      dataWriter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // Memory takes it all; it is the content's own.
    } finally {
      deflater.end();
    }
    return bytes.toByteArray();
  }

  static DataInputStream read(byte[] bytes) {
    return new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)));
  }
}
