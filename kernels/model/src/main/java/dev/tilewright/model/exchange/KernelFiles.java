package dev.tilewright.model.exchange;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * What a kernel that was tried is made of, so that whoever wants it need not build it again.
 *
 * @param ptx its text
 * @param cubin of the text
 * @param launch the launch for the problem of the trial, as {@code docs/launch-description.md} says, in JSON
 */
public record KernelFiles(Packed ptx, Packed cubin, Packed launch) {

    /** The most bytes of all three, packed: a report shares a request with many others. */
    public static final int MOST_PACKED_BYTES = 512 << 10;

    /** The most bytes of each, unpacked. */
    public static final int MOST_BYTES = 16 << 20;

    /**
     * A file that is packed by gzip.
     *
     * @param gzip its bytes
     */
    public record Packed(byte[] gzip) {

        static Packed of(byte[] content) {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
                stream.write(content);
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
            return new Packed(packed.toByteArray());
        }

        /**
         * The file.
         *
         * @throws IllegalArgumentException if it is no gzip, or has more than {@value KernelFiles#MOST_BYTES} bytes
         */
        public byte[] content() {
            try (GZIPInputStream stream = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
                byte[] content = stream.readNBytes(MOST_BYTES + 1);
                if (content.length > MOST_BYTES) {
                    throw new IllegalArgumentException("must have at most " + MOST_BYTES + " bytes");
                }
                return content;
            } catch (IOException broken) {
                throw new IllegalArgumentException("must be packed by gzip: " + broken.getMessage(), broken);
            }
        }
    }

    /** Packs; empty if they are too large to be told. */
    public static Optional<KernelFiles> packed(byte[] ptx, byte[] cubin, byte[] launch) {
        if (Math.max(ptx.length, Math.max(cubin.length, launch.length)) > MOST_BYTES) {
            return Optional.empty();
        }
        KernelFiles files = new KernelFiles(Packed.of(ptx), Packed.of(cubin), Packed.of(launch));
        return files.packedBytes() > MOST_PACKED_BYTES ? Optional.empty() : Optional.of(files);
    }

    /** Of all three. */
    public long packedBytes() {
        return (long) ptx.gzip().length + cubin.gzip().length + launch.gzip().length;
    }
}
