package dev.tilewright.api.study.flow;

import dev.tilewright.api.search.History;
import dev.tilewright.api.search.ModelStrategy;
import dev.tilewright.api.search.SearchQuestion;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.SpaceTrees;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.simulator.Simulator;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space and the candidates of a usual problem, made while Postgres and Spring come up and then forgotten. The first
 * of a process take nearly two seconds, because nothing is compiled yet, and the next ones 0.2 s: without it, the study
 * of a service that a tune has started waits for them with an idle GPU.
 */
public final class Rehearsal {

    private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

    /** On a machine with fewer, it would take from the start of the service what it gives to the study. */
    private static final int LEAST_CORES = 8;

    private static final ProblemShape USUAL = new ProblemShape(4096, 14336, 4096);

    private Rehearsal() {}

    /** Begins in a thread of its own, which is returned, where there are cores to spare. */
    public static Optional<Thread> begin(int cores) {
        return cores < LEAST_CORES
                ? Optional.empty()
                : Optional.of(Thread.ofPlatform().daemon().name("rehearsal").start(Rehearsal::tried));
    }

    private static void tried() {
        try {
            run();
        } catch (RuntimeException failed) {
            LOG.debug("the rehearsal failed", failed);
        }
    }

    static void run() {
        FamilySpace family = Families.standard().usual();
        Testbed testbed = LaunchModels.testbed(
                        TestbedKind.CUDA, gpu -> Architecture.ofDevice(gpu).equals(family.architecture()))
                .orElseThrow();
        Problem problem = Problem.of(USUAL, DataType.BF16);
        SpaceTrees trees = new SpaceTrees();
        History none = new History(problem, Simulator.USUAL_SEED, History.Sought.on(testbed.kind()), List.of());
        new ModelStrategy()
                .prepare(new SearchQuestion(
                        trees.tree(problem, family, SpaceRestriction.NONE, testbed.smCount()),
                        trees.knowledge(problem, family, testbed),
                        none,
                        1));
    }
}
