package dev.tilewright.worker.cli.program;

import dev.tilewright.gate.document.Margins;
import dev.tilewright.worker.cli.capture.PythonModule;
import dev.tilewright.worker.link.process.GpuTurn;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * Compares a program with its baseline: both run beside each other and take turns on the GPU.
 *
 * @param baseline the first of the two that is started
 * @param warmUp steps at first that do not count
 * @param time for all steps behind the warm-up
 * @param patience longest time of the start, and of the steps of a turn
 * @param needsGpu whether a program that uses no GPU is a fault
 * @param environment of this process, which the programs get too
 * @param notices is told of waits, a line each
 */
public record ProgramComparison(
        ComparedProgram baseline,
        ComparedProgram candidate,
        int warmUp,
        Duration time,
        Duration patience,
        Margins margins,
        boolean needsGpu,
        Map<String, String> environment,
        Consumer<String> notices) {

    private static final String WAITS = "another process of this machine measures on the GPU, such as a worker: it ends"
            + " its piece of work first";

    /** The rule of {@link #isStep}. */
    public static final String STEP_RULE = "names a function of a module that the program imports, as MODULE:FUNCTION";

    private static final Pattern STEP = Pattern.compile("[A-Za-z_][\\w.]*:[A-Za-z_][\\w.]*");
    private static final long SEED = 1;

    /**
     * The outcome.
     *
     * @param baselinePack hash of the pack that served the baseline; {@code none} if none did
     * @param candidatePack likewise
     * @param gpu name of the GPU that the candidate uses; {@code none} if it uses none
     */
    public record Outcome(ProgramTimes times, String baselinePack, String candidatePack, String gpu) {}

    /** Whether a text may name a step. */
    public static boolean isStep(String text) {
        return STEP.matcher(text).matches() && !text.startsWith("__main__:");
    }

    /**
     * Runs both. No worker of this machine measures on the GPU meanwhile, but for the start of the first.
     *
     * @throws ProgramFault if one of them does not run to the end of the comparison
     * @throws IOException if there is no room for their files
     */
    public Outcome run() throws IOException, InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create("program")) {
            Path folder = scratch.path().toAbsolutePath();
            String path = PythonModule.path(environment, PythonModule.writeStarter(folder));
            try (ProgramInTurns first = started(baseline, folder, path);
                    GpuTurn _ = turn(first);
                    ProgramInTurns second = started(candidate, folder, path)) {
                ProgramRace race = new ProgramRace(
                        first,
                        second,
                        ProgramRace.RULE,
                        margins,
                        warmUp,
                        ProgramRace.BLOCK,
                        new Random(SEED),
                        System::nanoTime);
                return new Outcome(race.run(time), first.pack(), second.pack(), second.gpu());
            }
        }
    }

    /**
     * The reason for which a fault of the candidate may say nothing of it: alone it takes as many steps, or the
     * baseline fails as well. Runs both again, one behind the other.
     *
     * @return empty if the candidate alone is at fault
     * @throws IOException if there is no room for their files
     */
    public Optional<String> excuse(ProgramFault fault) throws IOException, InterruptedException {
        if (faultAlone(candidate, fault.steps()).isEmpty()) {
            return Optional.of("alone it takes as many steps: both must fit on the GPU");
        }
        return faultAlone(baseline, fault.steps()).map(other -> "alone the baseline fails as well: " + other.reason());
    }

    private Optional<ProgramFault> faultAlone(ComparedProgram program, int steps)
            throws IOException, InterruptedException {
        try (ScratchDirectory scratch = ScratchDirectory.create("program")) {
            Path folder = scratch.path().toAbsolutePath();
            String path = PythonModule.path(environment, PythonModule.writeStarter(folder));
            try (ProgramInTurns alone = started(program, folder, path);
                    GpuTurn _ = turn(alone)) {
                if (steps > 0) {
                    alone.run(Arm.Turn.anywhere(steps));
                }
                return Optional.empty();
            } catch (ProgramFault again) {
                return Optional.of(again);
            }
        }
    }

    private GpuTurn turn(ProgramInTurns program) throws InterruptedException {
        if (!program.gpu().equals(ProgramInTurns.NO_GPU) && program.uuid().equals(ProgramInTurns.NO_GPU)) {
            notices.accept("this PyTorch does not tell which GPU the program uses: a worker on it is not held");
        }
        GpuTurn turn = GpuTurn.take(program.uuid(), () -> notices.accept(WAITS));
        turn.unlocked().ifPresent(notices);
        return turn;
    }

    private ProgramInTurns started(ComparedProgram program, Path scratch, String path)
            throws IOException, InterruptedException {
        Map<String, String> whole = new HashMap<>(environment);
        whole.put(PythonModule.PATH, path);
        whole.put("TILEWRIGHT_STEP", program.step());
        whole.put(
                RunCommand.PACK,
                program.pack() instanceof ComparedProgram.Given(Path folder) ? RunCommand.variable(folder) : "");
        ProgramInTurns started = ProgramInTurns.start(program, scratch, whole, patience);
        try {
            require(program, started);
            return started;
        } catch (ProgramFault wrong) {
            started.close();
            throw wrong;
        }
    }

    private void require(ComparedProgram program, ProgramInTurns started) throws ProgramFault {
        if (needsGpu && started.gpu().equals(ProgramInTurns.NO_GPU)) {
            throw new ProgramFault(
                    ProgramFault.Kind.WITHOUT_A_GPU, program.name(), 0, "the program uses no GPU", Optional.empty());
        }
        boolean none = started.pack().equals("none");
        switch (program.pack()) {
            case ComparedProgram.Given _ -> {
                if (none) {
                    throw new ProgramFault(
                            ProgramFault.Kind.BROKEN, program.name(), 0, "the pack is off", started.lastLines());
                }
            }
            case ComparedProgram.Without _ -> {
                if (!none) {
                    throw new ProgramFault(
                            ProgramFault.Kind.ENABLES_A_PACK,
                            program.name(),
                            0,
                            "the program enables the pack " + started.pack()
                                    + " itself: take that out of it, or there is no program without a pack",
                            Optional.empty());
                }
            }
            case ComparedProgram.Own _ -> {}
        }
    }
}
