package dev.tilewright.api.testing;

import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.GpuTaskResult.ComparedSide;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;

/** A comparison of a kernel of the toy family with one of the vendor, and its result. */
public final class ScriptedComparison {

    public static final String PATH = "/api/v1/comparisons";

    public static final String OWN =
            "{\"family\":\"toy\",\"config\":{\"scheduler\":\"static\",\"tileM\":128,\"tileN\":64,\"rasterGroup\":1}}";

    public static final String VENDOR = "{\"peer\":\"cublaslt\",\"algorithm\":\"3\"}";

    private ScriptedComparison() {}

    /**
     * A request to compare two sides.
     *
     * @param more further members, each behind a comma
     */
    public static String body(String first, String second, String more) {
        return """
                {"problem":{"m":640,"n":384,"k":256},"first":%s,"second":%s%s}""".formatted(first, second, more);
    }

    /** Submits it; its id. */
    public static String submit(Api api) {
        return api.post(PATH, body(OWN, VENDOR, "")).expect(202).get("id").asString();
    }

    /** The report that the first side is faster. */
    public static Report.Ran faster(Lease lease) {
        return new Report.Ran(
                lease.fence(),
                new Compared(
                        CompareVerdict.FASTER,
                        new Ratio(1.02, 1.01, 1.03, 20),
                        new ComparedSide("first", TrialOutcome.COMPLETED, 0.2, ""),
                        new ComparedSide("cublaslt algorithm=3", TrialOutcome.COMPLETED, 0.3, ""),
                        List.of(block(0, "first", 1000), block(1, "cublaslt algorithm=3", 1020)),
                        List.of(),
                        "calm"));
    }

    /** A block of one side. */
    public static Report.Block block(int position, String arm, double ns) {
        return new Report.Block(
                Stage.FINAL, Question.SAME_CLOCK, Mode.SUSTAINED, 0, position, arm, ns, 1800.0, null, null, 0);
    }
}
