package dev.tilewright.worker.agent.trial;

import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.compile.Assembly;
import dev.tilewright.worker.agent.device.PreparedKernel;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A config on its way from parameters to a cubin. */
public sealed interface Preparation {

    /** Wall time spent in {@code build}, {@code assemble} and {@code check}, in nanoseconds. */
    Map<String, Long> timesNs();

    /** The emulator's check from before the first run; {@code null} if no check was asked for. */
    default @Nullable Checked checked() {
        return null;
    }

    /**
     * It can be run.
     *
     * @param traced {@code null} if the device does not need it, or it could not be had
     * @param log what is worth knowing nevertheless; often empty
     */
    record Ready(
            PreparedKernel kernel,
            @Nullable PreparedKernel traced,
            @Nullable Checked checked,
            Map<String, Long> timesNs,
            String log)
            implements Preparation {

        /** The report of the assembler. */
        public @Nullable Compilation compilation() {
            return Preparation.compilation(kernel);
        }
    }

    /**
     * No assembler takes the text: no GPU can run it, but the emulator may.
     *
     * @param log why not
     */
    record Unassembled(PreparedKernel kernel, Map<String, Long> timesNs, String log) implements Preparation {}

    /**
     * It cannot be run: what came of its trial is known.
     *
     * @param files of the kernel; {@code null} if there is no cubin
     */
    record Failed(TrialResult result, @Nullable KernelFiles files) implements Preparation {

        /**
         * Without a run.
         *
         * @param checked {@code null} if the emulator was not asked
         */
        private Failed(
                TrialOutcome outcome,
                @Nullable Compilation compilation,
                @Nullable Checked checked,
                Map<String, Long> timesNs,
                String log,
                @Nullable KernelFiles files) {
            this(new TrialResult(outcome, null, compilation, null, List.of(), null, checked, timesNs, log), files);
        }

        /** Without a cubin. */
        Failed(TrialOutcome outcome, Map<String, Long> timesNs, String log) {
            this(outcome, null, null, timesNs, log, null);
        }

        /** With one. */
        Failed(
                TrialOutcome outcome,
                PreparedKernel kernel,
                @Nullable Checked checked,
                Map<String, Long> timesNs,
                String log) {
            this(outcome, Preparation.compilation(kernel), checked, timesNs, log, kernel.files());
        }

        @Override
        public Map<String, Long> timesNs() {
            return result.timesNs();
        }
    }

    /** The report of the assembler on a kernel; {@code null} if no assembler ran. */
    static @Nullable Compilation compilation(PreparedKernel kernel) {
        return switch (kernel) {
            case PreparedKernel.Built built -> compilation(built);
            case PreparedKernel.OfLibrary _ -> null;
        };
    }

    private static @Nullable Compilation compilation(PreparedKernel.Built kernel) {
        Assembly assembly = kernel.assembly();
        return assembly == null || kernel.broughtFor() != null
                ? null
                : new Compilation(
                        assembly.registers(),
                        assembly.spillBytes(),
                        assembly.staticSharedBytes() + kernel.launch().dynamicShared(),
                        kernel.hash(),
                        assembly.cubinHash());
    }
}
