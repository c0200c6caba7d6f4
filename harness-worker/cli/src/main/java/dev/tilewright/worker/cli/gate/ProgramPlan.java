package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.worker.cli.gate.file.ProgramEntry;
import dev.tilewright.worker.cli.program.ProgramComparison;
import dev.tilewright.worker.cli.program.ProgramTimes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A program of a file, and the cases that come of it.
 *
 * @param commit of its baseline
 * @param then the program in the file of that commit; empty if it is new
 * @param source its place in the repository
 */
record ProgramPlan(ProgramEntry entry, OtherCommit commit, Optional<ProgramEntry> then, String source) {

    static final String HERE = "here";

    private static final String NO_PACK = "none";

    /** The program of this checkout, in words. */
    String words() {
        return String.join(" ", entry.run()) + " " + HERE;
    }

    /** The program that it is compared with, in words. */
    String baseline() {
        return then.map(was -> String.join(" ", was.run()) + " " + nameOfBaseline())
                .orElseGet(() -> "itself " + nameOfBaseline());
    }

    /** The name of that program in messages. */
    String nameOfBaseline() {
        if (then.isPresent()) {
            return "at " + commit.shown();
        }
        return entry.pack().isEmpty() ? "once more" : "without the pack";
    }

    /** The pack of the baseline, if git has none of it. */
    Optional<String> packOutsideOfGit() throws InterruptedException {
        Optional<String> pack = then.flatMap(ProgramEntry::pack);
        return pack.isEmpty() || commit.has(pack.get() + "/pack.json") ? Optional.empty() : pack;
    }

    /** A case with times. */
    CaseResult timed(ProgramComparison.Outcome outcome) {
        ProgramTimes times = outcome.times();
        String log = Stream.concat(
                        Stream.of("on " + outcome.gpu(), times.medians(nameOfBaseline(), HERE)),
                        times.sentinels().stream())
                .collect(Collectors.joining("\n"));
        return result(
                side(words() + pack(outcome.candidatePack()), log),
                side(baseline() + pack(outcome.baselinePack()), ""),
                times.decision().verdict(),
                times.decision().reason(),
                times.effect().effect());
    }

    /** A case without times. */
    CaseResult untimed(GateVerdict verdict, String reason, List<String> log) {
        return result(side(words(), String.join("\n", log)), side(baseline(), ""), verdict, reason, null);
    }

    private CaseResult result(
            CaseResult.Side here, CaseResult.Side before, GateVerdict verdict, String reason, @Nullable Effect effect) {
        return new CaseResult(
                entry.name(),
                null,
                here,
                before,
                entry.margins(),
                entry.weight(),
                List.of(),
                source,
                verdict,
                reason,
                effect,
                effect == null
                        ? List.of()
                        : List.of(new CaseResult.Stage(1, verdict, effect, effect.blocks(), 0, List.of(), "")),
                null,
                null);
    }

    private static CaseResult.Side side(String words, String log) {
        return new CaseResult.Side(words, null, null, null, null, null, log);
    }

    private static String pack(String hash) {
        return hash.equals(NO_PACK) ? "" : ", pack " + hash;
    }
}
