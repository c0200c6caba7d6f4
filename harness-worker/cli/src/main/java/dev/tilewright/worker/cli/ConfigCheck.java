package dev.tilewright.worker.cli;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.Proof;
import dev.tilewright.proof.Prover;
import dev.tilewright.proof.TimedProof;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Proves configs side by side, one on a thread. */
record ConfigCheck(Prover prover, String family, ProofPlan plan, int threads, Clock clock) {

    private static final long BETWEEN_LOOKS_MS = 200;

    /** A config on a problem. */
    record Candidate(Problem problem, Config config) {}

    /**
     * Proves them all.
     *
     * @param seen is told each proof as it comes, and from time to time that none has
     * @return the proofs in the order of the candidates
     * @throws CommandFailedException if one can neither be proved nor refuted because of a bug
     */
    List<TimedProof> run(List<Candidate> candidates, ProofsSeen seen) throws InterruptedException {
        try (ExecutorService pool = Executors.newFixedThreadPool(
                threads, Thread.ofPlatform().name("check-", 0).daemon().factory())) {
            CompletionService<TimedProof> done = new ExecutorCompletionService<>(pool);
            List<Future<TimedProof>> proofs = new ArrayList<>();
            try {
                for (Candidate candidate : candidates) {
                    proofs.add(done.submit(proof(candidate)));
                }
                for (int i = 0; i < candidates.size(); i++) {
                    seen.add(next(done, seen).get());
                }
                List<TimedProof> inOrder = new ArrayList<>();
                for (Future<TimedProof> proof : proofs) {
                    inOrder.add(proof.get());
                }
                return inOrder;
            } catch (ExecutionException failed) {
                throw failed.getCause() instanceof CommandFailedException known
                        ? known
                        : CommandFailedException.infrastructure("a check died: " + failed.getCause(), failed);
            } finally {
                seen.end();
                pool.shutdownNow();
            }
        }
    }

    private static Future<TimedProof> next(CompletionService<TimedProof> done, ProofsSeen seen)
            throws InterruptedException {
        while (true) {
            Future<TimedProof> next = done.poll(BETWEEN_LOOKS_MS, TimeUnit.MILLISECONDS);
            if (next != null) {
                return next;
            }
            seen.waiting();
        }
    }

    private Callable<TimedProof> proof(Candidate candidate) {
        return () -> {
            Instant start = clock.instant();
            try {
                Proof proof = prover.prove(family, candidate.problem(), candidate.config(), plan);
                return new TimedProof(
                        proof, Duration.between(start, clock.instant()).toNanos() / 1e9);
            } catch (RuntimeException bug) {
                throw CommandFailedException.infrastructure(
                        "cannot check " + candidate.config() + " on "
                                + candidate.problem().shapes() + ": " + bug,
                        bug);
            }
        };
    }
}
