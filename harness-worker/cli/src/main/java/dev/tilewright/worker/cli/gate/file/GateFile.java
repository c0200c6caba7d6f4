package dev.tilewright.worker.cli.gate.file;

import java.util.List;
import java.util.Optional;

/**
 * The content of {@code tilewright.yaml}.
 *
 * @param gate its name
 * @param device {@code auto} or one device
 * @param budgetSeconds of GPU time
 * @param retuneSeconds for which cases that fail are tuned again, all together
 * @param kernels all that it names, candidates and others
 * @param cases kernels times problems, each name once
 * @param programs there is a case or a program
 */
public record GateFile(
        String gate,
        String device,
        Optional<Double> budgetSeconds,
        Optional<Integer> retuneSeconds,
        List<KernelEntry> kernels,
        List<CaseEntry> cases,
        List<ProgramEntry> programs) {

    /** Its usual name. */
    public static final String NAME = "tilewright.yaml";

    public GateFile {
        kernels = List.copyOf(kernels);
        cases = List.copyOf(cases);
        programs = List.copyOf(programs);
    }

    /** The kernel of a name. */
    public Optional<KernelEntry> kernel(String name) {
        return kernels.stream().filter(kernel -> kernel.name().equals(name)).findFirst();
    }

    /** The program of a name. */
    public Optional<ProgramEntry> program(String name) {
        return programs.stream().filter(program -> program.name().equals(name)).findFirst();
    }
}
