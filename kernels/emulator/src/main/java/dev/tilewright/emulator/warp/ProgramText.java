package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Manner;

/** The part of a program that evidence needs: the site of an instruction, and how it accesses memory. */
public interface ProgramText {
    /**
     * The site of an instruction that a thread executed.
     *
     * @param pc index of the instruction in the program
     * @param cta linear id in the grid
     * @param rank of the CTA in its cluster
     */
    Site site(int pc, int cta, int rank, int warp, int lane);

    /** Line and text of an instruction. */
    String quote(int pc);

    /** How an instruction accesses memory. */
    Manner manner(int pc);
}
