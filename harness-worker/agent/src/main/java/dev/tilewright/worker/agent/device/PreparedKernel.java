package dev.tilewright.worker.agent.device;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.worker.agent.compile.Assembly;
import org.jspecify.annotations.Nullable;

/**
 * A kernel that can be loaded and launched.
 *
 * @param assembly {@code null} where no assembler takes the text, which the emulator may run all the same
 * @param hash SHA-256 of its text, or of a cubin without one
 * @param files what is told of it; {@code null} where nothing is
 * @param bundle zip of the bundle that it comes from; {@code null} if we built it
 * @param broughtFor what its cubin is compiled for, which has no text; {@code null} of a text
 */
public record PreparedKernel(
        LaunchDescription launch,
        @Nullable Assembly assembly,
        String hash,
        @Nullable KernelFiles files,
        byte @Nullable [] bundle,
        @Nullable GpuTarget broughtFor) {

    /** A kernel of ours of which no more is told than its hash. */
    public PreparedKernel(LaunchDescription launch, @Nullable Assembly assembly, String hash) {
        this(launch, assembly, hash, null, null, null);
    }

    /** The cubin of a bundle. */
    public static PreparedKernel brought(
            LaunchDescription launch, Assembly assembly, GpuTarget compiledFor, byte[] bundle) {
        return new PreparedKernel(launch, assembly, assembly.cubinHash(), null, bundle, compiledFor);
    }
}
