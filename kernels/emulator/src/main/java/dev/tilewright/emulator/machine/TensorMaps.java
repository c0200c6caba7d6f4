package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.machine.Parameters.PlacedMap;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.tensor.MapImage;
import dev.tilewright.emulator.warp.Warp;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tensor maps that copies use: parameters, constants, or bytes of global memory. Copies read maps through a proxy
 * of its own, so one that the kernel wrote must have been released by a fence and acquired by the warp that uses it.
 * PTX 8.4, 9.7.13.4, 9.7.13.16.
 */
public final class TensorMaps {
    private record Known(byte[] image, PlacedMap map) {}

    private final Parameters parameters;
    private final GlobalMemory global;
    private final GlobalMemory constants;
    /** Maps as the launch left them, by address. */
    private final Map<Long, byte[]> launched = new HashMap<>();

    private final Map<Long, Known> known = new HashMap<>();
    private final Map<Long, byte[]> released = new HashMap<>();
    private final Map<Warp, Map<Long, byte[]>> acquired = new HashMap<>();
    /** Whether some thread has released all maps that it wrote. */
    private boolean allReleased;

    TensorMaps(Parameters parameters, GlobalMemory global, GlobalMemory constants) {
        this.parameters = parameters;
        this.global = global;
        this.constants = constants;
    }

    /** The launch puts a map into global memory. */
    void launched(long address, byte[] image) {
        launched.put(address, image.clone());
    }

    /** The map at a generic address, for a copy that a warp issues. */
    public PlacedMap at(Warp warp, long generic) {
        if (AddressSpace.isParameter(generic)) {
            return parameters.map(generic);
        }
        boolean constant = AddressSpace.isConstant(generic);
        if (!constant && !AddressSpace.isGlobal(generic)) {
            throw none(generic, "which is neither a parameter nor in global or constant memory");
        }
        if (generic % MapImage.ALIGNMENT != 0) {
            throw new HazardFound(
                    new Hazard.Misaligned("a tensor map", "0x" + Long.toHexString(generic), MapImage.ALIGNMENT));
        }
        byte[] image = constant ? read(constants, generic - AddressSpace.CONSTANTS) : read(global, generic);
        if (!constant) {
            requireSeen(warp, generic, image);
        }
        Known before = known.get(generic);
        if (before != null && Arrays.equals(before.image, image)) {
            return before.map;
        }
        try {
            PlacedMap map = new PlacedMap(MapImage.map(image), MapImage.base(image));
            known.put(generic, new Known(image, map));
            return map;
        } catch (IllegalArgumentException broken) {
            throw none(generic, String.valueOf(broken.getMessage()));
        }
    }

    private static HazardFound none(long generic, String why) {
        return new HazardFound(new Hazard.BadOperand(
                "there is no tensor map at generic address 0x" + Long.toHexString(generic) + ": " + why));
    }

    private static byte[] read(GlobalMemory memory, long address) {
        byte[] image = new byte[MapImage.BYTES];
        for (int at = 0; at < MapImage.BYTES; at += 8) {
            Bytes.put(image, at, 8, memory.read(address + at, 8));
        }
        return image;
    }

    private void requireSeen(Warp warp, long address, byte[] image) {
        if (same(launched.get(address), image)
                || same(acquired.getOrDefault(warp, Map.of()).get(address), image)) {
            return;
        }
        throw missing(
                "fence.proxy.tensormap::generic.acquire", address, "a copy by it", "the warp has not fenced since");
    }

    private HazardFound missing(String fence, long address, String access, String why) {
        return new HazardFound(new Hazard.MissingProxyFence(
                fence, "the tensor map at " + global.describe(address), access, "the kernel", why));
    }

    private static boolean same(byte @Nullable [] known, byte[] image) {
        return known != null && Arrays.equals(known, image);
    }

    /** tensormap.cp_fenceproxy: a map has been written and released. */
    public void release(long address, byte[] image) {
        released.put(address, image);
    }

    /** fence.proxy.tensormap::generic.release: of all maps that the thread wrote, of which there is no list. */
    public void releaseAll() {
        allReleased = true;
    }

    /**
     * fence.proxy.tensormap::generic.acquire: the warp sees the map as it was released. A fence accesses nothing, so it
     * does no harm where there is no map: in libraries the warps that have none fence address 0.
     */
    public void acquire(Warp warp, long address) {
        if (!AddressSpace.isGlobal(address) || !global.holds(address, MapImage.BYTES)) {
            return;
        }
        byte[] image = read(global, address);
        if (!allReleased && !same(launched.get(address), image) && !same(released.get(address), image)) {
            throw missing(
                    "release to the tensormap proxy",
                    address,
                    "fence.proxy.tensormap::generic.acquire",
                    "nobody has executed tensormap.cp_fenceproxy or fence.proxy.tensormap::generic.release since");
        }
        acquired.computeIfAbsent(warp, key -> new HashMap<>()).put(address, image);
    }
}
