package dev.tilewright.api.gate;

import dev.tilewright.gate.decision.Sentinel;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.exchange.ProblemDocument;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A case as it is measured: whatever the request named by a trial, a run or the best is a config or a peer here.
 *
 * @param candidate config with the version of its family, or peer
 * @param baseline likewise
 */
record CaseSpec(
        String name,
        ProblemDocument problem,
        GateKernel candidate,
        GateKernel baseline,
        Margins margins,
        double weight,
        List<String> accept,
        @Nullable String source) {

    CaseSpec {
        accept = List.copyOf(accept);
    }

    /** A case of the service itself: one of its kernels beside itself, or beside its slowed twin. */
    CaseSpec watchedBy(Sentinel sentinel, GateKernel kernel) {
        return new CaseSpec(sentinel.caseName(), problem, kernel, kernel, Sentinel.MARGINS, 1, accept, null);
    }

    /** The same with another candidate. */
    CaseSpec of(GateKernel other) {
        return new CaseSpec(name, problem, other, baseline, margins, weight, accept, source);
    }

    /** As a request asks for it. */
    GateRequest.Case asked() {
        return new GateRequest.Case(
                name,
                ProblemDocument.inShort(problem.problem()),
                candidate,
                new GateRequest.Baseline(baseline, null, null),
                margins,
                weight,
                accept.isEmpty() ? null : accept,
                source);
    }

    /** The same with other margins. */
    CaseSpec within(Margins other) {
        return new CaseSpec(name, problem, candidate, baseline, other, weight, accept, source);
    }
}
