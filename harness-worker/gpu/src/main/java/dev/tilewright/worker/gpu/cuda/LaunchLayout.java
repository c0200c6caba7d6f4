package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;

/**
 * {@code CUlaunchConfig} of cuda.h: 56 bytes, padded before the stream and at the end; and {@code CUlaunchAttribute}:
 * 72 bytes, a number and a union of 64 bytes at offset 8.
 */
final class LaunchLayout {

    static final StructLayout CONFIG = MemoryLayout.structLayout(
            JAVA_INT.withName("gridDimX"),
            JAVA_INT.withName("gridDimY"),
            JAVA_INT.withName("gridDimZ"),
            JAVA_INT.withName("blockDimX"),
            JAVA_INT.withName("blockDimY"),
            JAVA_INT.withName("blockDimZ"),
            JAVA_INT.withName("sharedMemBytes"),
            MemoryLayout.paddingLayout(4),
            ADDRESS.withName("hStream"),
            ADDRESS.withName("attrs"),
            JAVA_INT.withName("numAttrs"),
            MemoryLayout.paddingLayout(4));

    static final StructLayout ATTRIBUTE = MemoryLayout.structLayout(
            JAVA_INT.withName("id"),
            MemoryLayout.paddingLayout(4),
            MemoryLayout.unionLayout(
                            JAVA_INT.withName("programmaticStreamSerializationAllowed"),
                            MemoryLayout.sequenceLayout(8, JAVA_LONG))
                    .withName("value"));

    /** {@code CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}: three words, for an entry without a cluster of its own. */
    private static final int CLUSTER_DIMENSION = 4;

    /** {@code CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION}. */
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

    private static final long VALUE = ATTRIBUTE.byteOffset(PathElement.groupElement("value"));

    private LaunchLayout() {}

    /** Offset of a member, in bytes. */
    static long offset(String member) {
        return CONFIG.byteOffset(PathElement.groupElement(member));
    }

    /** A config with the attributes that the launch needs. */
    static MemorySegment config(Arena arena, LaunchGrid grid, long stream) {
        MemorySegment config = arena.allocate(CONFIG);
        config.set(JAVA_INT, offset("gridDimX"), grid.grid().x());
        config.set(JAVA_INT, offset("gridDimY"), grid.grid().y());
        config.set(JAVA_INT, offset("gridDimZ"), grid.grid().z());
        config.set(JAVA_INT, offset("blockDimX"), grid.block().x());
        config.set(JAVA_INT, offset("blockDimY"), grid.block().y());
        config.set(JAVA_INT, offset("blockDimZ"), grid.block().z());
        config.set(JAVA_INT, offset("sharedMemBytes"), grid.sharedBytes());
        config.set(ADDRESS, offset("hStream"), MemorySegment.ofAddress(stream));
        boolean clusters = grid.cluster().count() > 1;
        int count = (grid.overlaps() ? 1 : 0) + (clusters ? 1 : 0);
        MemorySegment attributes = count == 0 ? MemorySegment.NULL : arena.allocate(ATTRIBUTE, count);
        if (grid.overlaps()) {
            attributes.set(JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
            attributes.set(JAVA_INT, VALUE, 1);
        }
        if (clusters) {
            MemorySegment last = attributes.asSlice((count - 1) * ATTRIBUTE.byteSize());
            last.set(JAVA_INT, 0, CLUSTER_DIMENSION);
            last.set(JAVA_INT, VALUE, grid.cluster().x());
            last.set(JAVA_INT, VALUE + Integer.BYTES, grid.cluster().y());
            last.set(JAVA_INT, VALUE + 2 * Integer.BYTES, grid.cluster().z());
        }
        config.set(ADDRESS, offset("attrs"), attributes);
        config.set(JAVA_INT, offset("numAttrs"), count);
        return config;
    }
}
