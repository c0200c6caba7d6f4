package dev.tilewright.emulator.mutation;

import dev.tilewright.ptx.instruction.ClusterLaunchControl;
import dev.tilewright.ptx.instruction.ClusterLaunchControl.Dimension;
import dev.tilewright.ptx.instruction.Control;
import dev.tilewright.ptx.instruction.Statement;
import java.util.List;
import java.util.stream.IntStream;

/** Rules for cluster launch control: queries, and what is done with their answers. */
final class LaunchControlRules {
    private final Definitions definitions;
    private final Changes changes;

    LaunchControlRules(Definitions definitions, Changes changes) {
        this.definitions = definitions;
        this.changes = changes;
    }

    void launchControl(int index, ClusterLaunchControl instruction) {
        switch (instruction) {
            case ClusterLaunchControl.TryCancel i -> {
                changes.drop(Rule.LAUNCH_CONTROL, index);
                changes.twice(Rule.LAUNCH_CONTROL, index);
                if (i.multicast()) {
                    changes.replace(
                            Rule.LAUNCH_CONTROL,
                            index,
                            "no multicast",
                            () -> new ClusterLaunchControl.TryCancel(false, i.answer(), i.barrier()));
                }
                changes.replace(
                        Rule.LAUNCH_CONTROL,
                        index,
                        "the next slot's barrier",
                        () -> new ClusterLaunchControl.TryCancel(
                                i.multicast(), i.answer(), i.barrier().plus(8)));
                changes.replace(
                        Rule.OFFSET,
                        index,
                        "the next answer",
                        () -> new ClusterLaunchControl.TryCancel(
                                i.multicast(), i.answer().plus(ClusterLaunchControl.ANSWER_BYTES), i.barrier()));
            }
            case ClusterLaunchControl.FirstCta i -> {
                Dimension other = i.dimension() == Dimension.X ? Dimension.Y : Dimension.X;
                changes.replace(
                        Rule.LAUNCH_CONTROL,
                        index,
                        "dimension " + other.ptx(),
                        () -> new ClusterLaunchControl.FirstCta(other, i.d(), i.answer()));
            }
            case ClusterLaunchControl.IsCanceled _, ClusterLaunchControl.FirstCtaVector _ -> {}
        }
    }

    /** A branch past a query, by which nobody asks after a failure. */
    void guarded(int index, Statement.Guarded guarded, List<Statement> body) {
        if (guarded.instruction() instanceof Control.Branch branch
                && definitions.isAnswer(guarded.predicate())
                && IntStream.range(index, Math.max(index, definitions.target(branch.label())))
                        .anyMatch(i -> body.get(i) instanceof ClusterLaunchControl.TryCancel)) {
            changes.drop(Rule.LAUNCH_CONTROL, index);
        }
    }
}
