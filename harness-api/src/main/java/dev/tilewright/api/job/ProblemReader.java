package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the short and the long form of a problem. */
final class ProblemReader {

    private final List<Fault> faults;

    ProblemReader(List<Fault> faults) {
        this.faults = faults;
    }

    /** The problem; empty if something was wrong, which is among the faults then. */
    Optional<Problem> read(JobRequest.ProblemRequest request, String pointer) {
        int before = faults.size();
        List<ProblemShape> groups = request.groups() == null
                ? shape(request.m(), request.n(), request.k(), pointer).stream().toList()
                : groups(request, pointer);
        if (request.dtype() != null && request.types() != null) {
            faults.add(new Fault(pointer + "/dtype", "give either dtype or types"));
        }
        int batch = Objects.requireNonNullElse(request.batch(), 1);
        if (batch < 1) {
            faults.add(new Fault(pointer + "/batch", "must be at least 1, got " + batch));
        }
        if (faults.size() > before) {
            return Optional.empty();
        }
        DataType type = Objects.requireNonNullElse(request.dtype(), DataType.BF16);
        return Optional.of(new Problem(
                groups,
                batch,
                Objects.requireNonNullElse(request.types(), OperandTypes.of(type)),
                Objects.requireNonNullElse(request.major(), OperandMajors.DEFAULT),
                Objects.requireNonNullElse(request.scenario(), Scenario.QUIET)));
    }

    private List<ProblemShape> groups(JobRequest.ProblemRequest request, String pointer) {
        List<ProblemShape> groups = new ArrayList<>();
        if (request.m() != null || request.n() != null || request.k() != null) {
            faults.add(new Fault(pointer, "give either m, n, k or groups"));
        }
        List<JobRequest.ShapeRequest> asked = Objects.requireNonNull(request.groups());
        if (asked.isEmpty()) {
            faults.add(new Fault(pointer + "/groups", "must have at least one group"));
        }
        for (int i = 0; i < asked.size(); i++) {
            JobRequest.ShapeRequest group = asked.get(i);
            shape(group.m(), group.n(), group.k(), pointer + "/groups/" + i).ifPresent(groups::add);
        }
        return groups;
    }

    private Optional<ProblemShape> shape(
            @Nullable Integer m, @Nullable Integer n, @Nullable Integer k, String pointer) {
        boolean good = extent("m", m, pointer) & extent("n", n, pointer) & extent("k", k, pointer);
        return good && m != null && n != null && k != null ? Optional.of(new ProblemShape(m, n, k)) : Optional.empty();
    }

    private boolean extent(String name, @Nullable Integer value, String pointer) {
        if (value == null) {
            faults.add(new Fault(pointer + "/" + name, "is required"));
            return false;
        }
        if (value < 1) {
            faults.add(new Fault(pointer + "/" + name, "must be at least 1, got " + value));
            return false;
        }
        return true;
    }
}
