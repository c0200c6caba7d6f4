package dev.tilewright.worker.gpu.runner;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.OperandSet;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the host writes into memory for a kernel before its first launch, and nobody changes after: words once for all
 * sets of operands, tensor maps for each set, because they hold its addresses.
 */
final class FilledMemory implements AutoCloseable {

    private final Gpu gpu;
    private final List<OperandSet> sets;
    private final Map<BufferRole, Filled> buffers = new EnumMap<>(BufferRole.class);
    private final List<DeviceBuffer> owned = new ArrayList<>();

    /** @param step bytes from what is of one set to what is of the next */
    private record Filled(long address, long step) {}

    /**
     * Allocates and writes all.
     *
     * @throws dev.tilewright.worker.gpu.cuda.CudaException if the memory is full or the driver refuses a tensor map
     */
    FilledMemory(Gpu gpu, List<FilledBuffer> filled, List<OperandSet> sets) {
        this.gpu = gpu;
        this.sets = sets;
        try {
            filled.forEach(this::write);
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    private void write(FilledBuffer filled) {
        byte[] content = switch (filled) {
            case FilledBuffer.Words words -> bytes(words);
            case FilledBuffer.Maps maps -> bytes(maps);
        };
        DeviceBuffer buffer = gpu.allocate(content.length);
        owned.add(buffer);
        gpu.write(buffer.address(), content);
        long step = switch (filled) {
            case FilledBuffer.Words _ -> 0;
            case FilledBuffer.Maps _ -> filled.bytes();
        };
        buffers.put(filled.role(), new Filled(buffer.address(), step));
    }

    private static byte[] bytes(FilledBuffer.Words words) {
        ByteBuffer content = ByteBuffer.allocate(Math.toIntExact(words.bytes())).order(ByteOrder.LITTLE_ENDIAN);
        words.words().forEach(content::putInt);
        return content.array();
    }

    private byte[] bytes(FilledBuffer.Maps maps) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (OperandSet set : sets) {
            for (Argument.TensorMap map : maps.maps()) {
                content.writeBytes(gpu.encode(map, set.address(map.buffer()) + map.offsetBytes()));
            }
        }
        return content.toByteArray();
    }

    /** Where a kernel that works on a set finds a buffer; empty if it did not ask for it. */
    OptionalLong address(BufferRole role, OperandSet set) {
        Filled filled = buffers.get(role);
        return filled == null
                ? OptionalLong.empty()
                : OptionalLong.of(filled.address() + sets.indexOf(set) * filled.step());
    }

    @Override
    public void close() {
        owned.reversed().forEach(DeviceBuffer::close);
        owned.clear();
    }
}
