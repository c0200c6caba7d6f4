package dev.tilewright.emulator.mutation;

import dev.tilewright.emulator.Launch;
import dev.tilewright.emulator.Options;
import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.Verdict;
import dev.tilewright.emulator.gemm.GemmCase;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Runs a mutant until some seed finds it, or all are used up. */
final class MutationRun {
    static final int SEEDS = 20;
    /** A mutant may take this many times the steps of the kernel it comes from. */
    private static final int PATIENCE = 10;

    private final GemmCase origin;
    private final Launch launch;
    private final long stepLimit;

    MutationRun(GemmCase origin) {
        this.origin = origin;
        launch = origin.launch();
        Verdict verdict = new PtxEmulator(origin.kernel().module(), "gemm").run(launch, Options.seed(1));
        stepLimit = verdict.statistics().steps() * PATIENCE;
        wrong(verdict).ifPresent(reason -> {
            throw new IllegalStateException("the kernel itself is wrong: " + reason);
        });
    }

    /** What gave the mutant away, with its seed; empty if it survived. */
    Optional<String> killedBy(Mutant mutant) {
        PtxEmulator emulator = new PtxEmulator(mutant.module(), "gemm");
        for (int seed = 1; seed <= SEEDS; seed++) {
            Optional<String> reason =
                    wrong(emulator.run(launch, Options.seed(seed).withStepLimit(stepLimit)));
            if (reason.isPresent()) {
                return Optional.of("seed " + seed + ": " + reason.get());
            }
        }
        return Optional.empty();
    }

    /** A hazard, a wrong element, a tile not visited once, or a counter that is not left at 0. */
    private Optional<String> wrong(Verdict verdict) {
        return switch (verdict) {
            case Verdict.Faulted faulted -> Optional.of(faulted.finding().message());
            case Verdict.Completed completed -> {
                Optional<String> element = origin.firstWrong(completed.buffer("D"));
                yield element.isPresent() ? element : wrongEvidence(completed);
            }
        };
    }

    private Optional<String> wrongEvidence(Verdict.Completed completed) {
        if (completed.memory().containsKey("COUNTER")
                && ByteBuffer.wrap(completed.buffer("COUNTER")).getInt(0) != 0) {
            return Optional.of("the counter is not left at 0");
        }
        if (completed.memory().containsKey("TRACE")) {
            try {
                origin.trace().decode(ByteBuffer.wrap(completed.buffer("TRACE")));
            } catch (IllegalStateException e) {
                return Optional.of(String.valueOf(e.getMessage()));
            }
        }
        return Optional.empty();
    }
}
