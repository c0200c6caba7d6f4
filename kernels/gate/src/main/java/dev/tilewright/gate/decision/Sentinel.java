package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Cases that a gate adds to those of its user: what must come of them is known, so they show that the GPU can tell. */
public enum Sentinel {
    /** A kernel beside itself. */
    EQUAL("sentinel-equal", 0, GateVerdict.PASS),
    /** A kernel beside its twin that takes 2 % longer. */
    SLOWED("sentinel-slowed", 2, GateVerdict.FAIL);

    /** Margins of a sentinel, whatever margins the cases of its gate have. */
    public static final Margins MARGINS = Margins.STANDARD;

    private final String caseName;
    private final double slowedByPercent;
    private final GateVerdict expected;

    Sentinel(String caseName, double slowedByPercent, GateVerdict expected) {
        this.caseName = caseName;
        this.slowedByPercent = slowedByPercent;
        this.expected = expected;
    }

    public String caseName() {
        return caseName;
    }

    /** By how much the candidate is slowed; 0 if it is the baseline itself. */
    public double slowedByPercent() {
        return slowedByPercent;
    }

    /** The fault of the sentinels of a run; empty if they are as they must be. */
    static Optional<String> fault(List<CaseResult> sentinels) {
        return Arrays.stream(values())
                .flatMap(sentinel -> sentinel.faultAmong(sentinels).stream())
                .findFirst();
    }

    private Optional<String> faultAmong(List<CaseResult> sentinels) {
        Optional<CaseResult> result =
                sentinels.stream().filter(each -> each.name().equals(caseName)).findFirst();
        if (result.isEmpty()) {
            return Optional.of(
                    caseName + " was not timed: it needs a kernel whose text is known, or a problem that a family of"
                            + " this GPU takes");
        }
        GateVerdict verdict = result.get().verdict();
        return verdict == expected && RequiredEvidence.of(result.get()).isEmpty()
                ? Optional.empty()
                : Optional.of(caseName + " is " + verdict + " where only " + expected
                        + " shows that this GPU can tell: " + result.get().reason());
    }
}
