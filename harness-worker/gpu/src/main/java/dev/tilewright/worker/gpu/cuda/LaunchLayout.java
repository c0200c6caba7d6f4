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

    /** {@code CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION}. */
    private static final int PROGRAMMATIC_STREAM_SERIALIZATION = 6;

    private static final long VALUE = ATTRIBUTE.byteOffset(PathElement.groupElement("value"));

    private LaunchLayout() {}

    /** Where a member lies, in bytes. */
    static long offset(String member) {
        return CONFIG.byteOffset(PathElement.groupElement(member));
    }

    /**
     * A config, whose only attribute is that the launch may overlap with the one ahead of it: the cluster of an entry
     * with {@code .reqnctapercluster} needs none.
     */
    static MemorySegment config(Arena arena, LaunchGrid grid, long stream) {
        MemorySegment config = arena.allocate(CONFIG);
        config.set(JAVA_INT, offset("gridDimX"), grid.x());
        config.set(JAVA_INT, offset("gridDimY"), grid.y());
        config.set(JAVA_INT, offset("gridDimZ"), grid.z());
        config.set(JAVA_INT, offset("blockDimX"), grid.threads());
        config.set(JAVA_INT, offset("blockDimY"), 1);
        config.set(JAVA_INT, offset("blockDimZ"), 1);
        config.set(JAVA_INT, offset("sharedMemBytes"), grid.sharedBytes());
        config.set(ADDRESS, offset("hStream"), MemorySegment.ofAddress(stream));
        config.set(ADDRESS, offset("attrs"), grid.overlaps() ? overlapping(arena) : MemorySegment.NULL);
        config.set(JAVA_INT, offset("numAttrs"), grid.overlaps() ? 1 : 0);
        return config;
    }

    private static MemorySegment overlapping(Arena arena) {
        MemorySegment attribute = arena.allocate(ATTRIBUTE);
        attribute.set(JAVA_INT, 0, PROGRAMMATIC_STREAM_SERIALIZATION);
        attribute.set(JAVA_INT, VALUE, 1);
        return attribute;
    }
}
