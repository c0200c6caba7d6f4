package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.hazard.Hazard;
import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.machine.Parameters.EncodedMap;
import dev.tilewright.emulator.memory.AddressSpace;
import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.memory.GlobalMemory.GlobalBuffer;
import dev.tilewright.emulator.number.Bytes;
import dev.tilewright.emulator.order.Actor;
import dev.tilewright.emulator.order.MapFences;
import dev.tilewright.emulator.tensor.MapImage;
import dev.tilewright.ptx.type.Scope;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The tensor maps that copies use: parameters, constants, or bytes of global memory. Copies read maps through a proxy
 * of its own, so one that the kernel wrote must have been released and acquired on the way to the copy.
 */
public final class TensorMaps {
    private record Known(byte[] image, EncodedMap map) {}

    private final Parameters parameters;
    private final GlobalMemory global;
    private final GlobalMemory constants;
    private final MapFences fences = new MapFences();
    private final Map<Long, Known> known = new HashMap<>();

    TensorMaps(Parameters parameters, GlobalMemory global, GlobalMemory constants) {
        this.parameters = parameters;
        this.global = global;
        this.constants = constants;
    }

    /** The fences that a kernel executes for its maps. */
    public MapFences fences() {
        return fences;
    }

    /** The map at a generic address, for a copy that whoever acts issues. */
    public EncodedMap at(Actor actor, long generic) {
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
            requireAcquired(actor, generic);
        }
        Known before = known.get(generic);
        if (before != null && Arrays.equals(before.image, image)) {
            return before.map;
        }
        try {
            EncodedMap map = new EncodedMap(MapImage.map(image), MapImage.base(image));
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

    private void requireAcquired(Actor actor, long address) {
        GlobalBuffer buffer = global.holding(address, MapImage.BYTES, "a copy by a tensor map");
        int at = (int) (address - buffer.base());
        fences.unacquired(actor, buffer.shadow(), at, MapImage.BYTES, address).ifPresent(writer -> {
            throw missing(
                    "fence.proxy.tensormap::generic.acquire",
                    address,
                    "a copy by it",
                    writer,
                    "no acquire of the map comes behind the write and before the copy, by the copy's thread or by one"
                            + " that it comes behind");
        });
    }

    private HazardFound missing(String fence, long address, String access, Site writer, String why) {
        return new HazardFound(new Hazard.MissingProxyFence(
                fence, "the tensor map at " + global.describe(address), access, "written by " + writer, why));
    }

    /**
     * Lanes acquire a map. A fence accesses nothing, so it does no harm where there is no map: in libraries the warps
     * that have none fence address 0.
     */
    public void acquire(Actor actor, int lanes, Scope scope, long address) {
        if (!AddressSpace.isGlobal(address) || !global.holds(address, MapImage.BYTES)) {
            return;
        }
        GlobalBuffer buffer = global.holding(address, MapImage.BYTES, "an acquire");
        int at = (int) (address - buffer.base());
        fences.unreleased(actor, buffer.shadow(), at, MapImage.BYTES, address).ifPresent(writer -> {
            throw missing(
                    "release to the tensormap proxy",
                    address,
                    "fence.proxy.tensormap::generic.acquire",
                    writer,
                    "no tensormap.cp_fenceproxy and no fence.proxy.tensormap::generic.release of a scope that reaches"
                            + " the acquire comes behind the write");
        });
        fences.acquire(actor, lanes, scope, address);
    }
}
