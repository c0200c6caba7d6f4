package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.ShownName;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.program.ParameterLayout;
import dev.tilewright.emulator.run.Argument;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.emulator.run.UnfitLaunchException;
import dev.tilewright.emulator.tensor.MapImage;
import dev.tilewright.emulator.tensor.TensorMap;
import dev.tilewright.ptx.Param;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The arguments of a launch in the parameter space. */
public final class Parameters {
    /** A tensor map with the global address at which its tensor begins. */
    public record EncodedMap(TensorMap map, long base) {}

    private final byte[] data;
    private final Map<Integer, EncodedMap> maps = new HashMap<>();

    Parameters(ParameterLayout layout, Launch launch, GlobalMemory global) {
        data = new byte[layout.bytes()];
        List<Param> params = layout.params();
        if (params.size() != launch.arguments().size()) {
            throw new UnfitLaunchException("kernel " + ShownName.of(launch.entry()) + " has " + params.size()
                    + " parameters, the launch " + launch.arguments().size() + " arguments");
        }
        for (int i = 0; i < params.size(); i++) {
            put(
                    params.get(i),
                    layout.offset(params.get(i).name()),
                    launch.arguments().get(i),
                    global);
        }
    }

    private void put(Param param, int offset, Argument argument, GlobalMemory global) {
        int bytes = param.bytes();
        switch (argument) {
            case Argument.Scalar32(int bits) -> {
                require(bytes <= 4, param, argument);
                Bytes.put(data, offset, bytes, bits);
            }
            case Argument.Scalar64(long bits) -> {
                require(bytes == 8, param, argument);
                Bytes.put(data, offset, 8, bits);
            }
            case Argument.Pointer _ -> {
                require(bytes == 8, param, argument);
                put(offset, argument, global);
            }
            case Argument.Map _ -> {
                require(bytes == MapImage.BYTES, param, argument);
                put(offset, argument, global);
            }
            case Argument.Bytes(byte[] content, List<Argument.Patch> patches) -> {
                require(bytes == content.length, param, argument);
                System.arraycopy(content, 0, data, offset, bytes);
                for (Argument.Patch patch : patches) {
                    require(patch.offset() + patch.bytes() <= bytes, param, patch.argument());
                    put(offset + patch.offset(), patch.argument(), global);
                }
            }
        }
    }

    /** Writes a pointer or a tensor map, whose bytes only the launch knows. */
    private void put(int offset, Argument argument, GlobalMemory global) {
        byte[] image = image(argument, global);
        System.arraycopy(image, 0, data, offset, image.length);
        if (argument instanceof Argument.Map(String _, long _, TensorMap map)) {
            maps.put(offset, new EncodedMap(map, MapImage.base(image)));
        }
    }

    /** The bytes of a pointer or a tensor map. */
    static byte[] image(Argument argument, GlobalMemory global) {
        return switch (argument) {
            case Argument.Pointer(String buffer, long at) -> {
                byte[] address = new byte[Long.BYTES];
                Bytes.put(address, 0, Long.BYTES, global.named(buffer).base() + at);
                yield address;
            }
            case Argument.Map(String buffer, long at, TensorMap map) -> {
                long base = global.named(buffer).base() + at;
                TensorMap.requireAddress(base);
                yield MapImage.of(map, base);
            }
            case Argument.Scalar32 _, Argument.Scalar64 _, Argument.Bytes _ ->
                throw new IllegalArgumentException("neither a pointer nor a tensor map: " + argument);
        };
    }

    private static void require(boolean fits, Param param, Argument argument) {
        if (!fits) {
            throw new UnfitLaunchException(
                    "parameter " + param.name() + " of kind " + param.kind() + " does not take " + argument);
        }
    }

    /** Reads 1 to 8 bytes of the parameter space. */
    public long read(int offset, int bytes) {
        if (offset < 0 || offset + bytes > data.length) {
            throw new HazardFound(new Hazard.OutOfBounds(
                    bytes + " bytes at " + offset + " of " + data.length + " bytes of parameters"));
        }
        return Bytes.get(data, offset, bytes);
    }

    /** The tensor map at a generic address. */
    public EncodedMap map(long generic) {
        EncodedMap map = AddressSpace.isParameter(generic) ? maps.get((int) (generic - AddressSpace.PARAMETERS)) : null;
        if (map == null) {
            throw new HazardFound(
                    new Hazard.BadOperand("there is no tensor map at generic address 0x" + Long.toHexString(generic)));
        }
        return map;
    }
}
