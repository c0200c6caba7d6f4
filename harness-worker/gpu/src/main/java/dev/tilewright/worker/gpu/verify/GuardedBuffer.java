package dev.tilewright.worker.gpu.verify;

import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.HostBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** A buffer between two red zones, 4 KiB before and 4 KiB after it. No kernel may write into them. */
public final class GuardedBuffer implements AutoCloseable {

    static final int ZONE_BYTES = 4096;

    /** A NaN in bf16, f16 and f32 alike, and different from the poison. */
    static final int ZONE_PATTERN = 0xFFC3_FFC3;

    private static final int WORD = Integer.BYTES;

    private static final int HALF_WORD = Short.BYTES;

    private static final byte[] INTACT = intact();

    private final Gpu gpu;
    private final DeviceBuffer memory;
    private final long bytes;

    private GuardedBuffer(Gpu gpu, DeviceBuffer memory, long bytes) {
        this.gpu = gpu;
        this.memory = memory;
        this.bytes = bytes;
    }

    /**
     * A buffer with fresh red zones.
     *
     * @param bytes a multiple of 2
     */
    public static GuardedBuffer allocate(Gpu gpu, long bytes) {
        if (bytes % HALF_WORD != 0) {
            throw new IllegalArgumentException(
                    "a guarded buffer has elements of 2 or 4 bytes, got " + bytes + " bytes");
        }
        DeviceBuffer memory = gpu.allocate(bytesWithZones(bytes));
        GuardedBuffer buffer = new GuardedBuffer(gpu, memory, bytes);
        buffer.refill(ZONE_PATTERN);
        return buffer;
    }

    /** Memory that a buffer of this size takes. */
    static long bytesWithZones(long bytes) {
        return 2L * ZONE_BYTES + inWords(bytes);
    }

    private static long inWords(long bytes) {
        return Math.ceilDiv(bytes, WORD) * WORD;
    }

    /** Address of the first byte between the zones, a multiple of 256. */
    public long address() {
        return memory.address() + ZONE_BYTES;
    }

    /** Size between the zones. */
    public long bytes() {
        return bytes;
    }

    /** Writes the red zones anew and a pattern of 32 bits between them. */
    void refill(int pattern) {
        gpu.fill(memory.address(), ZONE_PATTERN, ZONE_BYTES);
        gpu.fill(address(), pattern, inWords(bytes));
        gpu.fill(address() + inWords(bytes), ZONE_PATTERN, ZONE_BYTES);
        if (bytes % WORD != 0) {
            // The device is filled by words: of the last one, the half behind the buffer is red too.
            gpu.copy(memory.address(), address() + bytes, WORD - bytes % WORD);
        }
    }

    /** Bytes that {@link #fetchZones} copies. */
    static final int FETCHED_BYTES = 2 * ZONE_BYTES;

    /** Puts a copy of both red zones into the stream. */
    void fetchZones(HostBuffer target, long offset) {
        gpu.fetch(memory.address(), target, offset, ZONE_BYTES);
        gpu.fetch(address() + bytes, target, offset + ZONE_BYTES, ZONE_BYTES);
    }

    /** A write into the zones that were fetched, and its distance from the buffer in bytes; empty if there is none. */
    static Optional<String> damage(byte[] zones) {
        return firstDamage(zones, 0)
                .map(at -> "red zone written " + (ZONE_BYTES - at) + " bytes before the buffer")
                .or(() ->
                        firstDamage(zones, ZONE_BYTES).map(at -> "red zone written " + at + " bytes after the buffer"));
    }

    private static Optional<Integer> firstDamage(byte[] zones, int zone) {
        int at = Arrays.mismatch(zones, zone, zone + ZONE_BYTES, INTACT, 0, ZONE_BYTES);
        return at < 0 ? Optional.empty() : Optional.of(at);
    }

    private static byte[] intact() {
        ByteBuffer zone = ByteBuffer.allocate(ZONE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (zone.hasRemaining()) {
            zone.putInt(ZONE_PATTERN);
        }
        return zone.array();
    }

    @Override
    public void close() {
        memory.close();
    }
}
