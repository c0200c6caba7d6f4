package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.launch.TensorMap;
import dev.tilewright.launch.program.MapNumbers;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Encodes tensor maps with {@code cuTensorMapEncodeTiled}, which JCuda lacks. */
final class TensorMapEncoder {

    /** Size of a {@code CUtensorMap}. */
    static final long BYTES = 128;

    /** Alignment that cuda.h asks for since CUDA 13; the hardware needs 64. */
    static final long ALIGNMENT = 128;

    private final DriverLibrary driver;
    private final NativeCall encode;

    TensorMapEncoder(DriverLibrary driver) {
        this.driver = driver;
        this.encode = driver.call(
                "cuTensorMapEncodeTiled",
                JAVA_LONG, // CUtensorMap*
                JAVA_INT, // data type
                JAVA_INT, // rank
                JAVA_LONG, // global address
                JAVA_LONG, // const uint64_t* extents
                JAVA_LONG, // const uint64_t* strides in bytes, rank - 1 of them
                JAVA_LONG, // const uint32_t* box
                JAVA_LONG, // const uint32_t* element strides
                JAVA_INT, // interleave
                JAVA_INT, // swizzle
                JAVA_INT, // L2 promotion
                JAVA_INT); // fill of elements out of bounds
    }

    /**
     * Encodes a map.
     *
     * @param address of the first element on the device, a multiple of 16
     * @return 128 bytes that live as long as the arena
     */
    MemorySegment encode(Arena arena, TensorMap map, long address) {
        MapNumbers numbers = MapNumbers.of(map);
        MemorySegment encoded = arena.allocate(BYTES, ALIGNMENT);
        try (Arena scratch = Arena.ofConfined()) {
            int result = encode.invoke(
                    encoded.address(),
                    numbers.type(),
                    map.rank(),
                    address,
                    longs(scratch, map.dims()).address(),
                    longs(scratch, map.strides()).address(),
                    ints(scratch, map.box()).address(),
                    ints(scratch, map.elementStrides()).address(),
                    0,
                    numbers.swizzle(),
                    numbers.promotion(),
                    numbers.fill());
            driver.check("cuTensorMapEncodeTiled(" + map + ")", result);
        }
        return encoded;
    }

    private static MemorySegment longs(Arena arena, List<Long> values) {
        return arena.allocateFrom(
                JAVA_LONG, values.stream().mapToLong(Long::longValue).toArray());
    }

    private static MemorySegment ints(Arena arena, List<Integer> values) {
        return arena.allocateFrom(
                JAVA_INT, values.stream().mapToInt(Integer::intValue).toArray());
    }
}
