package dev.tilewright.worker.cli;

import dev.tilewright.gemm.sm100.Ladder;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ladder}: the steps from the simplest kernel to the whole of a family, and the PTX of each. */
@Command(
        name = "ladder",
        description = "List the steps from the simplest kernel to the whole of a family, or print the PTX of one.",
        footer = {"", "What a step adds: diff <(tilewright ladder v2) <(tilewright ladder v3)"})
public final class LadderCommand implements Callable<Integer> {

    /** Names of the steps, for completion. */
    static final class Names extends CompletionNames {
        Names() {
            super(() -> Ladder.steps().stream().map(Ladder.Step::name));
        }
    }

    @Parameters(
            arity = "0..1",
            paramLabel = "STEP",
            completionCandidates = Names.class,
            description = "Print the PTX of this step: ${COMPLETION-CANDIDATES}; none lists the steps.")
    private @Nullable String step;

    private final PrintStream out;

    /** @param out the steps, or the text of a kernel */
    public LadderCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        List<Ladder.Step> steps = Ladder.steps();
        if (step == null) {
            steps.forEach(each -> out.println(line(each)));
        } else {
            out.print(named(steps, step).build(false).text());
        }
        return ExitCode.OK.code();
    }

    private static String line(Ladder.Step step) {
        String changes = step.changes().entrySet().stream()
                .map(change -> change.getKey() + "=" + change.getValue())
                .collect(Collectors.joining(" "));
        return String.format(Locale.ROOT, "%s  %-75s  %s", step.name(), step.idea(), changes)
                .stripTrailing();
    }

    private static Ladder.Step named(List<Ladder.Step> steps, String name) {
        return steps.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> CommandFailedException.usage("STEP: unknown step '" + name + "'; known: "
                        + steps.stream().map(Ladder.Step::name).collect(Collectors.joining(", "))));
    }
}
