package dev.tilewright.worker.cli;

import dev.tilewright.examples.LadderKernel;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.FileCheckResult;
import dev.tilewright.proof.file.FileDocument;
import dev.tilewright.proof.file.FileReport;
import dev.tilewright.proof.file.FileVerdict;
import dev.tilewright.proof.file.KernelFile;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Proofs of steps of the ladder, one after the other; each says its verdict when it is over. */
record LadderProofs(Printer out) {

    /** Warp instructions after which a run counts as endless. */
    private static final long ENDLESS = 300_000_000L;

    /** The verdicts of {@code --check}, each with the shape that was run. */
    private record Document(int schemaVersion, List<Entry> steps) {}

    private record Entry(String step, String shape, Object proof) {}

    /**
     * Proves steps.
     *
     * @param shape of all of them; without one each is proved by its own
     * @param json where to write the verdicts, if anywhere
     */
    ExitCode run(List<LadderKernel> kernels, Optional<ProblemShape> shape, ProofPlan plan, @Nullable Path json)
            throws IOException {
        List<Entry> entries = new ArrayList<>();
        ExitCode worst = ExitCode.OK;
        for (LadderKernel kernel : kernels) {
            ProblemShape run = shape.orElse(kernel.step().facts().proofShape());
            KernelFile file = Syntax.read("--shape", run.toString(), _ -> kernel.file(run, plan));
            FileCheckResult checked = file.check(new CheckOptions(ENDLESS, (_, _, _, _) -> {}));
            List<String> lines = new FileReport(file).verdict(checked);
            out.println(kernel.name() + " " + run + " on " + plan.gpu() + ": " + lines.getFirst());
            lines.stream().skip(1).forEach(out::println);
            entries.add(new Entry(kernel.name(), run.toString(), new FileDocument(file).of(checked)));
            worst = worse(worst, exit(checked.verdict()));
        }
        if (json != null) {
            Json.writeAtomically(json, Json.pretty().writeValueAsBytes(new Document(1, entries)));
        }
        return worst;
    }

    private static ExitCode exit(FileVerdict verdict) {
        return switch (verdict) {
            case FileVerdict.Proved _ -> ExitCode.OK;
            case FileVerdict.Hazardous _, FileVerdict.Wrong _ -> ExitCode.NEGATIVE;
            case FileVerdict.Shallow _, FileVerdict.Unsupported _ -> ExitCode.INCONCLUSIVE;
        };
    }

    /** A wrong step outweighs a shallow proof. */
    private static ExitCode worse(ExitCode one, ExitCode other) {
        return one == ExitCode.NEGATIVE || other == ExitCode.OK ? one : other;
    }
}
