package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.model.trial.TestbedKind;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The decision on a whole gate.
 *
 * @param reason in one sentence
 * @param trusted whether the instrument was; without it only a wrong kernel is a finding, or a program, which has
 *     sentinels of its own
 */
public record RunDecision(GateVerdict verdict, String reason, boolean trusted) {

    /** The decision on a run by its cases as they are. */
    static RunDecision of(GateRun run) {
        return of(run.cases(), run.sentinels(), kind(run));
    }

    /** A run for a model has no testbed: it asks nobody. */
    private static @Nullable TestbedKind kind(GateRun run) {
        if (run.testbed() != null) {
            return run.testbed().kind();
        }
        return run.device().startsWith(TestbedKind.SIMULATED + ":") ? TestbedKind.SIMULATED : null;
    }

    /** A run with cases of programs behind its own; if it is finished, with the decision on all of them. */
    public static GateRun withPrograms(GateRun run, List<CaseResult> programs) {
        if (programs.isEmpty()) {
            return run;
        }
        List<CaseResult> all =
                Stream.concat(run.cases().stream(), programs.stream()).toList();
        if (run.state() != GateRun.State.FINISHED) {
            return run.with(all, run.verdict(), run.reason());
        }
        RunDecision decision = of(all, run.sentinels(), kind(run));
        return run.with(all, decision.verdict(), decision.reason());
    }

    /**
     * Decides, after all cases have.
     *
     * @param sentinels as {@link Sentinel} names them; a gate that timed nothing needs none
     * @param kind of the GPU; {@code null} if none had the run
     */
    public static RunDecision of(List<CaseResult> cases, List<CaseResult> sentinels, @Nullable TestbedKind kind) {
        Map<GateVerdict, List<CaseResult>> by = cases.stream()
                .collect(Collectors.groupingBy(
                        RunDecision::verdict, () -> new EnumMap<>(GateVerdict.class), Collectors.toList()));
        List<CaseResult> kernels =
                cases.stream().filter(each -> !each.isOfProgram()).toList();
        Optional<String> doubt =
                kernels.isEmpty() && !cases.isEmpty() ? Optional.empty() : doubt(kernels, sentinels, kind);
        if (by.containsKey(GateVerdict.INVALID)) {
            return new RunDecision(GateVerdict.INVALID, first(by.get(GateVerdict.INVALID)), doubt.isEmpty());
        }
        if (doubt.isPresent()) {
            return ofPrograms(by, doubt.get());
        }
        for (GateVerdict worse : List.of(GateVerdict.FAIL, GateVerdict.INCONCLUSIVE, GateVerdict.WARN)) {
            if (by.containsKey(worse)) {
                return new RunDecision(worse, first(by.get(worse)), true);
            }
        }
        boolean unchanged = by.keySet().equals(Set.of(GateVerdict.UNCHANGED_BINARY));
        return new RunDecision(
                unchanged ? GateVerdict.UNCHANGED_BINARY : GateVerdict.PASS, counts(by) + mean(cases), true);
    }

    /** A run whose kernels cannot be told. Its programs can, and the reason has what they say. */
    private static RunDecision ofPrograms(Map<GateVerdict, List<CaseResult>> by, String doubt) {
        for (GateVerdict worse : List.of(GateVerdict.FAIL, GateVerdict.INCONCLUSIVE, GateVerdict.WARN)) {
            List<CaseResult> programs = by.getOrDefault(worse, List.of()).stream()
                    .filter(CaseResult::isOfProgram)
                    .toList();
            if (!programs.isEmpty()) {
                GateVerdict verdict = worse == GateVerdict.FAIL ? worse : GateVerdict.INCONCLUSIVE;
                return new RunDecision(verdict, first(programs) + "; of the kernels: " + doubt, false);
            }
        }
        return new RunDecision(GateVerdict.INCONCLUSIVE, doubt, false);
    }

    /** Of a case: a failure that was waived passes, and what has no evidence is inconclusive. */
    static GateVerdict verdict(CaseResult result) {
        GateVerdict verdict = RequiredEvidence.of(result).isPresent() ? GateVerdict.INCONCLUSIVE : result.verdict();
        return Waiving.covers(result) ? GateVerdict.PASS : Objects.requireNonNull(verdict);
    }

    private static Optional<String> doubt(
            List<CaseResult> cases, List<CaseResult> sentinels, @Nullable TestbedKind kind) {
        if (cases.isEmpty()) {
            return Optional.of("the gate has no case");
        }
        if (kind == TestbedKind.SIMULATED || kind == TestbedKind.EMULATED) {
            return Optional.of("the times are " + kind + ": a gate needs a real GPU");
        }
        boolean timed = cases.stream()
                .flatMap(each -> each.stages().stream())
                .anyMatch(stage -> stage.counted() + stage.discarded() > 0);
        return timed
                ? Sentinel.fault(sentinels).map(fault -> "the instrument is not to be trusted: " + fault)
                : Optional.empty();
    }

    private static String first(List<CaseResult> results) {
        CaseResult first = results.getFirst();
        String reason = RequiredEvidence.of(first).orElse(first.reason());
        String more = results.size() > 1 ? " (and " + (results.size() - 1) + " more)" : "";
        return first.name() + ": " + reason + more;
    }

    private static String counts(Map<GateVerdict, List<CaseResult>> by) {
        return by.entrySet().stream()
                .map(entry -> entry.getValue().size() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
    }

    /** The mean effect, each case with its weight; empty if nothing was timed. */
    private static String mean(List<CaseResult> cases) {
        double sum = 0;
        double weights = 0;
        for (CaseResult each : cases) {
            if (each.effect() != null) {
                sum += each.weight() * Math.log1p(each.effect().percent() / 100);
                weights += each.weight();
            }
        }
        return weights == 0
                ? ""
                : String.format(Locale.ROOT, "; mean effect %+.2f %%", 100 * Math.expm1(sum / weights));
    }
}
