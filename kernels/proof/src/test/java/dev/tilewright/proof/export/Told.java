package dev.tilewright.proof.export;

import dev.tilewright.gemm.launch.Argument;
import dev.tilewright.gemm.launch.BufferDemand;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.FilledBuffer;
import dev.tilewright.gemm.launch.KernelLaunch;
import dev.tilewright.gemm.launch.Swizzle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a driver must be told for a launch of ours, in the words of {@code stub_driver.c}; made of the launch itself and
 * not of its description.
 *
 * @param log what it was told
 * @param launch as the family has it
 */
record Told(List<String> log, KernelLaunch launch) {

    /** Where a program of a test has its operands. */
    static long operand(BufferRole role) {
        return (1L + role.ordinal()) << 40;
    }

    /** The lines that a kernel, a binding and two launches on a stream must have been. */
    List<String> expected(String stream, String clusterAttribute) {
        Map<BufferRole, Long> addresses = addresses();
        List<String> expected = new ArrayList<>();
        if (launch.dynamicSharedBytes() > 0) {
            expected.add("attribute " + launch.entry() + " 8 " + launch.dynamicSharedBytes());
        }
        for (FilledBuffer constant : launch.filled()) {
            if (constant instanceof FilledBuffer.Words) {
                expected.add(allocated(constant, addresses));
                expected.addAll(filled(constant, addresses, List.of()));
            }
        }
        for (BufferDemand demand : launch.buffers()) {
            expected.add(
                    "alloc " + (demand.bytes() + 3) / 4 * 4 + " " + Long.toHexString(addresses.get(demand.role())));
            if (demand.zero() == BufferDemand.Zero.ONCE) {
                expected.add("fill " + Long.toHexString(addresses.get(demand.role())) + " 0 " + demand.bytes());
            }
        }
        List<FilledBuffer> ofOperands = launch.filled().stream()
                .filter(filled -> !(filled instanceof FilledBuffer.Words))
                .toList();
        ofOperands.forEach(filled -> expected.add(allocated(filled, addresses)));
        List<String> maps = new ArrayList<>();
        ofOperands.forEach(filled -> expected.addAll(filled(filled, addresses, maps)));
        List<String> parameters = new ArrayList<>();
        for (Argument argument : launch.arguments()) {
            int before = maps.size();
            String bytes = bytes(argument, addresses, maps);
            expected.addAll(maps.subList(before, maps.size()));
            parameters.add("parameter " + bytes.length() / 2 + " " + bytes);
        }
        String attributes = (launch.overlaps() ? " attribute 6 1 0 0" : "") + clusterAttribute;
        for (int time = 0; time < 2; time++) {
            expected.add("launch " + launch.entry() + " [" + launch.gridX() + ", 1, 1] [" + launch.threads()
                    + ", 1, 1] " + launch.dynamicSharedBytes() + " " + stream + attributes);
            expected.addAll(parameters);
        }
        return expected;
    }

    /** Bytes of each parameter, as the stub needs to know them. */
    static String sizes(KernelLaunch launch) {
        return launch.arguments().stream()
                .map(argument -> switch (argument) {
                    case Argument.U32 _, Argument.F32 _ -> "4";
                    case Argument.U64 _, Argument.Pointer _ -> "8";
                    case Argument.TensorMap _ -> "128";
                })
                .collect(Collectors.joining(","));
    }

    /** Tables that no operand is in come first; of both, a program allocates in the order of the launch. */
    private Map<BufferRole, Long> addresses() {
        Map<BufferRole, Long> addresses = new EnumMap<>(BufferRole.class);
        for (BufferRole role : List.of(BufferRole.A, BufferRole.B, BufferRole.D)) {
            addresses.put(role, operand(role));
        }
        List<Long> allocated = log.stream()
                .filter(line -> line.startsWith("alloc "))
                .map(line -> Long.parseUnsignedLong(line.split(" ")[2], 16))
                .toList();
        List<BufferRole> roles = new ArrayList<>();
        launch.filled().stream().filter(FilledBuffer.Words.class::isInstance).forEach(table -> roles.add(table.role()));
        launch.buffers().forEach(demand -> roles.add(demand.role()));
        launch.filled().stream()
                .map(FilledBuffer::role)
                .filter(role -> !roles.contains(role))
                .forEach(roles::add);
        for (int i = 0; i < roles.size(); i++) {
            addresses.put(roles.get(i), allocated.get(allocated.size() - roles.size() + i));
        }
        return addresses;
    }

    private static String allocated(FilledBuffer filled, Map<BufferRole, Long> addresses) {
        return "alloc " + filled.bytes() + " " + Long.toHexString(addresses.get(filled.role()));
    }

    private static List<String> filled(FilledBuffer filled, Map<BufferRole, Long> addresses, List<String> maps) {
        List<String> expected = new ArrayList<>();
        int before = maps.size();
        String content = switch (filled) {
            case FilledBuffer.Words words ->
                words.words().stream().map(Told::little).collect(Collectors.joining());
            case FilledBuffer.Outputs _ -> throw new IllegalArgumentException("no program is told of an epilogue here");
            case FilledBuffer.Maps all ->
                all.maps().stream().map(map -> bytes(map, addresses, maps)).collect(Collectors.joining());
        };
        expected.addAll(maps.subList(before, maps.size()));
        expected.add("write " + Long.toHexString(addresses.get(filled.role())) + " " + content);
        return expected;
    }

    private static String bytes(Argument argument, Map<BufferRole, Long> addresses, List<String> maps) {
        return switch (argument) {
            case Argument.U32(int value) -> little(value);
            case Argument.F32(var _, float value) -> little(Float.floatToRawIntBits(value));
            case Argument.U64(long value) -> little(value);
            case Argument.Pointer(BufferRole role, long offset) -> little(addresses.get(role) + offset);
            case Argument.TensorMap map -> {
                maps.add("map " + (maps.size() + 1) + " " + type(map) + " "
                        + Long.toHexString(addresses.get(map.buffer()) + map.offsetBytes()) + " " + map.dims() + " "
                        + map.strides() + " " + map.box() + " "
                        + Collections.nCopies(map.dims().size(), 1) + " 0 "
                        + List.of(Swizzle.values()).indexOf(map.swizzle()) + " "
                        + List.of(0, 64, 128, 256).indexOf(map.promotionBytes()) + " 0");
                yield little((long) maps.size()) + "ee".repeat(120);
            }
        };
    }

    private static int type(Argument.TensorMap map) {
        return switch (map.type()) {
            case E4M3, E5M2 -> 0;
            case F16 -> 6;
            case F32 -> 7;
            case BF16 -> 9;
        };
    }

    private static String little(int value) {
        return HexFormat.of()
                .formatHex(ByteBuffer.allocate(Integer.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putInt(value)
                        .array());
    }

    private static String little(long value) {
        return HexFormat.of()
                .formatHex(ByteBuffer.allocate(Long.BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(value)
                        .array());
    }
}
