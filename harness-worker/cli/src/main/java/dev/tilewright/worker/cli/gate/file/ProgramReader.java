package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.gate.document.Margins;
import dev.tilewright.launch.document.Complaints;
import dev.tilewright.launch.document.Node;
import dev.tilewright.worker.cli.program.ProgramComparison;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a program: its words, and how it is compared. */
record ProgramReader(Complaints complaints) {

    private static final int USUAL_WARM_UP = 10;
    private static final int MOST_WARM_UP = 1_000_000;
    private static final int USUAL_SECONDS = 300;
    private static final int MOST_SECONDS = 86_400;

    /**
     * Reads one.
     *
     * @param baseline its own, or that of the file; empty if there is none, or if it is wrong
     */
    Optional<ProgramEntry> read(
            String name, Node.Mapping program, Optional<BaselineEntry> baseline, Margins margins, double weight) {
        complaints.only(program, List.of("run", "pack", "step", "warmUp", "seconds", "baseline", "margins", "weight"));
        Optional<List<String>> run = complaints.get(program, "run", this::words);
        Optional<String> pack = complaints.find(program, "pack", KernelReader::path);
        String step = complaints.find(program, "step", ProgramReader::step).orElse("");
        int warmUp = complaints
                .find(program, "warmUp", value -> value.small(1, MOST_WARM_UP))
                .orElse(USUAL_WARM_UP);
        int seconds = complaints
                .find(program, "seconds", value -> value.small(1, MOST_SECONDS))
                .orElse(USUAL_SECONDS);
        Optional<BaselineEntry.OfCommit> ofCommit = ofCommit(program, baseline);
        return run.flatMap(words -> ofCommit.map(commit -> new ProgramEntry(
                name,
                words,
                pack,
                step,
                warmUp,
                Duration.ofSeconds(seconds),
                commit,
                margins,
                weight,
                program.at().line())));
    }

    private Optional<BaselineEntry.OfCommit> ofCommit(Node.Mapping program, Optional<BaselineEntry> baseline) {
        if (baseline.isEmpty()) {
            if (program.find("baseline").isEmpty()) {
                complaints.add(program, "needs the key 'baseline', here or for all cases");
            }
            return Optional.empty();
        }
        return switch (baseline.get()) {
            case BaselineEntry.OfCommit commit -> Optional.of(commit);
            case BaselineEntry.Run _, BaselineEntry.LastPass _, BaselineEntry.OtherKernel _ -> {
                complaints.add(
                        program.find("baseline").orElse(program),
                        "the baseline of a program is a branch, a tag or a commit: no service keeps programs; name one"
                                + " here");
                yield Optional.empty();
            }
        };
    }

    private List<String> words(Node node) {
        List<Node> items = node.items();
        if (items.isEmpty()) {
            throw node.at().wrong("must begin with a program, such as [python, decode.py], got " + node.shown());
        }
        List<String> words = new ArrayList<>(List.of(KernelReader.word(items.getFirst())));
        items.subList(1, items.size()).forEach(item -> words.add(BaselineReader.text(item)));
        return words;
    }

    private static String step(Node node) {
        String text = KernelReader.word(node);
        if (!ProgramComparison.isStep(text)) {
            throw node.at().wrong(ProgramComparison.STEP_RULE + ", got " + node.shown());
        }
        return text;
    }
}
