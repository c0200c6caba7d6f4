package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase;
import dev.tilewright.emulator.run.Launch;
import dev.tilewright.gemm.TileRecord;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Runs the mutants of a kernel until some seed reports each, or all are used up. */
public final class MutationRun {
    static final int SEEDS = 20;
    /** A mutant may take this many times the steps of the kernel it comes from. */
    private static final int PATIENCE = 10;

    private final MutationSuite suite;
    private final GemmCase origin;
    private final Launch launch;
    private final long stepLimit;

    /**
     * Runs the kernel as it is.
     *
     * @throws IllegalStateException if it is wrong itself
     */
    public MutationRun(MutationSuite suite, GemmCase origin) {
        this.suite = suite;
        this.origin = origin;
        launch = origin.launch();
        PtxEmulator emulator = new PtxEmulator(origin.kernel().module(), "gemm");
        long steps = 0;
        for (int seed = 1; seed <= suite.trials(); seed++) {
            RunEnd verdict = emulator.run(launch, suite.options(seed));
            steps = Math.max(steps, verdict.statistics().steps());
            Outcome outcome = outcome(origin, verdict, seed);
            if (!(outcome instanceof Outcome.Survived)) {
                throw new IllegalStateException("the kernel itself is wrong: " + outcome);
            }
        }
        stepLimit = steps * PATIENCE;
    }

    /** What gives the mutant away first. */
    Outcome outcome(Mutant mutant) {
        PtxEmulator emulator = new PtxEmulator(mutant.module(), "gemm");
        for (int seed = 1; seed <= SEEDS; seed++) {
            Outcome outcome =
                    outcome(origin, emulator.run(launch, suite.options(seed).withStepLimit(stepLimit)), seed);
            if (!(outcome instanceof Outcome.Survived)) {
                return outcome;
            }
        }
        return new Outcome.Survived();
    }

    /** What a run of a kernel, mutated or not, shows. */
    static Outcome outcome(GemmCase origin, RunEnd verdict, long seed) {
        return switch (verdict) {
            case RunEnd.Faulted faulted ->
                new Outcome.Hazard(
                        faulted.finding().hazard().getClass().getSimpleName(),
                        seed,
                        faulted.finding().message());
            case RunEnd.Completed completed ->
                wrong(origin, completed)
                        .<Outcome>map(message -> new Outcome.WrongResult(seed, message))
                        .orElseGet(Outcome.Survived::new);
        };
    }

    /** An element, a tile that is missing or twice in the trace, its failed queries, or a counter not left at 0. */
    private static Optional<String> wrong(GemmCase origin, RunEnd.Completed completed) {
        Optional<String> element = origin.firstWrong(completed.buffer("D"));
        if (element.isPresent()) {
            return element;
        }
        if (completed.memory().containsKey("COUNTER")
                && ByteBuffer.wrap(completed.buffer("COUNTER")).getInt(0) != 0) {
            return Optional.of("the counter is not left at 0");
        }
        try {
            List<TileRecord> records = origin.trace().decode(ByteBuffer.wrap(completed.buffer("TRACE")));
            int counted = records.stream().mapToInt(TileRecord::failedQueries).sum();
            int failed = origin.failedQueries(completed.statistics());
            if (counted != failed) {
                return Optional.of("the trace counts " + counted + " failed queries, not " + failed);
            }
        } catch (IllegalStateException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
        return Optional.empty();
    }
}
