package dev.tilewright.worker.cli;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.KnownRanges;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.export.RangeExport;
import dev.tilewright.simulator.GpuConstants;
import dev.tilewright.simulator.RangePredictions;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.worker.cli.export.ExportFolder;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The sources of the table of an exported range of M. */
record RangeSources(GemmFamilies families) {

    /**
     * The model's choice.
     *
     * @param most kernels of the table at the most
     */
    ExportFolder.OfRange simulated(ProblemOptions.NamedRange named, FamilySpace space, GpuConstants gpu, int most) {
        RangePredictions predicted = Syntax.read(
                named.option(),
                "",
                _ -> RangePredictions.of(space, named.problem(), gpu, Map.of(), most, PredictCommand.SEED));
        String origin = "simulated " + predicted.device() + " (" + predicted.version() + "), never measured";
        return of(
                named,
                space,
                predicted.kernels(),
                DeviceLimits.of(gpu.topology().smCount()),
                Optional.of(predicted.regret()),
                true,
                origin);
    }

    /** One config for each M. */
    ExportFolder.OfRange given(ProblemOptions.NamedRange named, FamilySpace space, Config config, int sms) {
        RangedProblem problem = named.problem();
        return of(
                named,
                space,
                List.of(new Span(problem.range().least(), problem.range().most(), config, 0, 0)),
                DeviceLimits.of(sms),
                Optional.empty(),
                false,
                "one config that was given, nothing is known of its speed");
    }

    /**
     * The newest table that was measured.
     *
     * @throws CommandFailedException if none is known, or several GPUs have one
     */
    ExportFolder.OfRange measured(
            ProblemOptions.NamedRange named, Connection connection, @Nullable String testbed, @Nullable String family)
            throws ApiRefusedException, InterruptedException {
        BestQuestion question = BestQuestion.of(named.problem()).on(testbed, family);
        KnownRanges answer = connection.send(api -> api.get(question.path("/api/v1/ranges"), KnownRanges.class));
        List<KnownRanges.KnownRange> items = answer.items().stream()
                .filter(item -> families.spaces().all().stream()
                        .anyMatch(space -> space.family().equals(item.range().family())))
                .toList();
        if (items.size() > 1) {
            throw new CommandFailedException(
                    ExitCode.USAGE,
                    "--best: " + named.option() + " has several tables; give --testbed or --family",
                    items.stream().map(RangeSources::line).sorted().toList(),
                    null);
        }
        KnownRanges.KnownRange known = items.stream()
                .findFirst()
                .orElseThrow(() -> new CommandFailedException(
                        ExitCode.NEGATIVE,
                        "no table of kernels is known for " + named.option()
                                + ": tune it on a real GPU, or give --simulated or --config"));
        RangeDocument.Table table = Objects.requireNonNull(known.range().table());
        return of(
                named,
                families.named(known.range().family()).space(),
                table.kernels(),
                DeviceLimits.of(known.testbed().smCount()),
                Optional.ofNullable(table.regret()),
                false,
                "measured on " + known.testbed().device() + ", driver "
                        + known.testbed().driver() + ", job " + known.jobId());
    }

    private static String line(KnownRanges.KnownRange known) {
        return known.range().family() + " on " + known.testbed().device() + ", driver "
                + known.testbed().driver() + ", job " + known.jobId();
    }

    private ExportFolder.OfRange of(
            ProblemOptions.NamedRange named,
            FamilySpace space,
            List<Span> table,
            DeviceLimits limits,
            Optional<Regret> regret,
            boolean simulated,
            String origin) {
        RangeExport export = Syntax.read(
                named.option(),
                "",
                _ -> RangeExport.of(families.named(space.family()), named.problem(), table, limits, origin));
        return new ExportFolder.OfRange(export, table, regret, simulated, origin);
    }
}
