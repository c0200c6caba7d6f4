package dev.tilewright.worker.agent.check;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Lets a kernel run only if its text is proved. A text is proved once, also when several configs have it: what is
 * settled is kept in the store, under the build of the emulator. What is shallow or unsupported depends on the problem
 * and is not kept.
 */
public final class RequiredCheck implements AutoCloseable {

    private static final Logger LOG = System.getLogger(RequiredCheck.class.getName());

    /** How many blocks are added to a small extent: more than any proof needs. */
    private static final int BLOCKS_ADDED = 256;

    /** An extent that is large enough for any proof. */
    private static final int LARGE_EXTENT = 1 << 20;

    private final Families families;
    private final CheckStore store;
    private final ProofPool pool;
    private final String emulator;
    private final Executor threads;
    private final Map<String, CompletableFuture<Ruling>> underWay = new ConcurrentHashMap<>();

    /**
     * @param families whose kernels are checked
     * @param emulator id of the build of the emulator
     * @param threads on which the store is asked
     */
    public RequiredCheck(Families families, CheckStore store, ProofPool pool, String emulator, Executor threads) {
        this.families = families;
        this.store = store;
        this.pool = pool;
        this.emulator = emulator;
        this.threads = threads;
    }

    /** Asks the store, then the emulator. */
    public CompletableFuture<Ruling> check(PreparedTrial trial) {
        String text = key(trial);
        CompletableFuture<Ruling> ruling = underWay.computeIfAbsent(
                text,
                absent -> CompletableFuture.supplyAsync(() -> known(text), threads)
                        .thenCompose(known -> known.map(Ruling::of)
                                .map(CompletableFuture::completedFuture)
                                .orElseGet(
                                        () -> prove(trial).thenApplyAsync(result -> ruling(trial, result), threads))));
        // After the map has it: what is done at once would otherwise stay in it.
        ruling.whenComplete((done, failure) -> underWay.remove(text, ruling));
        return ruling.copy();
    }

    /**
     * By what a check is kept: a bundle launches one text in ways of its own, for each problem and config, and a kernel
     * that may break a rule is another matter than one that may not.
     */
    private static String key(PreparedTrial trial) {
        List<String> parts = new ArrayList<>(List.of(trial.kernel().hash()));
        if (trial.kernel().bundle() != null) {
            parts.addAll(List.of(
                    trial.family(), trial.problem().toString(), trial.config().canonical()));
        }
        trial.accept().stream()
                .distinct()
                .sorted()
                .map(rule -> "accept " + rule)
                .forEach(parts::add);
        return parts.size() == 1 ? parts.getFirst() : Sha256.hex(String.join("\n", parts));
    }

    private CompletableFuture<TrialResult> prove(PreparedTrial trial) {
        FamilySpace family = families.named(trial.family());
        Blocking blocking = family.blocking(trial.config());
        boolean ours = trial.kernel().bundle() == null;
        return pool.prove(ours ? exercising(trial, family, blocking) : trial, blocking.clusterSize());
    }

    /**
     * The problem and the launch parameters that exercise the text. They are the same for every shape and every launch
     * parameter, so the check chooses them: a problem with the tails of the one that was asked for, and large enough
     * that the proof is not shallow for want of tiles or of K (the emulator takes the smallest such problem); a grid
     * that fills the emulated GPU and no more, whatever share of a real one was asked for. The raster order is that of
     * the config.
     */
    private static PreparedTrial exercising(PreparedTrial trial, FamilySpace family, Blocking blocking) {
        return new PreparedTrial(
                trial.family(),
                enlarged(trial.problem(), blocking),
                family.fillingTheGpu(trial.config()),
                trial.kernel(),
                null,
                null,
                trial.seed(),
                trial.accept());
    }

    private static Problem enlarged(Problem problem, Blocking blocking) {
        ProblemShape shape = problem.shape();
        ProblemShape larger = new ProblemShape(
                enlarged(shape.m(), blocking.rows()),
                enlarged(shape.n(), blocking.columns()),
                enlarged(shape.k(), blocking.depth()));
        return problem.isSingle() ? problem.of(List.of(larger), problem.batch()) : problem;
    }

    /** Whole blocks more, so that what remains to a block stays. */
    private static int enlarged(int extent, int block) {
        return extent < LARGE_EXTENT ? extent + BLOCKS_ADDED * block : extent;
    }

    /** If the store cannot be reached, the text is proved once more. */
    private Optional<Checked> known(String text) {
        try {
            return store.find(text, emulator);
        } catch (IOException away) {
            LOG.log(Level.WARNING, "checks cannot be looked up: " + away.getMessage());
            return Optional.empty();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private Ruling ruling(PreparedTrial trial, TrialResult result) {
        Checked checked = result.checked();
        if (checked == null) {
            return new Ruling.Stopped(result.outcome(), null, "the check came to no verdict\n" + result.log());
        }
        return Ruling.of(keep(key(trial), checked.asked(trial.problem().shape())));
    }

    /**
     * Keeps a check if it settles something.
     *
     * @return what holds now
     */
    public Checked keep(PreparedTrial trial, Checked checked) {
        return keep(key(trial), checked);
    }

    private Checked keep(String text, Checked checked) {
        if (!checked.verdict().isConclusive()) {
            return checked;
        }
        try {
            Checked holds = store.keep(text, checked);
            return holds.verdict() == checked.verdict() ? checked : holds;
        } catch (IOException away) {
            LOG.log(Level.WARNING, "the check of " + text + " cannot be kept: " + away.getMessage());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
        return checked;
    }

    @Override
    public void close() {
        pool.close();
    }
}
