package dev.tilewright.api.study.flow;

import dev.tilewright.api.search.History;
import dev.tilewright.api.search.SearchQuestion;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.study.EmptySpace;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.SpaceTrees;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceSummary;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Makes what a study needs on a device, of a family that is at hand: it reaches no repository. */
@Component
record Preparation(SpaceTrees trees, Strategies strategies, Asks asks) {

    private static final Logger LOG = LoggerFactory.getLogger(Preparation.class);

    /** Of a space with at most so many points an exhaustive search also records those that break a rule. */
    private static final long RECORDED_POINTS = 1000;

    private static final String EXHAUSTIVE = "exhaustive";

    /** A prepared start, or the reason why a study cannot start. */
    record Prepared(
            WorkerDevice device,
            @Nullable String wholeHash,
            @Nullable SpaceSummary summary,
            @Nullable Config anchor,
            List<TrialRepository.Pruned> pruned,
            @Nullable String refusal) {

        static Prepared refused(WorkerDevice device, String refusal) {
            return new Prepared(device, null, null, null, List.of(), refusal);
        }
    }

    /** Asks for the space of a study on a device. */
    Prepared of(StudyRow study, FamilySpace family, WorkerDevice device) throws InterruptedException {
        try {
            return asks.ask(Asks.About.SPACE, "the space of the study", () -> built(study, family, device))
                    .answer();
        } catch (Asks.NoAnswer none) {
            return Prepared.refused(device, String.valueOf(none.getMessage()));
        }
    }

    private Prepared built(StudyRow study, FamilySpace family, WorkerDevice device) {
        int smCount = device.testbed().smCount();
        SearchSpace whole = family.space(study.problem(), DeviceLimits.of(smCount));
        SpaceTree tree;
        try {
            tree = trees.tree(study.problem(), family, study.options().restriction(), smCount);
        } catch (IllegalArgumentException notOnThisDevice) {
            // When the job came, no such device was there to be asked.
            return Prepared.refused(device, "on " + device.testbed().device() + ": " + notOnThisDevice.getMessage());
        }
        if (tree.isEmpty()) {
            return Prepared.refused(
                    device, "on " + device.testbed().device() + " " + String.join("; ", EmptySpace.lines(tree)));
        }
        ahead(study, family, device.testbed());
        SearchSpace space = tree.space();
        boolean recorded = study.options().strategy().equals(EXHAUSTIVE) && space.points() <= RECORDED_POINTS;
        return new Prepared(
                device,
                whole.hash(),
                new SpaceSummary(space.points(), tree.size()),
                anchor(study, family, device),
                recorded ? pruned(space) : List.of(),
                null);
    }

    /**
     * Makes what the first question of a study on a testbed needs, unless it was made before. A study with configs of
     * its own asks these first.
     */
    void ahead(StudyRow study, FamilySpace family, Testbed testbed) {
        if (!study.options().configs().isEmpty()) {
            return;
        }
        try {
            SpaceTree space =
                    trees.tree(study.problem(), family, study.options().restriction(), testbed.smCount());
            History none =
                    new History(study.problem(), study.options().seed(), History.Sought.on(testbed.kind()), List.of());
            strategies
                    .named(study.options().strategy())
                    .prepare(new SearchQuestion(space, trees.knowledge(study.problem(), family, testbed), none, 1));
        } catch (RuntimeException failed) {
            // The study meets it again when it begins, and says so.
            LOG.debug("study {} could not be prepared", study.id(), failed);
        }
    }

    /** Only on a GPU is something timed beside something. */
    private @Nullable Config anchor(StudyRow study, FamilySpace family, WorkerDevice device) {
        return device.testbed().kind() == TestbedKind.CUDA
                ? family.anchor(trees.tree(
                                study.problem(),
                                family,
                                SpaceRestriction.NONE,
                                device.testbed().smCount()))
                        .orElse(null)
                : null;
    }

    private static List<TrialRepository.Pruned> pruned(SearchSpace space) {
        return LongStream.range(0, space.points())
                .mapToObj(space::point)
                .flatMap(config ->
                        space
                                .violation(config)
                                .map(violation -> new TrialRepository.Pruned(config, violation))
                                .stream())
                .toList();
    }
}
