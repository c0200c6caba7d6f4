package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.RangedProblem;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the short and the long form of a problem. */
public final class ProblemReader {

    private final List<Fault> faults;

    /** @param faults is told what is wrong */
    public ProblemReader(List<Fault> faults) {
        this.faults = faults;
    }

    /** The problem; empty if something was wrong, which is among the faults then. */
    public Optional<Problem> read(ProblemDocument request, String pointer) {
        int before = faults.size();
        if (request.isRanged()) {
            add(pointer + "/mTo", "a range of M is no problem here; got up to " + request.mTo());
        }
        check(request, pointer);
        return faults.size() > before ? Optional.empty() : Optional.of(request.problem());
    }

    /** The range of M; empty if something was wrong, which is among the faults then. */
    public Optional<RangedProblem> readRange(ProblemDocument request, String pointer) {
        int before = faults.size();
        if (request.groups() != null || request.batch() != null && request.batch() != 1) {
            add(pointer, "a range of M is of one GEMM, without groups or batch");
        }
        check(request, pointer);
        if (faults.size() > before) {
            return Optional.empty();
        }
        try {
            return Optional.of(request.ranged());
        } catch (IllegalArgumentException refused) {
            add(pointer, String.valueOf(refused.getMessage()));
            return Optional.empty();
        }
    }

    private void check(ProblemDocument request, String pointer) {
        List<ProblemDocument.Extents> groups = request.groups();
        if (groups == null) {
            extents(request.m(), request.n(), request.k(), pointer);
        } else {
            groups(request, groups, pointer);
        }
        if (request.dtype() != null && request.types() != null) {
            add(pointer + "/dtype", "give either dtype or types");
        }
        if (request.batch() != null && request.batch() < 1) {
            add(pointer + "/batch", "must be at least 1, got " + request.batch());
        }
        if (request.scales() != null) {
            request.scales().refusal(request.operands()).ifPresent(reason -> add(pointer + "/scales", reason));
        }
    }

    private void groups(ProblemDocument request, List<ProblemDocument.Extents> groups, String pointer) {
        if (request.m() != null || request.n() != null || request.k() != null) {
            add(pointer, "give either m, n, k or groups");
        }
        if (groups.isEmpty()) {
            add(pointer + "/groups", "must have at least one group");
        }
        for (int i = 0; i < groups.size(); i++) {
            ProblemDocument.Extents group = groups.get(i);
            extents(group.m(), group.n(), group.k(), pointer + "/groups/" + i);
        }
    }

    private void extents(@Nullable Integer m, @Nullable Integer n, @Nullable Integer k, String pointer) {
        extent("m", m, pointer);
        extent("n", n, pointer);
        extent("k", k, pointer);
    }

    private void extent(String name, @Nullable Integer value, String pointer) {
        if (value == null) {
            add(pointer + "/" + name, "is required");
        } else if (value < 1) {
            add(pointer + "/" + name, "must be at least 1, got " + value);
        }
    }

    private void add(String pointer, String detail) {
        faults.add(new Fault(pointer, detail));
    }
}
