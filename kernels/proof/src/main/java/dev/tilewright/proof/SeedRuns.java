package dev.tilewright.proof;

import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.hazard.Rule;
import dev.tilewright.emulator.run.Launching;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.TileGrid;
import dev.tilewright.gemm.TileNumbering;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.TileTable;
import dev.tilewright.gemm.TraceLayout;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.proof.emulation.AcceptedFinding;
import dev.tilewright.proof.emulation.Effort;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.Blocking;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The runs of one proof, in the order of the seeds; they end with the first flaw. */
final class SeedRuns {

    /**
     * Warp instructions after which a run counts as endless: so many, and so many for each block of K of each tile.
     * Runs that end need a few hundred for a block; those of warps that ask again and again while another one is
     * starved are among them.
     */
    private static final long PATIENCE = 5_000_000;

    private static final long PATIENCE_PER_BLOCK = 20_000;

    /** Of a step of an epilogue, for each element of D: a gelu takes 45, and lanes that part take them one by one. */
    private static final long PATIENCE_PER_ELEMENT = 64;

    private final Subject subject;
    private final Blocking blocking;
    private final EmulatedGemm kernel;
    private final EmulatedGemm twin;
    private final Witness witness;
    private Effort effort = Effort.NONE;
    private List<AcceptedFinding> accepted = List.of();
    private Depth depth;

    /** @param twin the traced twin, which is run until it has shown that every CTA took enough tiles */
    SeedRuns(Subject subject, Blocking blocking, EmulatedGemm kernel, EmulatedGemm twin, Witness witness) {
        this.subject = subject;
        this.blocking = blocking;
        this.kernel = kernel;
        this.twin = twin;
        this.witness = witness;
        depth = Depth.of(ofTiles(), 0);
    }

    private String ofTiles() {
        return Prover.isPersistent(subject.config()) ? Depth.TILES : Depth.WAVES;
    }

    Proof proof() {
        ProofPlan plan = subject.plan();
        boolean tilesKnown = false;
        for (long seed = plan.seed(); seed < plan.seed() + plan.seeds(); seed++) {
            GemmData data = new GemmData(subject.run(), kind(seed), seed, kernel.sumError());
            witness.begins(seed, false);
            Optional<Flaw> flaw = flaw(kernel, data, seed, launching(seed), run -> {
                depth = depth.orDeeper(Depth.wraps(run.statistics()));
                return Optional.empty();
            });
            if (flaw.isPresent()) {
                return new Proof.Refuted(subject, flaw.get(), seed, false, effort);
            }
            if (!tilesKnown) {
                witness.begins(seed, true);
                Optional<Flaw> ofTwin = flaw(twin, data, seed, Launching.PROMPT, this::readTrace);
                if (ofTwin.isPresent()) {
                    return new Proof.Refuted(subject, ofTwin.get(), seed, true, effort);
                }
                tilesKnown = depth.reaches(Depth.of(ofTiles(), Depth.NEEDED));
            }
        }
        return depth.lacking().isEmpty()
                ? new Proof.Proved(subject, depth, effort, accepted)
                : new Proof.Shallow(subject, depth, effort, accepted);
    }

    /**
     * By the seed and the problem alone, so that it can be run again by itself. Two seeds in a row have whole numbers
     * and others. With inputs of 8 bits every fourth seed has data of one sign: their sums show what was cut off.
     */
    private GemmData.Kind kind(long seed) {
        if (Math.floorMod(seed, 2) == 0) {
            return GemmData.Kind.INTEGERS;
        }
        boolean cut = subject.run().types().a().bytes() == 1;
        return cut && Math.floorMod(seed, 4) == 3 ? GemmData.Kind.ONE_SIGN : GemmData.Kind.NORMAL;
    }

    /**
     * By the seed alone too. Of three seeds in a row one has prompt launches and one all that may come between a
     * cluster and its launch; the twin has prompt ones, for the tiles of a CTA that a kernel of higher priority has put
     * off say nothing of how deep the runs go.
     */
    private Launching launching(long seed) {
        return Prover.cancels(subject.config()) && Math.floorMod(seed, 4) >= 2 ? Launching.rough() : Launching.PROMPT;
    }

    private Optional<Flaw> flaw(
            EmulatedGemm text,
            GemmData data,
            long seed,
            Launching launching,
            Function<RunEnd.Completed, Optional<Flaw>> further) {
        Set<Rule> mayBreak = subject.plan().accepted();
        Options options = new Options(subject.plan().sms(), seed, stepLimit()).withAccepted(mayBreak);
        RunEnd verdict = text.run(data, options.withLaunching(launching));
        effort = effort.plus(verdict.statistics());
        return switch (verdict) {
            case RunEnd.Faulted faulted ->
                faulted.findings().stream()
                        .filter(finding -> !finding.rule().passes(mayBreak))
                        .findFirst()
                        .map(Flaw.Hazardous::new);
            case RunEnd.Completed completed -> {
                accepted = AcceptedFinding.with(accepted, seed, completed.accepted());
                yield text.flaw(data, completed, witness).or(() -> further.apply(completed));
            }
        };
    }

    private long stepLimit() {
        TileNumbering tiles = TileNumbering.of(subject.run(), subject.config());
        long blocks = switch (tiles) {
            case TileGrid _ ->
                (long) tiles.clusterTiles() * Math.ceilDiv(subject.run().shape().k(), blocking.depth());
            case TileTable table ->
                table.rows().stream().mapToLong(TileTable.Row::kBlocks).sum();
        };
        int steps = subject.run().steps().ops().size();
        long elements = subject.run().batch()
                * subject.run().groups().stream()
                        .mapToLong(shape -> (long) shape.m() * shape.n())
                        .sum();
        return PATIENCE
                + Math.multiplyExact(PATIENCE_PER_BLOCK, blocks * tiles.clusterSize())
                + Math.multiplyExact(PATIENCE_PER_ELEMENT, steps * elements);
    }

    /** Requires that each tile was computed once, and tells by which CTA. */
    private Optional<Flaw> readTrace(RunEnd.Completed run) {
        TraceLayout layout = TraceLayout.of(subject.run(), subject.config());
        List<TileRecord> records;
        try {
            records = layout.decode(ByteBuffer.wrap(run.buffer(BufferRole.TRACE.name())));
        } catch (IllegalStateException notOnce) {
            return Optional.of(new Flaw.WrongVisits(String.valueOf(notOnce.getMessage())));
        }
        witness.walked(records);
        depth = depth.orDeeper(Depth.wraps(run.statistics()));
        depth = depth.orDeeper(
                tiles(records, run.statistics().ctas(), layout.tiles().clusterSize()));
        return Optional.empty();
    }

    /**
     * A cluster's tile that overhangs the output counts for all its CTAs: they go through its barriers all the same.
     */
    private Depth tiles(List<TileRecord> records, int ctas, int clusterSize) {
        if (!Prover.isPersistent(subject.config())) {
            int resident = DeviceLimits.of(subject.plan().sms()).residentCtas(subject.config());
            return Depth.of(Depth.WAVES, Depth.waves(ctas, clusterSize, resident));
        }
        Map<Integer, Long> ofCta =
                records.stream().collect(Collectors.groupingBy(TileRecord::cta, Collectors.counting()));
        long fewest = ofCta.size() < ctas
                ? 0
                : ofCta.values().stream().mapToLong(Long::longValue).min().orElse(0);
        return Depth.of(Depth.TILES, Math.toIntExact(fewest));
    }
}
