package dev.tilewright.simulator;

import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.device.DeviceLimits;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The GPUs that can be simulated, by name. */
public final class SimulatedGpus {

    /** NVIDIA H200 SXM, 700 W. */
    public static final GpuConstants H200 = new GpuConstants(
            "h200",
            "constants-8",
            Architecture.SM90,
            HopperConstants.TOPOLOGY,
            HopperConstants.TENSOR_CORES,
            HopperConstants.MEMORY,
            HopperConstants.OVERHEADS,
            HopperConstants.VARIATION,
            HopperConstants.POWER);

    /** NVIDIA H100 SXM, 700 W: as the H200, with a slower memory. */
    public static final GpuConstants H100 = new GpuConstants(
            "h100",
            H200.version(),
            Architecture.SM90,
            HopperConstants.TOPOLOGY,
            HopperConstants.TENSOR_CORES,
            HopperConstants.MEMORY.withDram(HopperConstants.H100_DRAM_BYTES_PER_NS),
            HopperConstants.OVERHEADS,
            HopperConstants.VARIATION,
            HopperConstants.POWER);

    /** NVIDIA B200 SXM, 1000 W. */
    public static final GpuConstants B200 = new GpuConstants(
            "b200",
            "constants-3",
            Architecture.SM100,
            new GpuConstants.Topology(148, DeviceLimits.residentClusters(148), 8),
            BlackwellConstants.TENSOR_CORES,
            BlackwellConstants.MEMORY,
            BlackwellConstants.OVERHEADS,
            BlackwellConstants.VARIATION,
            BlackwellConstants.power(1965, 1000));

    /** NVIDIA GB200, one of the two GPUs of a superchip, 1200 W. */
    public static final GpuConstants GB200 = new GpuConstants(
            "gb200",
            "constants-3",
            Architecture.SM100,
            new GpuConstants.Topology(152, DeviceLimits.residentClusters(152), 8),
            BlackwellConstants.TENSOR_CORES,
            BlackwellConstants.MEMORY,
            BlackwellConstants.OVERHEADS,
            BlackwellConstants.VARIATION,
            BlackwellConstants.power(2008, 1200));

    private static final List<GpuConstants> ALL = List.of(H200, H100, B200, GB200);

    private SimulatedGpus() {}

    /** Every GPU, in the order in which they are listed to users. */
    public static List<GpuConstants> all() {
        return ALL;
    }

    /** The constants of the GPU that a device is, such as {@code NVIDIA H200}; empty if they are not known. */
    public static Optional<GpuConstants> ofDevice(String device) {
        DeviceName name = DeviceName.of(device);
        return ALL.stream().filter(gpu -> name.isModule(gpu.name())).findFirst();
    }

    /**
     * The constants of a GPU.
     *
     * @param name such as {@code h200}
     * @throws IllegalArgumentException naming it and listing the known ones
     */
    public static GpuConstants named(String name) {
        return ALL.stream()
                .filter(gpu -> gpu.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown simulated GPU '" + name + "'; known: "
                        + ALL.stream().map(GpuConstants::name).collect(Collectors.joining(", "))));
    }
}
