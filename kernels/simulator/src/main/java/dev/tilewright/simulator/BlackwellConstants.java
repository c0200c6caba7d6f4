package dev.tilewright.simulator;

/**
 * The constants that the B200 and the GB200 share. The same table with longer reasons is in
 * {@code docs/simulator-blackwell.md}; <i>as the H200</i> means that nothing public says otherwise.
 */
final class BlackwellConstants {

    private BlackwellConstants() {}

    static final GpuConstants.TensorCores TENSOR_CORES = new GpuConstants.TensorCores(
            8192, // playbook 5: the constant of DeepGEMM; 2.25 PFLOP/s of the datasheet at 1.856 GHz on 148 SMs
            128, // as the H200; playbook 5: pairs need 64 of it, single CTAs 96, N below 128 more than there is
            0, // fillShare, of wgmma alone
            0.99, // as the H200; playbook 8: the vendor's kernel at 8192^3 keeps the tensor cores 96.6 % busy
            0, // blockClk: one thread issues ahead, the blocks follow each other (assumption)
            0); // of wgmma alone

    static final GpuConstants.MemorySystem MEMORY = new GpuConstants.MemorySystem(
            2 * 6150, // two dies with the rate that DeepGEMM has for Hopper each; the 96.6 % above need at least 9150
            64, // playbook 4.6
            63e6, // half of the 126 MB that the device reports: each die keeps a copy (assumption)
            0.025, // as the H200
            1, // looseMerge: pairs share what they read, and lone CTAs are taken to merge
            1.5, // cutRowReads, as the H200 had before constants-6
            0, // tickMerge: its kernels do not load at ticks
            0, // gpcMerge: its kernels take tiles as they are launched
            0.85 * 8000, // datasheet 8 TB/s; 85 % as the H200
            0, // dramBesideL2: no sweep that could tell
            500, // assumption: 400 and, for half of the loads, 300 clk of way to the other die
            0, // missLatencyNs: no sweep that could tell
            1); // slotHeldShare, assumption: one thread multiplies, and nobody gives it time

    static final GpuConstants.Overheads OVERHEADS = new GpuConstants.Overheads(
            700, // launchNs, assumption
            800, // clusterLaunchNs, lab 3 of the H200
            300, // ctaLaunchNs, assumption
            0, // clusterTurnNs: no sweep that could tell
            1200, // prologueClk: 800, and tensor memory is allocated (assumption)
            1200, // overlapSavesNs, as the H200
            1000, // drawLatencyNs, as the H200
            1000, // queryLatencyNs, assumption: as a draw, a way to the work distributor and back
            100, // drawHandoffClk, assumption
            0, // clusterHandoffNs: an answer comes to all CTAs at once
            16, // epilogueElementsPerClk, assumption: 32 columns of a thread take about 40 instructions, half hidden
            40, // panelSyncClk, assumption
            0, // cutPanelClk: its tiles are multiples of 16 columns
            500, // storeDrainNs, assumption
            64, // sumsBytesPerClk: its kernels split no tiles; as an SM takes in
            0, // sumsHandoffNs, likewise
            64, // partsBytesPerClk: its clusters share no depth
            0); // partsHandoffNs, likewise

    /** One number for both parts, such that case (a) of the page comes out as published. */
    static final GpuConstants.Variation VARIATION = new GpuConstants.Variation(0.076, 0.076, Double.POSITIVE_INFINITY);

    /**
     * Energies at a clock of 1370 MHz by which the vendor's kernel at 8192^3 settles at that clock under 1000 W with
     * 1600 TFLOP/s, as playbook 8 reports. Static power is an assumption: two dies.
     */
    static GpuConstants.Power power(double boostMhz, double limitWatt) {
        return new GpuConstants.Power(boostMhz, limitWatt, 200, 1370, 0.34, 18.3, 40, 1.5, 5);
    }
}
