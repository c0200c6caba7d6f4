package dev.tilewright.worker.cli.gate.report;

import dev.tilewright.gate.decision.GateExit.FailOn;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.model.text.Count;
import dev.tilewright.worker.link.text.PlainText;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A comment on a pull request: the summary first, then every failure, then the rest as far as it fits, and what did not
 * fit is said. Its first line is always the same for a gate, so that a workflow finds the comment of before.
 */
record MarkdownComment(GateRun run, FailOn failOn) {

    /** GitHub takes 65,536 characters. */
    static final int MOST_CHARACTERS = 65_000;

    private static final int MOST_REASON = 300;
    private static final int SHORT_REASON = 60;
    private static final int MOST_EVIDENCE = 2_000;

    /** A text of limited length, and the part that is written. */
    private static final class Page {
        private final StringBuilder text = new StringBuilder();

        /** Adds lines if they fit and leave so much room. */
        private boolean add(String lines, int room) {
            if (text.length() + lines.length() + 1 > MOST_CHARACTERS - room) {
                return false;
            }
            text.append(lines).append('\n');
            return true;
        }
    }

    /** Room for what is said of what was left out. */
    private static final int LAST_WORDS = 400;

    String text() {
        Page page = new Page();
        page.add(summary(), 0);
        List<Judged> all = Judged.worstFirst(run, failOn);
        List<Judged> failing = all.stream().filter(Judged::fails).toList();
        List<Judged> others = all.stream().filter(one -> !one.fails()).toList();
        rows(page, "Failures", failing);
        // Their evidence comes before those that did not fail: it is what a reader looks for.
        int told = 0;
        for (Judged one : failing) {
            if (!page.add(evidence(one), LAST_WORDS)) {
                break;
            }
            told++;
        }
        rows(page, failing.isEmpty() ? "Cases" : "Other cases", others);
        if (told < failing.size()) {
            page.add(
                    "The evidence of " + (failing.size() - told)
                            + " failures did not fit; `--report json=FILE` has all of it.",
                    0);
        }
        return page.text.toString();
    }

    private String summary() {
        GateWords words = new GateWords(run, failOn);
        String origin =
                words.origin().stream().map(line -> "* " + escaped(line)).collect(Collectors.joining("\n"));
        String commit = run.commit() == null ? "" : " of `" + escaped(run.commit()) + "`";
        return """
                <!-- tilewright-gate:%s -->
                ### Gate `%s` %s

                %s%s: %s

                %s
                * %s
                """.formatted(
                        run.gate(),
                        run.gate(),
                        words.verdict(),
                        words.counts(),
                        commit,
                        GateWords.cut(escaped(words.reason()), 2 * MOST_REASON),
                        origin,
                        words.stored("`" + run.id() + "`"));
    }

    /**
     * A table of cases: with reasons if all of them fit, else with shorter ones, else names alone, else as far as it
     * fits.
     */
    private static void rows(Page page, String title, List<Judged> cases) {
        if (cases.isEmpty()) {
            return;
        }
        String head =
                "#### " + title + "\n\n| case | effect | interval | verdict | why |\n| --- | ---: | --- | --- | --- |";
        for (int reason : List.of(MOST_REASON, SHORT_REASON, 0)) {
            String whole = cases.stream().map(one -> row(one, reason)).collect(Collectors.joining("\n"));
            if (page.add(head + "\n" + whole + "\n", LAST_WORDS)) {
                return;
            }
        }
        String names = cases.stream()
                .map(one -> escaped(
                                one.name() + " " + GateWords.effect(one.result().effect()))
                        .strip())
                .collect(Collectors.joining(", "));
        if (page.add("#### " + title + "\n\n" + names + "\n", LAST_WORDS)) {
            return;
        }
        page.add(head, LAST_WORDS);
        long shown = cases.stream()
                .takeWhile(one -> page.add(row(one, 0), LAST_WORDS))
                .count();
        page.add(
                "\n" + (cases.size() - shown) + " more of " + Count.of(cases.size(), "case")
                        + " did not fit; `--report json=FILE` has them.\n",
                0);
    }

    private static String row(Judged one, int reason) {
        return Stream.of(
                        one.name(),
                        GateWords.effect(one.result().effect()),
                        GateWords.interval(one.result().effect()),
                        GateWords.shown(one),
                        reason == 0 ? "" : GateWords.cut(one.reason(), reason))
                .map(MarkdownComment::escaped)
                .collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String evidence(Judged one) {
        String kernels = Stream.of(one.result().candidate(), one.result().baseline())
                .map(CaseResult.Side::kernel)
                .map(PlainText::line)
                .collect(Collectors.joining("\nbeside "));
        String lines = Stream.concat(kernels.lines(), one.evidence().stream()).collect(Collectors.joining("\n"));
        return "<details><summary>" + escaped(one.name()) + "</summary>\n\n```\n"
                + GateWords.cut(lines, MOST_EVIDENCE).replace("```", "'''") + "\n```\n</details>\n";
    }

    /** Escapes text of kernels and people, so that Markdown in it has no effect. */
    private static String escaped(String text) {
        return PlainText.line(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("|", "\\|")
                .replace("`", "'")
                .replace("@", "&#64;");
    }
}
