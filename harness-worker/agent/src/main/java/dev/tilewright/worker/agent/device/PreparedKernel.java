package dev.tilewright.worker.agent.device;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.worker.agent.compile.Assembly;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that can be loaded and launched.
 *
 * @param assembly {@code null} where no assembler takes the text, which the emulator may run all the same
 * @param ptxHash SHA-256 of its text
 * @param files what is told of it; {@code null} where nothing is
 * @param bundle zip of the bundle that it comes from; {@code null} if we built it
 */
public record PreparedKernel(
        LaunchDescription launch,
        @Nullable Assembly assembly,
        String ptxHash,
        @Nullable KernelFiles files,
        byte @Nullable [] bundle) {

    /** A kernel of ours of which no more is told than its hash. */
    public PreparedKernel(LaunchDescription launch, @Nullable Assembly assembly, String ptxHash) {
        this(launch, assembly, ptxHash, null, null);
    }
}
