package dev.tilewright.simulator;

import dev.tilewright.space.device.DeviceLimits;

/**
 * The constants of the H200, and of the H100, which differs only in its memory. The same table with longer reasons is
 * in {@code docs/simulator.md}. <i>Fitted</i>: to the times of the stored sweeps and to four counted kernels, all
 * constants of that word at once, by {@code CostModelReportTest}, which writes what it finds to
 * {@code docs/results/simulator/h200-cost-model.md} and fails where this file says something else.
 */
final class HopperConstants {

    private HopperConstants() {}

    static final GpuConstants.Topology TOPOLOGY = new GpuConstants.Topology(
            132, // datasheet
            DeviceLimits.residentClusters(132),
            8); // smsOfTurn: four rounds of clusters of two go to most GPCs, and then four more (step 48)

    static final GpuConstants.TensorCores TENSOR_CORES = new GpuConstants.TensorCores(
            4096, // playbook 4.6: m64n256k16 takes 128 clk
            128, // playbook 4.6; predicts published rates for N = 8 to 64
            0.424, // fillShare, fitted
            0.99, // lab 4: 0.952 of peak with all losses at 8192^3, of which 0.019 are quantisation
            0, // blockClk: beside what else delays a block the fit leaves nothing
            140); // lab 3: wait depth 0 costs ping-pong 128x176 11 %, a part of it made good by the clock

    static final GpuConstants.MemorySystem MEMORY = new GpuConstants.MemorySystem(
            7204, // l2BytesPerClk, fitted; DeepGEMM has 6150, lab 4 saw 5150 without a slowdown
            128, // smFillBytesPerClk: the width of shared memory; no sweep asks for less
            15.24e6, // l2KeptBytes, fitted
            0.025, // lab: 2 to 3 % explain five of six DRAM volumes
            0.715, // looseMerge, fitted
            1.7, // cutRowReads: chosen by the stored studies, CutRowsTest
            0.1, // tickMerge, assumption: step 46 of the Hopper log saw that there is some
            0.2, // gpcMerge, assumption: the laboratory of step 48 saw 0.16 and 0.21 of one kernel
            0.85 * 4800, // datasheet 4.8 TB/s; 85 % is an assumption
            0.463, // dramBesideL2, fitted
            634, // loadLatencyNs, fitted
            370, // missLatencyNs, fitted
            0.498); // slotHeldShare, fitted

    static final double H100_DRAM_BYTES_PER_NS = 0.85 * 3350; // datasheet 3.35 TB/s; 85 % as the H200

    static final GpuConstants.Overheads OVERHEADS = new GpuConstants.Overheads(
            3687, // launchNs, fitted, with prologue and last store in it
            285, // clusterLaunchNs, fitted; lab 3 saw 800 at 1024^3
            0, // ctaLaunchNs: beside the latency of the first loads the fit leaves nothing
            186, // clusterTurnNs, fitted
            0, // prologueClk: in launchNs
            1200, // overlapSavesNs, lab 3 at 1024^3
            1000, // drawLatencyNs, assumption: shows where a tile is shorter than this
            0, // queryLatencyNs: has no Cluster Launch Control
            0, // drawHandoffClk: without a cluster the sweeps show none
            894, // clusterHandoffNs, fitted
            16, // epilogueElementsPerClk, assumption: its instructions; the panel's cost is fitted beside it
            144, // panelSyncClk, fitted
            58.7, // cutPanelClk, fitted
            0, // storeDrainNs: in launchNs
            68.1, // sumsBytesPerClk, fitted
            2083, // sumsHandoffNs, fitted
            12, // partsBytesPerClk, assumption: of the order of public measurements (arXiv 2402.13499)
            200); // partsHandoffNs, assumption: about a round through a cluster barrier; no sweep has parts

    static final GpuConstants.Variation VARIATION = new GpuConstants.Variation(
            0.005, // assumption: equal tiles differ by half a percent at most
            0, // SMs: no run asked for it
            9.27); // overlapExponent, fitted

    static final GpuConstants.Power POWER = new GpuConstants.Power(
            1980, // playbook 8
            700, // lab
            120, // assumption
            1613, // DESIGN 4: tensor cores alone settle at 872 TFLOP/s under 700 W
            0.510, // tensorPicojoulePerFlop, fitted; tensor cores alone with their operand reads ask for 0.665
            55.9, // l2PicojoulePerByte, fitted
            40, // assumption, about 5 pJ a bit
            1.5, // assumption; reproduces 1.40 GHz ping-pong beside 1.48 GHz cooperative at equal rate (lab 4)
            2.87); // lagMs, fitted
}
