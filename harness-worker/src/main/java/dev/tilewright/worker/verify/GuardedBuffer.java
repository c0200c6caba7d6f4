package dev.tilewright.worker.verify;

import dev.tilewright.worker.device.cuda.DeviceBuffer;
import dev.tilewright.worker.device.cuda.Gpu;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Optional;

/** A buffer between two red zones: 4 KiB before it and 4 KiB after its last byte that nobody may write. */
public final class GuardedBuffer implements AutoCloseable {

    static final int ZONE_BYTES = 4096;

    /** A NaN in bf16, f16 and f32 alike, and different from the poison. */
    static final int ZONE_PATTERN = 0xFFC3_FFC3;

    private static final int WORD = Integer.BYTES;

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
     * @param bytes a multiple of 4
     */
    public static GuardedBuffer allocate(Gpu gpu, long bytes) {
        if (bytes % WORD != 0) {
            throw new IllegalArgumentException("a guarded buffer has whole words, got " + bytes + " bytes");
        }
        DeviceBuffer memory = gpu.allocate(2L * ZONE_BYTES + bytes);
        GuardedBuffer buffer = new GuardedBuffer(gpu, memory, bytes);
        buffer.refill(ZONE_PATTERN);
        return buffer;
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
        gpu.fill(address(), pattern, bytes);
        gpu.fill(address() + bytes, ZONE_PATTERN, ZONE_BYTES);
    }

    /** What was written into a red zone, with the distance from the buffer in bytes; empty if nothing was. */
    public Optional<String> damage() {
        return firstDamage(memory.address())
                .map(at -> "red zone written " + (ZONE_BYTES - at) + " bytes before the buffer")
                .or(() ->
                        firstDamage(address() + bytes).map(at -> "red zone written " + at + " bytes after the buffer"));
    }

    private Optional<Integer> firstDamage(long address) {
        byte[] zone = new byte[ZONE_BYTES];
        gpu.read(address, zone);
        ByteBuffer expected = ByteBuffer.allocate(ZONE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (expected.hasRemaining()) {
            expected.putInt(ZONE_PATTERN);
        }
        int at = Arrays.mismatch(zone, expected.array());
        return at < 0 ? Optional.empty() : Optional.of(at);
    }

    @Override
    public void close() {
        memory.close();
    }
}
