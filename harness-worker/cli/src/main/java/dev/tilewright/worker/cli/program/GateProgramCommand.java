package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.model.text.FileFault;
import dev.tilewright.worker.cli.Printer;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gate program}: whether a program is faster with a pack, from end to end. */
@Command(
        name = "program",
        description = "Run a program that uses PyTorch with a pack and without one, some steps at a time in alternation"
                + " on the same GPU, and say how much faster it is from end to end.",
        footer = {
            "",
            "The program runs twice, and both must fit on the GPU. A step ends with the outermost call of a module or"
                    + " the replay of a graph. Exit codes: 0 not slower, 1 slower by more than --fail, 3 the steps do"
                    + " not tell, 4 the program fails."
        })
public final class GateProgramCommand implements Callable<Integer> {

    @Option(
            names = "--pack",
            paramLabel = "DIR",
            description = "Folder that tilewright apply wrote (default: ${DEFAULT-VALUE}).")
    private Path pack = Path.of("pack");

    @Option(
            names = "--step",
            paramLabel = "MODULE:FUNCTION",
            description = "The function that is a step, such as engine.core:Engine.step (default: the outermost call of"
                    + " a torch.nn.Module, or the replay of a graph).")
    private String step = "";

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Steps at first that do not count (default: ${DEFAULT-VALUE}).")
    private int warmUp = 10;

    @Option(
            names = "--fail",
            paramLabel = "PERCENT",
            description = "A program that is slower by more fails; half of it warns (default: ${DEFAULT-VALUE}).")
    private double fail = 1;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "Time for all steps behind the warm-up (default: ${DEFAULT-VALUE}).")
    private int seconds = 300;

    @Option(
            names = "--patience",
            paramLabel = "SECONDS",
            description = "Longest time of the start, and of the steps of a turn (default: ${DEFAULT-VALUE}).")
    private int patience = 900;

    @Parameters(arity = "0..*", paramLabel = "PROGRAM", description = "The program with its arguments.")
    private List<String> program = new ArrayList<>();

    private final Map<String, String> environment;
    private final Printer out;
    private final PrintStream err;

    /**
     * @param environment of this process, which the program gets too
     * @param out the verdict
     * @param err progress
     */
    public GateProgramCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = Printer.of(environment, out);
        this.err = err;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (program.isEmpty()) {
            throw CommandFailedException.usage("the program is missing; name it behind --, such as: tilewright gate"
                    + " program --pack pack -- python program.py");
        }
        if (!step.isEmpty() && !ProgramComparison.isStep(step)) {
            throw CommandFailedException.usage("--step: " + ProgramComparison.STEP_RULE + ", got '" + step + "'");
        }
        Syntax.requirePositive("--warm-up", warmUp);
        Syntax.requirePositive("--seconds", seconds);
        Syntax.requirePositive("--patience", patience);
        RunCommand.requirePack("--pack", pack);
        Margins margins = Syntax.read("--fail", Double.toString(fail), _ -> new Margins(fail / 2, fail));
        err.println("tilewright gate program: starting the program without the pack, then with it");
        Path here = Path.of("").toAbsolutePath();
        try {
            ProgramComparison.Outcome outcome = new ProgramComparison(
                            new ComparedProgram("without the pack", program, here, step, new ComparedProgram.Without()),
                            new ComparedProgram("with the pack", program, here, step, new ComparedProgram.Given(pack)),
                            warmUp,
                            Duration.ofSeconds(seconds),
                            Duration.ofSeconds(patience),
                            margins,
                            false,
                            environment,
                            err::println)
                    .run();
            lines(outcome.times(), outcome.candidatePack()).forEach(out::println);
            return exit(outcome.times()).code();
        } catch (ProgramFault fault) {
            throw new CommandFailedException(
                    fault.kind() == ProgramFault.Kind.ENABLES_A_PACK ? ExitCode.USAGE : ExitCode.INFRASTRUCTURE,
                    String.valueOf(fault.getMessage()));
        } catch (IOException failed) {
            throw new CommandFailedException(ExitCode.INFRASTRUCTURE, FileFault.reason(failed));
        }
    }

    /**
     * The report.
     *
     * @param hash of the pack
     */
    static List<String> lines(ProgramTimes seen, String hash) {
        List<String> lines = new ArrayList<>();
        lines.add(seen.medians("without the pack", "with pack " + hash));
        Effect effect = seen.effect().effect();
        if (effect != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%.2f %% %s [%.2f, %.2f] from end to end, in %d blocks",
                    Math.abs(gain(effect.percent())),
                    gain(effect.percent()) < 0 ? "slower" : "faster",
                    gain(effect.high()),
                    gain(effect.low()),
                    effect.blocks()));
        }
        lines.add("effect: "
                + (effect == null ? seen.effect().reason() : "time of a step " + StageDecision.words(effect)));
        lines.addAll(seen.sentinels());
        GateVerdict verdict = seen.decision().verdict();
        lines.add((verdict == GateVerdict.INCONCLUSIVE ? "no verdict: " : "verdict: " + verdict + ", ")
                + seen.decision().reason());
        return lines;
    }

    /** By how much steps are more in the same time, in percent. */
    private static double gain(double percentLonger) {
        return 100 * (100 / (100 + percentLonger) - 1);
    }

    static ExitCode exit(ProgramTimes seen) {
        return switch (seen.decision().verdict()) {
            case PASS, WARN, FASTER, UNCHANGED_BINARY -> ExitCode.OK;
            case FAIL -> ExitCode.NEGATIVE;
            case INCONCLUSIVE, INVALID -> ExitCode.INCONCLUSIVE;
        };
    }
}
