package dev.tilewright.worker.compile.child;

import dev.tilewright.worker.compile.link.AssemblerReply;

/** A library that assembles PTX inside this process. */
public interface PtxLibrary {

    /**
     * Loads it.
     *
     * @return {@code Ready} with its version, or {@code Unusable} with the reason
     */
    AssemblerReply open();

    /** Assembles one text; never {@code Ready} or {@code Unusable}. */
    AssemblerReply assemble(String ptx, String target);
}
