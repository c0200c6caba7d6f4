package dev.tilewright.worker.cli.gate.file;

import dev.tilewright.gate.document.Margins;
import java.util.List;

/**
 * One kernel on one problem, beside its baseline.
 *
 * @param name {@code KERNEL/PROBLEM}
 * @param weight of its effect in the mean
 * @param accept rules of the emulator that it may break
 */
public record CaseEntry(
        String name,
        KernelEntry kernel,
        ProblemEntry problem,
        BaselineEntry baseline,
        Margins margins,
        double weight,
        List<String> accept) {

    public CaseEntry {
        accept = List.copyOf(accept);
    }
}
