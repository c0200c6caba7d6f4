package dev.tilewright.worker.trial;

import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.PreparedKernel;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A config on its way from parameters to a cubin. */
public sealed interface Preparation {

    /** Wall time spent in {@code build} and {@code assemble}, in nanoseconds. */
    Map<String, Long> timesNs();

    /**
     * It can be run.
     *
     * @param traced {@code null} if the device does not need it, or it could not be had
     * @param log what is worth knowing nevertheless; often empty
     */
    record Ready(PreparedKernel kernel, @Nullable PreparedKernel traced, Map<String, Long> timesNs, String log)
            implements Preparation {

        /** What the assembler said. */
        public Compilation compilation() {
            return Preparation.compilation(kernel);
        }
    }

    /**
     * It cannot be run.
     *
     * @param compilation {@code null} if there is no cubin
     */
    record Failed(TrialOutcome outcome, @Nullable Compilation compilation, Map<String, Long> timesNs, String log)
            implements Preparation {}

    /** What the assembler said of a kernel. */
    static Compilation compilation(PreparedKernel kernel) {
        return new Compilation(
                kernel.assembly().registers(),
                kernel.assembly().spillBytes(),
                kernel.assembly().staticSharedBytes() + kernel.launch().dynamicSharedBytes(),
                kernel.ptxHash(),
                kernel.assembly().cubinHash());
    }
}
