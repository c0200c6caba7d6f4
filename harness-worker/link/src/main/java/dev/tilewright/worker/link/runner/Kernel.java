package dev.tilewright.worker.link.runner;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.link.Cubin;
import java.util.Optional;

/** A kernel that a runner with a GPU can launch. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Kernel.Assembled.class, name = "assembled"),
    @JsonSubTypes.Type(value = Kernel.OfLibrary.class, name = "ofLibrary")
})
public sealed interface Kernel {

    /** How it is launched and what comes of it; empty of a problem that a library computes by itself. */
    Optional<LaunchDescription> launch();

    /**
     * An assembled kernel and how it is launched.
     *
     * @param cubin the module; it has the entry that the launch names, or one alone
     * @param registers registers a thread, as the assembler said; the runner compares them with what it reads back. 0
     *     if no assembler saw it
     */
    record Assembled(Cubin cubin, LaunchDescription described, int registers) implements Kernel {
        @Override
        public Optional<LaunchDescription> launch() {
            return Optional.of(described);
        }
    }

    /**
     * An algorithm of a library that is installed beside the GPU; it computes the problem.
     *
     * @param family of the library's kernels
     * @param config which algorithm it is
     */
    record OfLibrary(String family, Config config) implements Kernel {
        @Override
        public Optional<LaunchDescription> launch() {
            return Optional.empty();
        }
    }
}
