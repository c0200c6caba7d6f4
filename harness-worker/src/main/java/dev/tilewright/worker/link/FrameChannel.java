package dev.tilewright.worker.link;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A two-way channel of length-prefixed frames.
 *
 * <p>A frame, all integers big-endian and of 32 bits: the magic number with the version of this layout, the length of
 * the JSON, the number of attachments, the length of each attachment; then the JSON in UTF-8, then the attachments.
 *
 * <p>One thread may send while another receives; two threads must not do the same at once.
 *
 * @param <S> what is sent
 * @param <R> what is received; a type that Jackson can read, sealed and named by a {@code type} property
 */
public final class FrameChannel<S, R> implements Closeable {

    /** {@code TWF} and the version of the layout. */
    private static final int MAGIC = 0x54574601;

    /** No cubin or text of ours comes near; a larger number means that the stream is not ours. */
    private static final int MAX_PART_BYTES = 256 << 20;

    private static final int MAX_ATTACHMENTS = 4096;

    private final JsonMapper json = FrameJson.mapper();
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Class<R> received;

    public FrameChannel(InputStream in, OutputStream out, Class<R> received) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
        this.received = received;
    }

    /**
     * The channel of a child to its parent: standard input and output. What the child prints from now on goes to
     * standard error, so that it cannot tear a frame.
     */
    public static <S, R> FrameChannel<S, R> ofStandardStreams(Class<R> received) {
        OutputStream stdout = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        return new FrameChannel<>(System.in, stdout, received);
    }

    /** Writes one frame and flushes. */
    public void send(S message) throws IOException {
        List<byte[]> attachments = new ArrayList<>();
        byte[] text =
                json.writer().withAttribute(FrameJson.ATTACHMENTS, attachments).writeValueAsBytes(message);
        out.writeInt(MAGIC);
        out.writeInt(text.length);
        out.writeInt(attachments.size());
        for (byte[] attachment : attachments) {
            out.writeInt(attachment.length);
        }
        out.write(text);
        for (byte[] attachment : attachments) {
            out.write(attachment);
        }
        out.flush();
    }

    /**
     * Waits for the next frame.
     *
     * @return empty when the other side has closed the stream between two frames
     * @throws IOException if the stream breaks inside a frame, or what comes is not a frame of this version
     */
    public Optional<R> receive() throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        int magic = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        if (magic != MAGIC) {
            throw new IOException(
                    "not a frame of this version: starts with %08x instead of %08x".formatted(magic, MAGIC));
        }
        int textLength = length("JSON", MAX_PART_BYTES);
        int[] lengths = new int[length("list of attachments", MAX_ATTACHMENTS)];
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = length("attachment", MAX_PART_BYTES);
        }
        byte[] text = bytes(textLength);
        List<byte[]> attachments = new ArrayList<>();
        for (int length : lengths) {
            attachments.add(bytes(length));
        }
        try {
            return Optional.of(json.readerFor(received)
                    .withAttribute(FrameJson.ATTACHMENTS, attachments)
                    .readValue(text));
        } catch (JacksonException malformed) {
            throw new IOException(
                    "the frame is not a " + received.getSimpleName() + ": " + malformed.getOriginalMessage(),
                    malformed);
        }
    }

    private int length(String what, int max) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > max) {
            throw new IOException("the " + what + " of a frame has length " + length + ", more than " + max);
        }
        return length;
    }

    private byte[] bytes(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the stream ended inside a frame: " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    @Override
    public void close() throws IOException {
        out.close();
        in.close();
    }
}
