package dev.tilewright.worker.cli;

import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.exchange.KnownRanges;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.cli.apply.KernelSource;
import dev.tilewright.worker.cli.apply.PackDevice;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The best known configs of one GPU, as far as they are not slower than the vendor's kernel. */
final class MeasuredKernels implements KernelSource {

    private final Connection connection;
    private final @Nullable String testbed;
    private @Nullable Testbed chosen;

    /** @param testbed text in the name of the device; {@code null} for any */
    MeasuredKernels(Connection connection, @Nullable String testbed) {
        this.connection = connection;
        this.testbed = testbed;
    }

    @Override
    public Choice choose(Problem problem) throws ApiRefusedException, InterruptedException {
        BestQuestion question = BestQuestion.of(problem).on(testbed, null);
        BestConfigs answer = connection.send(api -> api.get(question.path(), BestConfigs.class));
        List<BestConfig> built = answer.items().stream()
                .filter(item -> !item.isSuperseded(answer.items()))
                .filter(item -> Families.standard().all().stream()
                        .anyMatch(space -> space.family().equals(item.family()) && !space.isInstalled()))
                .toList();
        requireOneDevice(built.stream().map(BestConfig::testbed).toList());
        if (built.isEmpty()) {
            return new Left("not tuned");
        }
        return built.stream()
                .filter(item -> fits(item.testbed()))
                .findFirst()
                .map(best -> taken(problem, best))
                .orElseGet(() -> elsewhere(built.getFirst().testbed()));
    }

    @Override
    public Choice choose(RangedProblem problem) throws ApiRefusedException, InterruptedException {
        BestQuestion question = BestQuestion.of(problem).on(testbed, null);
        List<KnownRanges.KnownRange> known = connection
                .send(api -> api.get(question.path("/api/v1/ranges"), KnownRanges.class))
                .items();
        if (known.isEmpty()) {
            return new Left("not tuned");
        }
        requireOneDevice(known.stream().map(KnownRanges.KnownRange::testbed).toList());
        for (KnownRanges.KnownRange range : known) {
            if (fits(range.testbed())) {
                chosen = range.testbed();
                return Taken.of(
                        range.range().family(),
                        Objects.requireNonNull(range.range().table()).kernels());
            }
        }
        return elsewhere(known.getFirst().testbed());
    }

    private static void requireOneDevice(List<Testbed> testbeds) {
        List<String> devices =
                testbeds.stream().map(Testbed::device).distinct().sorted().toList();
        if (devices.size() > 1) {
            throw new CommandFailedException(
                    ExitCode.USAGE, "--testbed: several GPUs have kernels; name one", devices, null);
        }
    }

    private Left elsewhere(Testbed other) {
        return new Left("tuned on " + said(other) + ", the others on " + said(Objects.requireNonNull(chosen)));
    }

    /** Times and grids of one pack are those of one GPU with one driver: that of the first kernel. */
    private boolean fits(Testbed testbed) {
        Testbed first = chosen;
        return first == null
                || testbed.device().equals(first.device())
                        && testbed.driver().equals(first.driver())
                        && testbed.smCount() == first.smCount();
    }

    private static String said(Testbed testbed) {
        return testbed.device() + " with driver " + testbed.driver();
    }

    private Choice taken(Problem problem, BestConfig best) {
        // PyTorch calls what cuBLAS takes by default, where cuBLAS has such a product.
        Double ratio = best.ratioToDefault() == null ? best.ratioToBestPeer() : best.ratioToDefault();
        List<Double> interval = best.ratioToDefault() == null ? best.ratioToBestPeerCi() : best.ratioToDefaultCi();
        if (ratio != null && (interval == null ? ratio : interval.getLast()) < 1) {
            return new Left(String.format(
                    Locale.ROOT,
                    "the vendor's kernel is faster: %.1f us beside %.1f us",
                    best.us() * ratio,
                    best.us()));
        }
        if (chosen == null) {
            chosen = best.testbed();
        }
        return Taken.of(
                best.family(),
                problem.shape().m(),
                best.config(),
                best.us(),
                Optional.ofNullable(ratio).map(factor -> best.us() * factor));
    }

    @Override
    public PackDevice device() {
        Testbed first = Objects.requireNonNull(chosen, "no kernel was taken");
        return new PackDevice(
                "measured on " + said(first),
                false,
                Optional.of(first.device()),
                Optional.of(first.driver()),
                first.smCount());
    }
}
