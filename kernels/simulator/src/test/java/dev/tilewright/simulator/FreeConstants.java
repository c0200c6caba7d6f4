package dev.tilewright.simulator;

import java.util.List;

/**
 * The constants of the H200 that are fitted to stored sweeps, each a positive number, and how a set of constants with
 * other values is made. All others stay what their source says.
 */
final class FreeConstants {

    private FreeConstants() {}

    static final List<String> NAMES = List.of(
            "launchNs",
            "clusterLaunchNs",
            "loadLatencyNs",
            "missLatencyNs",
            "blockClk",
            "panelSyncClk",
            "l2BytesPerClk",
            "l2KeptBytes",
            "dramBesideL2",
            "looseMerge",
            "clusterHandoffNs",
            "tensorPicojoulePerFlop",
            "l2PicojoulePerByte",
            "overlapExponent",
            "lagMs",
            "fillShare");

    /**
     * Where a fit begins: round figures from before any sweep was looked at, so that none of a left-out shape is in
     * them.
     */
    private static final double[] FIRST = {1500, 500, 600, 400, 20, 150, 5500, 30e6, 0.5, 0.7, 500, 0.6, 36, 8, 10, 0.5
    };

    /** The constants of the GPU, with first guesses for those that are fitted. */
    static GpuConstants guessed(GpuConstants gpu) {
        return with(gpu, FIRST);
    }

    static double[] of(GpuConstants gpu) {
        return new double[] {
            gpu.overheads().launchNs(),
            gpu.overheads().clusterLaunchNs(),
            gpu.memory().loadLatencyNs(),
            gpu.memory().missLatencyNs(),
            gpu.tensorCores().blockClk(),
            gpu.overheads().panelSyncClk(),
            gpu.memory().l2BytesPerClk(),
            gpu.memory().l2KeptBytes(),
            gpu.memory().dramBesideL2(),
            gpu.memory().looseMerge(),
            gpu.overheads().clusterHandoffNs(),
            gpu.power().tensorPicojoulePerFlop(),
            gpu.power().l2PicojoulePerByte(),
            gpu.variation().overlapExponent(),
            gpu.power().lagMs(),
            gpu.tensorCores().fillShare()
        };
    }

    static GpuConstants with(GpuConstants gpu, double[] value) {
        GpuConstants.TensorCores cores = gpu.tensorCores();
        GpuConstants.MemorySystem memory = gpu.memory();
        GpuConstants.Overheads overheads = gpu.overheads();
        GpuConstants.Variation variation = gpu.variation();
        GpuConstants.Power power = gpu.power();
        return new GpuConstants(
                gpu.name(),
                gpu.version(),
                gpu.architecture(),
                gpu.topology(),
                new GpuConstants.TensorCores(
                        cores.flopPerClk(),
                        cores.sharedReadBytesPerClk(),
                        Math.min(1, value[15]),
                        cores.issueEfficiency(),
                        value[4],
                        cores.drainClk()),
                new GpuConstants.MemorySystem(
                        value[6],
                        memory.smFillBytesPerClk(),
                        value[7],
                        memory.driftMissFraction(),
                        Math.min(1, value[9]),
                        memory.dramBytesPerNs(),
                        Math.min(1, value[8]),
                        value[2],
                        value[3]),
                new GpuConstants.Overheads(
                        value[0],
                        value[1],
                        overheads.ctaLaunchNs(),
                        overheads.prologueClk(),
                        overheads.overlapSavesNs(),
                        overheads.drawLatencyNs(),
                        overheads.queryLatencyNs(),
                        overheads.drawHandoffClk(),
                        value[10],
                        overheads.epilogueElementsPerClk(),
                        value[5],
                        overheads.storeDrainNs()),
                new GpuConstants.Variation(variation.tile(), variation.sm(), value[13]),
                new GpuConstants.Power(
                        power.boostMhz(),
                        power.limitWatt(),
                        power.staticWatt(),
                        power.referenceMhz(),
                        value[11],
                        value[12],
                        power.dramPicojoulePerByte(),
                        power.clockExponent(),
                        value[14]));
    }
}
