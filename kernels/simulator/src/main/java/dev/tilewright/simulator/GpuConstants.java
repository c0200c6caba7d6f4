package dev.tilewright.simulator;

import dev.tilewright.model.trial.Architecture;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * All that the model knows of a GPU: nothing in here belongs to one shape or one config.
 *
 * <p>Sources in the comments are those of the H200: <i>playbook</i> and <i>lab</i> are the sections of
 * {@code kernel-playbook.md} and {@code kernel-lab.md}, whose findings about constants are repeated in
 * {@code docs/simulator.md}; <i>datasheet</i> is the vendor's; <i>assumption</i> is a plain guess that no measurement
 * of ours backs yet. Those of the Blackwells stand in {@code docs/simulator-blackwell.md}.
 *
 * @param name as in {@code simulated:h200}
 * @param version changes with every change of a constant or of the model, so that predictions of different versions are
 *     told apart
 * @param architecture which kernels it runs
 */
public record GpuConstants(
        String name,
        String version,
        Architecture architecture,
        Topology topology,
        TensorCores tensorCores,
        MemorySystem memory,
        Overheads overheads,
        Variation variation,
        Power power) {

    /**
     * SMs and how many clusters of large kernels (one CTA fills an SM) are resident at once.
     *
     * @param smCount SMs (datasheet)
     * @param clusters resident clusters of 2, 4, .. CTAs, as far as they were counted: every SM pair holds one of two;
     *     of larger ones GPCs leave some SMs idle
     * @param smsOfTurn SMs of a GPC that take tiles which follow each other, where clusters take them GPC by GPC
     */
    public record Topology(int smCount, List<Integer> clusters, int smsOfTurn) {

        public Topology {
            clusters = List.copyOf(clusters);
        }

        /**
         * Clusters that are resident at once on a quiet GPU.
         *
         * @throws IllegalArgumentException for a cluster size whose residency was never counted
         */
        public int residentClusters(int clusterSize) {
            int doublings = Integer.numberOfTrailingZeros(clusterSize);
            if (Integer.bitCount(clusterSize) != 1 || doublings > clusters.size()) {
                throw new IllegalArgumentException("the simulator knows clusters of "
                        + IntStream.rangeClosed(0, clusters.size())
                                .mapToObj(each -> "" + (1 << each))
                                .collect(Collectors.joining(", "))
                        + " CTAs, got a cluster of " + clusterSize);
            }
            return doublings == 0 ? smCount : clusters.get(doublings - 1);
        }
    }

    /**
     * Rates of the tensor cores of one SM.
     *
     * @param flopPerClk dense operations a clock on two-byte inputs; twice as many on one-byte ones (playbook 4.6)
     * @param sharedReadBytesPerClk shared-memory bandwidth that operands are read with, bytes a clock (playbook 4.6)
     * @param fillShare part of the fill of shared memory that takes bandwidth from the operand reads of wgmma: 0 none,
     *     1 all of it (fitted; the playbook's sum is 1, and lab 4 counted less)
     * @param issueEfficiency share of the peak that a well-fed mainloop reaches: barriers and descriptors take the
     *     rest. The best kernel reached 0.952 of peak with all losses (lab 4), of which tile quantisation explains
     *     0.019
     * @param blockClk what a K block costs beside its instructions: a wait, a fence, an arrive (fitted)
     * @param drainClk clocks in which the tensor cores idle when a warpgroup that multiplies alone waits for its own
     *     wgmma after each K block (wait depth 0 in place of 1 costs 11 % of the rate, and the clock makes up for a
     *     third of the loss, lab 3); wgmma alone
     */
    public record TensorCores(
            double flopPerClk,
            double sharedReadBytesPerClk,
            double fillShare,
            double issueEfficiency,
            double blockClk,
            double drainClk) {}

    /**
     * L2 and DRAM. The sources are those of the H200.
     *
     * @param l2BytesPerClk what L2 delivers to all SMs together, bytes a clock (fitted; DeepGEMM assumes 6150)
     * @param smFillBytesPerClk what one SM can take in from L2, bytes a clock (the width of its shared memory: no
     *     stored sweep asks for less)
     * @param l2KeptBytes data that stay in L2 until their next use (fitted; the device reports 60 MB, of which each
     *     partition keeps its own copy)
     * @param driftMissFraction share of the reads of a panel that another cluster is reading at the same time and that
     *     nevertheless go to DRAM, because clusters drift apart (2 to 3 % explain five of the six DRAM read volumes in
     *     lab 3 and 4)
     * @param looseMerge what is left of the merging of two SMs' requests for the same bytes where the two do not keep
     *     in step; 1 merges as a pair in step does (fitted)
     * @param cutRowReads how many times an operand's bytes are read from L2, and merged with nobody's, if its rows
     *     begin inside sectors, every other one of them (chosen by the stored studies of shapes whose K is no multiple
     *     of 16)
     * @param tickMerge part of what CTAs ask L2 for that it need not read, because others ask for it at the same tick,
     *     where it is asked for at ticks ({@code loadStart}). It saves energy; that it saves cycles was not seen (step
     *     46 of the Hopper log)
     * @param gpcMerge part of what clusters of one GPC both ask L2 for, each for itself, that it need not read twice
     *     where they take tiles GPC by GPC ({@code clusterOrder}). It saves energy likewise (step 48 of the log)
     * @param dramBytesPerNs bandwidth that kernels reach: 85 % (assumption) of 4.8 TB/s (datasheet)
     * @param dramBesideL2 part of the DRAM time that is not hidden behind what L2 delivers meanwhile: 0 all hidden, 1
     *     one after the other (fitted)
     * @param loadLatencyNs from issuing a TMA load that hits L2 to its data, with the other SMs loading too (fitted)
     * @param missLatencyNs how much longer one takes that goes on to DRAM (fitted)
     * @param slotHeldShare how much of the time in which a block is multiplied its slot of the load ring is held, and
     *     of a slot that waits for the next block is lost: 0 nothing, 1 all of it, as if the warpgroups, and two CTAs
     *     of an SM, never gave each other time (fitted)
     */
    public record MemorySystem(
            double l2BytesPerClk,
            double smFillBytesPerClk,
            double l2KeptBytes,
            double driftMissFraction,
            double looseMerge,
            double cutRowReads,
            double tickMerge,
            double gpcMerge,
            double dramBytesPerNs,
            double dramBesideL2,
            double loadLatencyNs,
            double missLatencyNs,
            double slotHeldShare) {

        /** The same beside another memory. */
        MemorySystem withDram(double bytesPerNs) {
            return new MemorySystem(
                    l2BytesPerClk,
                    smFillBytesPerClk,
                    l2KeptBytes,
                    driftMissFraction,
                    looseMerge,
                    cutRowReads,
                    tickMerge,
                    gpcMerge,
                    bytesPerNs,
                    dramBesideL2,
                    loadLatencyNs,
                    missLatencyNs,
                    slotHeldShare);
        }
    }

    /**
     * The overheads of a launch, a CTA and a tile beside their mainloop.
     *
     * @param launchNs between the end of one grid and the first tile of the next, launches queued back to back without
     *     programmatic dependent launch: gap, prologue and last store (fitted as one)
     * @param clusterLaunchNs what starting a grid of clusters costs more than one of CTAs (fitted; lab 3 saw 800)
     * @param ctaLaunchNs from the exit of a CTA to the start of the next on its SM; the load latency comes on top
     *     (fitted together with it: nothing is left)
     * @param clusterTurnNs how much longer that takes for each further CTA of a cluster, all of which need room at one
     *     time; the SM has no other work meanwhile (fitted)
     * @param prologueClk barriers, tensor maps and role set-up of a CTA, where {@code launchNs} has not got them
     * @param overlapSavesNs what programmatic dependent launch hides of {@code launchNs} (lab 3, 1024^3)
     * @param drawLatencyNs from drawing a tile from the global counter to having it in every CTA of the cluster
     *     (assumption)
     * @param queryLatencyNs the same for a query of Cluster Launch Control; 0 on a GPU that has none
     * @param drawHandoffClk what a drawn tile, or one that a query claimed, costs, although it was drawn ahead
     * @param clusterHandoffNs what it costs more in a cluster, whose CTAs wait for each other to pass it on (fitted)
     * @param epilogueElementsPerClk output elements a clock that one warpgroup converts and stages while it does not
     *     multiply (its instructions counted)
     * @param panelSyncClk what a panel of the epilogue costs beside that: barrier, fence, and its store, for which the
     *     panel after the next waits (fitted)
     * @param cutPanelClk what it costs more where tiles begin inside a sector of L2, so that a row of a panel is
     *     written into two lines (fitted)
     * @param storeDrainNs from staging the last panel to its being in memory, paid when the CTA exits (assumption)
     * @param sumsBytesPerClk sums of a piece of a tile that one warpgroup writes, or reads and adds, bytes a clock: its
     *     registers hold a few loads at a time (fitted)
     * @param sumsHandoffNs from the last of these writes to knowing whether the piece is the last one of its tile: a
     *     fence, a counter, two barriers (fitted)
     * @param partsBytesPerClk sums that an SM sends to other SMs of its cluster, bytes a clock
     * @param partsHandoffNs from the last of these writes to adding up what the other parts of K have sent
     */
    public record Overheads(
            double launchNs,
            double clusterLaunchNs,
            double ctaLaunchNs,
            double clusterTurnNs,
            double prologueClk,
            double overlapSavesNs,
            double drawLatencyNs,
            double queryLatencyNs,
            double drawHandoffClk,
            double clusterHandoffNs,
            double epilogueElementsPerClk,
            double panelSyncClk,
            double cutPanelClk,
            double storeDrainNs,
            double sumsBytesPerClk,
            double sumsHandoffNs,
            double partsBytesPerClk,
            double partsHandoffNs) {

        /** The visible part of {@code launchNs}: all of it, or the rest that overlap does not hide. */
        double launchNs(boolean overlapping) {
            return overlapping ? Math.max(0, launchNs - overlapSavesNs) : launchNs;
        }
    }

    /**
     * By how much the mainloops of equal tiles differ: a tile lasts {@code 1 + tile * u + sm * v} times its time, both
     * u and v uniform in 0..1.
     *
     * @param tile largest lengthening that belongs to a tile: hits and misses (assumption)
     * @param sm largest lengthening that belongs to an SM, for all its tiles: its way to L2. None on the H200, whose
     *     runs did not ask for it
     * @param overlapExponent how sharply the slowest of tensor cores, L2 and latency sets the pace alone: their times
     *     are combined by the norm of this exponent; infinite takes the longest, 1 their sum. Loads vary, so two that
     *     are about as long delay each other (fitted)
     */
    public record Variation(double tile, double sm, double overlapExponent) {

        /** Equal tiles take equal time. */
        Variation withoutJitter() {
            return new Variation(0, 0, overlapExponent);
        }

        /** The time of parts that overlap. */
        double overlap(double first, double second) {
            double longer = Math.max(first, second);
            if (longer <= 0 || Double.isInfinite(overlapExponent)) {
                return longer;
            }
            double ratio = Math.max(0, Math.min(first, second)) / longer;
            // Of a part that takes less than half the time nothing shows, above 8 less than half a per mille.
            if (ratio <= 0.5 && overlapExponent >= 8) {
                return longer;
            }
            return longer * StrictMath.pow(1 + power(ratio), 1 / overlapExponent);
        }

        /** To the exponent; one that is whole needs multiplications alone, and events ask for millions of these. */
        private double power(double base) {
            int whole = (int) overlapExponent;
            if (whole != overlapExponent) {
                return StrictMath.pow(base, overlapExponent);
            }
            double power = 1;
            double square = base;
            for (int rest = whole; rest > 0; rest >>= 1) {
                if ((rest & 1) == 1) {
                    power *= square;
                }
                square *= square;
            }
            return power;
        }
    }

    /**
     * Energy and the clock that the power limit leaves, for random data.
     *
     * @param boostMhz highest SM clock (playbook 8)
     * @param limitWatt power limit of the card (DESIGN section 4)
     * @param staticWatt drawn whatever the kernel does (assumption)
     * @param referenceMhz clock at which the energies hold: the one the tensor cores alone settle at, 872 TFLOP/s over
     *     540.7 a GHz (DESIGN section 4, the ceiling)
     * @param tensorPicojoulePerFlop of the tensor cores and the operand reads that feed them (fitted; tensor cores
     *     alone, which draw the limit at {@code referenceMhz}, ask for 0.665 at the most)
     * @param l2PicojoulePerByte L2, fabric, the fill of shared memory and the instructions that go with it (fitted; the
     *     ping-pong kernel at 8192^3 in lab 4 asks for 27 by its clock and 45 by its rate)
     * @param dramPicojoulePerByte about 5 pJ a bit (assumption)
     * @param clockExponent energy of an operation on the chip grows with this power of the clock, as voltage rises with
     *     it (assumption; it reproduces the pair 1.40 GHz ping-pong, 1.48 GHz cooperative at equal rate in lab 4)
     * @param lagMs time in which the clock falls from the highest to the one that the power allows, to all but a 1/e:
     *     what is timed sooner after a pause runs faster (fitted; for screens alone)
     */
    public record Power(
            double boostMhz,
            double limitWatt,
            double staticWatt,
            double referenceMhz,
            double tensorPicojoulePerFlop,
            double l2PicojoulePerByte,
            double dramPicojoulePerByte,
            double clockExponent,
            double lagMs) {}
}
