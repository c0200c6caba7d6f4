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
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * A two-way channel of messages in CBOR (RFC 8949), each behind its length in bytes: 32 bits, big-endian.
 *
 * <p>One thread may send while another receives; two threads must not do the same at once.
 *
 * @param <S> what is sent
 * @param <R> what is received; a type that Jackson can read, sealed and named by a {@code type} property
 */
public final class CborChannel<S, R> implements Closeable {

    /** No message of ours comes near; a larger number means that the stream is not ours. */
    private static final int MAX_BYTES = 256 << 20;

    private final CBORMapper cbor =
            CBORMapper.builder().addModule(new LaunchKinds()).build();
    private final DataInputStream in;
    private final DataOutputStream out;
    private final Class<R> received;

    public CborChannel(InputStream in, OutputStream out, Class<R> received) {
        this.in = new DataInputStream(new BufferedInputStream(in));
        this.out = new DataOutputStream(new BufferedOutputStream(out));
        this.received = received;
    }

    /**
     * The channel of a child to its parent: standard input and output. What the child prints from now on goes to
     * standard error, so that it cannot tear a message.
     */
    public static <S, R> CborChannel<S, R> ofStandardStreams(Class<R> received) {
        OutputStream stdout = new FileOutputStream(FileDescriptor.out);
        System.setOut(System.err);
        return new CborChannel<>(System.in, stdout, received);
    }

    /** Writes one message and flushes. */
    public void send(S message) throws IOException {
        byte[] bytes = cbor.writeValueAsBytes(message);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.flush();
    }

    /**
     * Waits for the next message.
     *
     * @return empty when the other side has closed the stream between two messages
     * @throws IOException if the stream breaks inside a message, or what comes is none
     */
    public Optional<R> receive() throws IOException {
        int first = in.read();
        if (first < 0) {
            return Optional.empty();
        }
        int length = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
        if (length < 0 || length > MAX_BYTES) {
            throw new IOException(
                    "no message: it begins with %08x, its length, which is at most %d".formatted(length, MAX_BYTES));
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the stream ended inside a message: " + bytes.length + " of " + length + " bytes");
        }
        try {
            return Optional.of(cbor.readValue(bytes, received));
        } catch (JacksonException malformed) {
            throw new IOException(
                    "the message is not a " + received.getSimpleName() + ": " + malformed.getOriginalMessage(),
                    malformed);
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
        in.close();
    }
}
