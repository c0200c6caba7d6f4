package dev.tilewright.simulator;

import java.util.List;
import java.util.stream.Collectors;

/** The GPUs that can be simulated, by name. */
public final class SimulatedGpus {

    /** NVIDIA H200 SXM, 700 W. */
    public static final GpuConstants H200 = new GpuConstants(
            "h200",
            "constants-2",
            GpuConstants.Architecture.SM90,
            new GpuConstants.Topology(132, 66, 30),
            new GpuConstants.TensorCores(4096, 128, 0.61, 0.99, 15.6, 140),
            new GpuConstants.MemorySystem(6720, 128, 18.8e6, 0.025, 0.689, 0.85 * 4800, 0.287, 670, 614),
            new GpuConstants.Overheads(3490, 193, 0, 0, 1200, 1000, 0, 0, 865, 16, 185, 0),
            new GpuConstants.Variation(0.005, 0, 25),
            new GpuConstants.Power(1980, 700, 120, 1613, 0.455, 61, 40, 1.5, 2.08));

    /** NVIDIA B200 SXM, 1000 W. */
    public static final GpuConstants B200 = new GpuConstants(
            "b200",
            "constants-1",
            GpuConstants.Architecture.SM100,
            new GpuConstants.Topology(148, 74, 34),
            BlackwellConstants.TENSOR_CORES,
            BlackwellConstants.MEMORY,
            BlackwellConstants.OVERHEADS,
            BlackwellConstants.VARIATION,
            BlackwellConstants.power(1965, 1000));

    /** NVIDIA GB200, one of the two GPUs of a superchip, 1200 W. */
    public static final GpuConstants GB200 = new GpuConstants(
            "gb200",
            "constants-1",
            GpuConstants.Architecture.SM100,
            new GpuConstants.Topology(152, 76, 36),
            BlackwellConstants.TENSOR_CORES,
            BlackwellConstants.MEMORY,
            BlackwellConstants.OVERHEADS,
            BlackwellConstants.VARIATION,
            BlackwellConstants.power(2008, 1200));

    private static final List<GpuConstants> ALL = List.of(H200, B200, GB200);

    private SimulatedGpus() {}

    /** Every GPU, in the order in which they are listed to users. */
    public static List<GpuConstants> all() {
        return ALL;
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
