package dev.tilewright.worker.agent.trial;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.launch.bundle.GpuTarget;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.parse.DelayedText;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import org.jspecify.annotations.Nullable;

/** Where the kernel of a config comes from, and how it is launched. */
@FunctionalInterface
public interface KernelSource {

    /**
     * The kernel of a config for a problem.
     *
     * @param traced whether to give the twin that records its tiles
     * @throws IllegalArgumentException with the reason if there is none
     */
    Made kernel(String family, Problem problem, Config config, DeviceLimits limits, boolean traced);

    /** A kernel, and how it is launched. */
    sealed interface Made {

        /** Whether launches of it overlap. */
        boolean launchOverlap();

        /**
         * The same with a wait in front, which {@link DelayedText#VARIABLE} sets.
         *
         * @throws IllegalArgumentException if there is no text, or it has a wait already
         */
        Made delayed();
    }

    /** An algorithm of a library, which the worker of a GPU finds there. */
    record OfLibrary(String family, Config config) implements Made {
        @Override
        public boolean launchOverlap() {
            return false;
        }

        @Override
        public Made delayed() {
            throw new IllegalArgumentException(FamilySpace.noText(family) + ": no wait can be put in front of one");
        }
    }

    /**
     * A cubin of a bundle: nobody can look into it.
     *
     * @param file of the bundle
     * @param bundle its zip
     */
    record Brought(String file, GpuTarget compiledFor, byte[] cubin, LaunchDescription launch, byte[] bundle)
            implements Made {
        @Override
        public boolean launchOverlap() {
            return launch.launchOverlap();
        }

        @Override
        public Made delayed() {
            throw new IllegalArgumentException(file + " is a cubin: no wait can be put in front of it");
        }
    }

    /**
     * A kernel as text.
     *
     * @param target that it is assembled for, such as {@code sm_90a}
     * @param bundle zip of the bundle that it comes from; {@code null} if we built it
     */
    record Written(String ptx, String target, LaunchDescription launch, byte @Nullable [] bundle) implements Made {
        @Override
        public boolean launchOverlap() {
            return launch.launchOverlap();
        }

        @Override
        public Written delayed() {
            String entry = launch.entry().orElseThrow(() -> new IllegalArgumentException("a launch without an entry"));
            return new Written(DelayedText.of(ptx, entry), target, launch, bundle);
        }
    }
}
