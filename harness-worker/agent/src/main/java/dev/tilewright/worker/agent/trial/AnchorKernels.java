package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.LinkedHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The anchors of the last studies: each trial of a study needs the same one, which is made once. */
final class AnchorKernels {

    private static final int KEPT = 16;

    private record Key(String family, Problem problem, Config config, boolean check) {}

    private final LinkedHashMap<Key, CompletableFuture<Preparation>> kept = new LinkedHashMap<>(KEPT, 0.75f, true);

    /** The kernel, made when it is first asked for; the answer may be cancelled without harm to others. */
    synchronized CompletableFuture<Preparation> get(
            String family,
            Problem problem,
            Config config,
            boolean check,
            Supplier<CompletableFuture<Preparation>> making) {
        CompletableFuture<Preparation> made =
                kept.computeIfAbsent(new Key(family, problem, config, check), key -> making.get());
        if (kept.size() > KEPT) {
            kept.pollFirstEntry();
        }
        return made.copy();
    }
}
