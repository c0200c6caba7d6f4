package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.document.Margins;
import dev.tilewright.worker.cli.capture.PythonModule;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * Compares a program with its baseline: both run beside each other and take turns on the GPU.
 *
 * @param baseline the first of the two that is started
 * @param step {@code MODULE:FUNCTION} that is a step; empty for the outermost call of a module or the replay of a graph
 * @param warmUp steps at first that do not count
 * @param time for all steps behind the warm-up
 * @param patience longest time of the start, and of the steps of a turn
 * @param environment of this process, which the programs get too
 */
public record ProgramComparison(
        ComparedProgram baseline,
        ComparedProgram candidate,
        String step,
        int warmUp,
        Duration time,
        Duration patience,
        Margins margins,
        Map<String, String> environment) {

    /** The rule of {@link #isStep}. */
    public static final String STEP_RULE = "names a function of a module that the program imports, as MODULE:FUNCTION";

    private static final Pattern STEP = Pattern.compile("[A-Za-z_][\\w.]*:[A-Za-z_][\\w.]*");
    private static final long SEED = 1;

    /**
     * The outcome.
     *
     * @param baselinePack hash of the pack that served the baseline; {@code none} if none did
     * @param candidatePack likewise
     */
    public record Outcome(ProgramTimes times, String baselinePack, String candidatePack) {}

    /** Whether a text may name a step. */
    public static boolean isStep(String text) {
        return STEP.matcher(text).matches() && !text.startsWith("__main__:");
    }

    /**
     * Runs both.
     *
     * @throws ProgramFault if one of them does not run to the end of the comparison
     * @throws IOException if there is no room for their files
     */
    public Outcome run() throws IOException, InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create("program")) {
            Path folder = scratch.path().toAbsolutePath();
            Map<String, String> common = new HashMap<>();
            common.put(PythonModule.PATH, PythonModule.path(environment, PythonModule.writeStarter(folder)));
            common.put("TILEWRIGHT_STEP", step);
            try (ProgramInTurns first = started(baseline, folder, common);
                    ProgramInTurns second = started(candidate, folder, common)) {
                ProgramRace race = new ProgramRace(
                        first,
                        second,
                        ProgramRace.RULE,
                        margins,
                        warmUp,
                        ProgramRace.BLOCK,
                        new Random(SEED),
                        System::nanoTime);
                return new Outcome(race.run(time), first.pack(), second.pack());
            }
        }
    }

    private ProgramInTurns started(ComparedProgram program, Path scratch, Map<String, String> common)
            throws IOException, InterruptedException {
        Map<String, String> whole = new HashMap<>(common);
        whole.put(
                RunCommand.PACK,
                program.pack() instanceof ComparedProgram.Given(Path folder) ? RunCommand.variable(folder) : "");
        ProgramInTurns started = ProgramInTurns.start(program, scratch, whole, patience);
        try {
            requirePack(program, started);
            return started;
        } catch (ProgramFault wrong) {
            started.close();
            throw wrong;
        }
    }

    private static void requirePack(ComparedProgram program, ProgramInTurns started) throws ProgramFault {
        boolean none = started.pack().equals("none");
        switch (program.pack()) {
            case ComparedProgram.Given _ -> {
                if (none) {
                    throw new ProgramFault(
                            ProgramFault.Kind.BROKEN, program.name(), "the pack is off" + started.said());
                }
            }
            case ComparedProgram.Without _ -> {
                if (!none) {
                    throw new ProgramFault(
                            ProgramFault.Kind.ENABLES_A_PACK,
                            program.name(),
                            "the program enables the pack " + started.pack()
                                    + " itself: take that out of it, or there is no program without a pack");
                }
            }
            case ComparedProgram.Own _ -> {}
        }
    }
}
