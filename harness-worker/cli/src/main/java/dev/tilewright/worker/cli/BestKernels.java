package dev.tilewright.worker.cli;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.cli.export.ExportFolder;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The kernels of the best known configs.
 *
 * @param testbed text in the name of the device; {@code null} for any, as is the family
 */
record BestKernels(
        StoredKernels stored,
        GemmFamilies families,
        @Nullable String testbed,
        @Nullable String family) {

    /**
     * The kernel of the best config of a problem. Where only that of another shape is known, it is built for this one.
     *
     * @throws CommandFailedException if nothing is known, if several GPUs have a best, or if the config of the nearest
     *     shape cannot be had for this one
     */
    ExportFolder.Kernel of(ProblemOptions.Named named) throws InterruptedException, ApiRefusedException {
        Problem problem = named.problem();
        BestQuestion question = BestQuestion.nearest(problem).on(testbed, family);
        BestConfigs answer = stored.connection().send(api -> api.get(question.path(), BestConfigs.class));
        List<BestConfig> newest = answer.items().stream()
                .filter(item -> !item.isSuperseded(answer.items()))
                .toList();
        // An algorithm of a library is exported where it is asked for, or nothing else is known.
        List<BestConfig> built = newest.stream()
                .filter(item -> !Families.standard().isInstalled(item.family()))
                .toList();
        List<BestConfig> items = family == null && !built.isEmpty() ? built : newest;
        // Times of different runs are not compared: who has several says which.
        if (items.size() > 1) {
            throw new CommandFailedException(
                    ExitCode.USAGE,
                    "--best: " + named.option() + " has several; give --testbed, --family, or --trial",
                    items.stream().map(BestKernels::line).sorted().toList(),
                    null);
        }
        BestConfig best = items.stream()
                .findFirst()
                .orElseThrow(() -> new CommandFailedException(
                        ExitCode.NEGATIVE,
                        "no best config is known for " + named.option()
                                + (problem.isPlain() ? " nor for another shape" : "") + ": tune it on a real"
                                + " GPU, or give --config, or --trial of a tune without one"));
        return answer.nearest() == null
                ? stored.of(best.trialId(), Optional.of(problem))
                : moved(problem, best, answer.nearest());
    }

    private static String line(BestConfig best) {
        return "--trial " + best.trialId() + ": " + best.family() + " on "
                + best.testbed().device() + ", driver " + best.testbed().driver() + ", "
                + best.testbed().assembler();
    }

    private ExportFolder.Kernel moved(Problem problem, BestConfig best, BestConfigs.Nearest nearest) {
        String where = String.format(
                Locale.ROOT,
                "not tuned for this shape: the best config of the nearest known one, %s (M, N and K differ by a factor"
                        + " of %.3g in all), trial %s on %s",
                nearest.shape(),
                nearest.factor(),
                best.trialId(),
                best.testbed().device());
        DeviceLimits limits = DeviceLimits.of(best.testbed().smCount());
        try {
            families.named(best.family())
                    .space()
                    .kernels(problem, limits)
                    .violation(best.config())
                    .ifPresent(violation -> {
                        throw new IllegalArgumentException(violation.toString());
                    });
            return new ExportFolder.Text(
                    KernelExport.of(families.named(best.family()), problem, best.config(), limits),
                    List.of(where),
                    Optional.empty(),
                    Optional.empty());
        } catch (IllegalArgumentException impossible) {
            throw new CommandFailedException(
                    ExitCode.NEGATIVE,
                    "no best config is known for " + problem.shape() + ", and that of the nearest shape, "
                            + nearest.shape() + ", cannot be had for it: " + impossible.getMessage());
        }
    }
}
