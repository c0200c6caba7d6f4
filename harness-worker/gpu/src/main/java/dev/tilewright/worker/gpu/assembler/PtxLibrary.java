package dev.tilewright.worker.gpu.assembler;

import dev.tilewright.worker.link.assembler.AssemblerReply;

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
