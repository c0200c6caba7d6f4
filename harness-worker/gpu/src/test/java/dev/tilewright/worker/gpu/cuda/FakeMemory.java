package dev.tilewright.worker.gpu.cuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Memory of a GPU of a test: pieces with gaps between them, so that an address out of bounds is no address. */
final class FakeMemory {

    private static final int ALIGNMENT = 256;
    private static final byte UNTOUCHED = 0x5A;

    private final TreeMap<Long, byte[]> pieces = new TreeMap<>();
    private long next;

    /** @param first address */
    FakeMemory(long first) {
        next = first;
    }

    DeviceBuffer allocate(long bytes) {
        long address = next;
        next += Math.ceilDiv(bytes, ALIGNMENT) * ALIGNMENT + ALIGNMENT;
        byte[] piece = new byte[Math.toIntExact(bytes)];
        Arrays.fill(piece, UNTOUCHED);
        pieces.put(address, piece);
        return new DeviceBuffer() {
            @Override
            public long address() {
                return address;
            }

            @Override
            public long bytes() {
                return bytes;
            }

            @Override
            public void close() {
                if (pieces.remove(address) == null) {
                    throw FakeGpu.failure("cuMemFree", 1);
                }
            }
        };
    }

    int pieces() {
        return pieces.size();
    }

    long bytes() {
        return pieces.values().stream().mapToLong(piece -> piece.length).sum();
    }

    /** The piece that an address lies in, with its own. */
    Optional<Map.Entry<Long, byte[]>> find(long address) {
        return Optional.ofNullable(pieces.floorEntry(address))
                .filter(piece -> address < piece.getKey() + piece.getValue().length);
    }

    Map.Entry<Long, byte[]> piece(long address) {
        return find(address).orElseThrow(() -> FakeGpu.failure("illegal address " + Long.toHexString(address), 700));
    }

    /** From an address to the end of its piece, little-endian. */
    ByteBuffer at(long address) {
        Map.Entry<Long, byte[]> piece = piece(address);
        int offset = (int) (address - piece.getKey());
        return ByteBuffer.wrap(piece.getValue(), offset, piece.getValue().length - offset)
                .slice()
                .order(ByteOrder.LITTLE_ENDIAN);
    }

    void fill(long address, int pattern, long bytes) {
        ByteBuffer target = at(address);
        for (int i = 0; i < bytes; i += Integer.BYTES) {
            target.putInt(i, pattern);
        }
    }

    void copy(long source, long target, long bytes) {
        byte[] copied = new byte[Math.toIntExact(bytes)];
        at(source).get(copied);
        at(target).put(copied);
    }

    private record Host(byte[] content) implements HostBuffer {
        @Override
        public long bytes() {
            return content.length;
        }

        @Override
        public void read(long offset, byte[] target) {
            System.arraycopy(content, (int) offset, target, 0, target.length);
        }

        @Override
        public void close() {}
    }

    static HostBuffer host(long bytes) {
        return new Host(new byte[Math.toIntExact(bytes)]);
    }

    void fetch(long address, HostBuffer target, long offset, long bytes) {
        at(address).get(((Host) target).content(), (int) offset, (int) bytes);
    }
}
