package dev.tilewright.simulator;

import java.util.List;

/**
 * The constants of the H200 that are fitted to stored sweeps, each a positive number, and how a set of constants with
 * other values is made. All others stay what their source says, but for one of a test of its own.
 */
final class FreeConstants {

    private FreeConstants() {}

    static final List<String> NAMES = List.of(
            "launchNs",
            "clusterLaunchNs",
            "loadLatencyNs",
            "missLatencyNs",
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
            "fillShare",
            "sumsBytesPerClk",
            "sumsHandoffNs",
            "slotHeldShare",
            "clusterTurnNs",
            "cutPanelClk");

    /**
     * Where a fit begins: round figures from before any sweep was looked at, so that none of a left-out shape is in
     * them. The terms of the last five were chosen with the broad sweeps in sight.
     */
    private static final double[] FIRST = {
        1500, 500, 600, 400, 150, 5500, 30e6, 0.5, 0.7, 500, 0.6, 36, 8, 10, 0.5, 32, 1000, 0.5, 500, 50
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
            gpu.tensorCores().fillShare(),
            gpu.overheads().sumsBytesPerClk(),
            gpu.overheads().sumsHandoffNs(),
            gpu.memory().slotHeldShare(),
            gpu.overheads().clusterTurnNs(),
            gpu.overheads().cutPanelClk()
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
                        Math.min(1, value[14]),
                        cores.issueEfficiency(),
                        cores.blockClk(),
                        cores.drainClk()),
                new GpuConstants.MemorySystem(
                        value[5],
                        memory.smFillBytesPerClk(),
                        value[6],
                        memory.driftMissFraction(),
                        Math.min(1, value[8]),
                        memory.cutRowReads(),
                        memory.tickMerge(),
                        memory.gpcMerge(),
                        memory.dramBytesPerNs(),
                        Math.min(1, value[7]),
                        value[2],
                        value[3],
                        Math.min(1, value[17])),
                new GpuConstants.Overheads(
                        value[0],
                        value[1],
                        overheads.ctaLaunchNs(),
                        value[18],
                        overheads.prologueClk(),
                        overheads.overlapSavesNs(),
                        overheads.drawLatencyNs(),
                        overheads.queryLatencyNs(),
                        overheads.drawHandoffClk(),
                        value[9],
                        overheads.epilogueElementsPerClk(),
                        value[4],
                        value[19],
                        overheads.storeDrainNs(),
                        value[15],
                        value[16],
                        overheads.partsBytesPerClk(),
                        overheads.partsHandoffNs()),
                new GpuConstants.Variation(variation.tile(), variation.sm(), value[12]),
                new GpuConstants.Power(
                        power.boostMhz(),
                        power.limitWatt(),
                        power.staticWatt(),
                        power.referenceMhz(),
                        value[10],
                        value[11],
                        power.dramPicojoulePerByte(),
                        power.clockExponent(),
                        value[13]));
    }

    /** The same but for what rows that begin inside a sector take, which no stored sweep has any of. */
    static GpuConstants withCutRowReads(GpuConstants gpu, double cutRowReads) {
        GpuConstants.MemorySystem memory = gpu.memory();
        return new GpuConstants(
                gpu.name(),
                gpu.version(),
                gpu.architecture(),
                gpu.topology(),
                gpu.tensorCores(),
                new GpuConstants.MemorySystem(
                        memory.l2BytesPerClk(),
                        memory.smFillBytesPerClk(),
                        memory.l2KeptBytes(),
                        memory.driftMissFraction(),
                        memory.looseMerge(),
                        cutRowReads,
                        memory.tickMerge(),
                        memory.gpcMerge(),
                        memory.dramBytesPerNs(),
                        memory.dramBesideL2(),
                        memory.loadLatencyNs(),
                        memory.missLatencyNs(),
                        memory.slotHeldShare()),
                gpu.overheads(),
                gpu.variation(),
                gpu.power());
    }
}
