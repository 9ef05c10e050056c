package org.cartostream.collectives.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Decoder of frames from a stream of bytes. Bytes of a payload are copied as they come, straight
 * into the arrays that the receiver gets. Owns the frame that is not complete yet.
 */
public final class FrameDecoder extends ByteToMessageDecoder {

  private final int size;
  private final int maxPayloadBytes;
  private final IntFunction<byte[]> room;
  private int headBytes = -1;
  private int payloadBytes;
  private Frame frame;
  private int block;
  private int filled;

  /**
   * @param size number of members of the group
   * @param maxPayloadBytes largest payload allowed in a frame
   * @param room makes an array of a length in bytes
   */
  public FrameDecoder(int size, int maxPayloadBytes, IntFunction<byte[]> room) {
    this.size = size;
    this.maxPayloadBytes = maxPayloadBytes;
    this.room = room;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    Frame next = next(in);
    if (next != null) {
      out.add(next);
    }
  }

  /**
   * Reads on; returns the frame that is complete with that, or null. Bytes that are left unread
   * must be there again in the next call, before those that come.
   *
   * @throws IllegalArgumentException if the bytes are no frame, or too large a one
   */
  public Frame next(ByteBuf in) {
    if (headBytes < 0 && !readLengths(in)) {
      return null;
    }
    if (frame == null) {
      if (in.readableBytes() < headBytes) {
        return null;
      }
      frame = FrameCodec.decodeHead(in.readSlice(headBytes), payloadBytes, size, room);
    }
    if (!fill(in)) {
      return null;
    }
    Frame whole = frame;
    frame = null;
    headBytes = -1;
    block = 0;
    return whole;
  }

  private boolean readLengths(ByteBuf in) {
    if (in.readableBytes() < FrameCodec.LENGTHS_BYTES) {
      return false;
    }
    headBytes = in.readInt();
    payloadBytes = in.readInt();
    if (headBytes < 0 || headBytes > FrameCodec.maxHeadBytes(size)) {
      throw new IllegalArgumentException(
          "a frame's head has %d bytes; at most %d are allowed"
              .formatted(headBytes, FrameCodec.maxHeadBytes(size)));
    }
    if (payloadBytes < 0 || payloadBytes > maxPayloadBytes) {
      throw new IllegalArgumentException(
          "a frame's payload has %d bytes; at most %d are allowed"
              .formatted(payloadBytes, maxPayloadBytes));
    }
    return true;
  }

  /** Copies bytes into the frame's blocks; returns true when the payload is complete. */
  private boolean fill(ByteBuf in) {
    while (block < frame.blocks().size()) {
      byte[] target = frame.blocks().get(block).array();
      int length = Math.min(target.length - filled, in.readableBytes());
      in.readBytes(target, filled, length);
      filled += length;
      if (filled < target.length) {
        return false;
      }
      block++;
      filled = 0;
    }
    return true;
  }
}
