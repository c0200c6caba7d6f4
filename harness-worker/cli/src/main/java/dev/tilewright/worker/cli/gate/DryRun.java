package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.cli.gate.DryProofs.Kind;
import dev.tilewright.worker.cli.gate.DryProofs.Shown;
import dev.tilewright.worker.cli.gate.file.CaseEntry;
import dev.tilewright.worker.cli.gate.file.GateFile;
import dev.tilewright.worker.link.command.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A gate without a GPU and without a service: for each case the proofs of its kernels and the plan of a run.
 *
 * @param file as it was read
 * @param request as a service would get it
 */
record DryRun(GateFile file, GateRequest request, DryProofs proofs, Printer out) {

    /**
     * Says it.
     *
     * @return {@code USAGE} if a service would refuse the request, {@code NEGATIVE} if a kernel is wrong, else
     *     {@code INCONCLUSIVE}: nothing is measured
     */
    ExitCode run() {
        out.println("gate " + file.gate() + ", a dry run: nothing is measured, and no service is asked; device "
                + Objects.requireNonNullElse(request.device(), "auto"));
        List<Kind> kinds = new ArrayList<>();
        for (int i = 0; i < file.cases().size(); i++) {
            kinds.addAll(of(file.cases().get(i), request.cases().get(i)));
        }
        long wrong = count(kinds, Kind.WRONG);
        long refuted = count(kinds, Kind.REFUTED);
        out.println(Count.of(file.cases().size(), "case") + ": "
                + Count.of(count(kinds, Kind.PROVED), "kernel") + " proved, " + count(kinds, Kind.UNKNOWN)
                + " not known here, "
                + refuted + " refuted, " + wrong + " refused; without a GPU there is no verdict");
        return wrong > 0 ? ExitCode.USAGE : refuted > 0 ? ExitCode.NEGATIVE : ExitCode.INCONCLUSIVE;
    }

    private static long count(List<Kind> kinds, Kind kind) {
        return kinds.stream().filter(kind::equals).count();
    }

    private List<Kind> of(CaseEntry entry, GateRequest.Case asked) {
        Problem problem = asked.problem().problem();
        List<Kind> kinds = new ArrayList<>();
        out.println();
        out.println("case " + entry.name() + ": " + problem.shapes() + " " + types(problem.types()));
        Shown candidate = proofs.of(asked.candidate(), problem, entry.accept());
        say("candidate", asked.candidate(), candidate);
        kinds.add(candidate.kind());
        GateRequest.Baseline baseline = asked.baseline();
        GateKernel kernel = baseline.kernel();
        boolean same = asked.candidate().equals(kernel);
        if (kernel == null) {
            out.println("  baseline: the service is asked for the candidate of this case in "
                    + (baseline.run() == null
                            ? "the last pass of branch " + baseline.lastPass()
                            : "run " + baseline.run()));
        } else if (same) {
            out.println("  baseline: the same kernel");
        } else {
            Shown shown = proofs.of(kernel, problem, entry.accept());
            say("baseline", kernel, shown);
            kinds.add(shown.kind());
        }
        out.println("  a run with a GPU would " + todo(same, entry.margins()));
        return kinds;
    }

    private static String types(OperandTypes types) {
        return types.equals(OperandTypes.of(types.a()))
                ? types.a().toString()
                : types.a() + ", " + types.b() + ", " + types.d();
    }

    private static String todo(boolean same, Margins margins) {
        return same
                ? "verify it and time nothing: both have the same module (unchanged_binary)"
                : "verify both, time them in turn, warn above " + margins.warn() + " % and fail above " + margins.fail()
                        + " %";
    }

    private void say(String side, GateKernel kernel, Shown shown) {
        out.println("  " + side + ": " + named(kernel) + ": " + shown.line());
        shown.details().forEach(line -> out.println("    " + line));
    }

    private static String named(GateKernel kernel) {
        if (kernel.peer() != null) {
            return kernel.peer() + (kernel.algorithm() == null ? "" : ":" + kernel.algorithm());
        }
        String config = kernel.config() == null ? "" : kernel.config().words();
        String family = Objects.requireNonNullElse(kernel.family(), kernel.best() == null ? "config" : "best config");
        return (family + " " + config).strip();
    }
}
