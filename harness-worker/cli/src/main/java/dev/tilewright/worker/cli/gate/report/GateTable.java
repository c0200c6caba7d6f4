package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.TextTable;
import java.util.ArrayList;
import java.util.List;

/**
 * A run for a reader of the terminal: a line a case, then the reasons.
 *
 * @param run that is told
 * @param failOn what its reader asked for
 */
public record GateTable(GateRun run, FailOn failOn) implements Board {

    private static final int MOST_EVIDENCE = 12;

    /** All of it. */
    @Override
    public List<String> lines(int width) {
        GateWords words = new GateWords(run, failOn);
        List<String> lines = new ArrayList<>();
        List<Judged> cases = Judged.of(run, failOn);
        if (!cases.isEmpty()) {
            lines.addAll(table(cases).lines(width));
            lines.add("");
        }
        Judged.worstFirst(run, failOn).stream()
                .filter(one -> !GateWords.isPlain(one))
                .forEach(one -> lines.addAll(told(one)));
        lines.addAll(words.origin());
        lines.add("gate " + run.gate() + " " + words.verdict() + ": " + words.reason());
        lines.add(words.counts() + "; " + words.stored());
        return lines;
    }

    /** Lines on the cases that were tuned again. */
    public List<String> retunes() {
        return Judged.worstFirst(run, failOn).stream()
                .flatMap(one -> one.retuned().map(line -> one.name() + ": " + line).stream())
                .toList();
    }

    private static TextTable table(List<Judged> cases) {
        TextTable table = new TextTable(List.of("case", "effect", "interval", "blocks", "verdict"), "lrrrl");
        for (Judged one : cases) {
            Effect effect = one.result().effect();
            table.add(List.of(
                    one.name(),
                    GateWords.effect(effect),
                    GateWords.interval(effect),
                    effect == null ? "" : Integer.toString(effect.blocks()),
                    GateWords.shown(one)));
        }
        return table;
    }

    private static List<String> told(Judged one) {
        List<String> lines = new ArrayList<>();
        lines.add(one.verdict() + ": " + one.name() + ": " + one.reason());
        List<String> evidence = one.evidence();
        evidence.stream().limit(MOST_EVIDENCE).map(line -> "  " + line).forEach(lines::add);
        if (evidence.size() > MOST_EVIDENCE) {
            lines.add("  (" + (evidence.size() - MOST_EVIDENCE) + " more lines; --report json=FILE has them)");
        }
        return lines;
    }
}
