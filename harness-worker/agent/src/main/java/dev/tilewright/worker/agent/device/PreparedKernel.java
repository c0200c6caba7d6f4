package dev.tilewright.worker.agent.device;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.worker.agent.compile.Assembly;
import org.jspecify.annotations.Nullable;

/** A kernel that a device can launch. */
public sealed interface PreparedKernel {

    /** SHA-256 of what tells it from others. */
    String hash();

    /** The files that the service is told of; {@code null} where there are none. */
    @Nullable
    KernelFiles files();

    /** Zip of the bundle that it comes from; {@code null} if it comes from none. */
    byte @Nullable [] bundle();

    /**
     * A kernel that can be loaded.
     *
     * @param assembly {@code null} where no assembler takes the text, which the emulator may run all the same
     * @param hash SHA-256 of its text, or of a cubin without one
     * @param files what is told of it; {@code null} where nothing is
     * @param bundle zip of the bundle that it comes from; {@code null} if we built it
     * @param broughtFor what its cubin is compiled for, which has no text; {@code null} of a text
     */
    record Built(
            LaunchDescription launch,
            @Nullable Assembly assembly,
            String hash,
            @Nullable KernelFiles files,
            byte @Nullable [] bundle,
            @Nullable GpuTarget broughtFor)
            implements PreparedKernel {

        /** A kernel of ours of which no more is told than its hash. */
        public Built(LaunchDescription launch, @Nullable Assembly assembly, String hash) {
            this(launch, assembly, hash, null, null, null);
        }

        /** The cubin of a bundle. */
        public static Built brought(LaunchDescription launch, Assembly assembly, GpuTarget compiledFor, byte[] bundle) {
            return new Built(launch, assembly, assembly.cubinHash(), null, bundle, compiledFor);
        }
    }

    /**
     * An algorithm of a library that is installed beside the GPU: nobody has its text.
     *
     * @param hash SHA-256 of family, config and problem
     */
    record OfLibrary(String family, Config config, String hash) implements PreparedKernel {

        /** For a problem: an algorithm that brings a GPU down for one may do well for another. */
        public OfLibrary(String family, Config config, Problem problem) {
            this(family, config, Sha256.hex(String.join("\n", family, config.canonical(), problem.toString())));
        }

        @Override
        public @Nullable KernelFiles files() {
            return null;
        }

        @Override
        public byte @Nullable [] bundle() {
            return null;
        }
    }
}
