package dev.tilewright.worker.trial;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * A few kernels that are made before the first lease comes, while the devices come up: a JVM that has never made one
 * takes many times as long for it, and so long the GPU of a study would wait.
 */
public record Rehearsal(GemmFamilies families, KernelWorkshop workshop) {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(4096, 4096, 4096), DataType.BF16);
    private static final DeviceLimits LIMITS = DeviceLimits.of(132);
    private static final int KERNELS = 8;
    private static final long SEED = 1;

    /** Begins to make them, with their twins, and returns at once; nobody needs to wait for them. */
    public List<CompletableFuture<Preparation>> begin(String family) {
        FamilySpace known = families.spaces().named(family);
        SpaceTree space = SpaceTree.of(known.space(PROBLEM, LIMITS).usual(Map.of()));
        SplittableRandom random = new SplittableRandom(SEED);
        Stream<Config> some = Stream.generate(() -> space.draw(random)).limit(KERNELS);
        return Stream.concat(known.anchor(space).stream(), some)
                .map(config -> workshop.prepare(family, PROBLEM, config, LIMITS, true))
                .toList();
    }
}
