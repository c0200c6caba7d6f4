package dev.tilewright.emulator.warp;

import java.util.function.IntFunction;

/**
 * The resources that each CTA of a launch takes.
 *
 * @param threads of a CTA
 * @param registersPerThread that a warp owns at the start
 * @param registers where those of a warp lie
 * @param localBytes of each thread
 * @param sharedBytes end of the shared memory
 * @param sharedNames what lies at an address of shared memory, for people
 * @param text the program, for evidence
 */
public record Footprint(
        int threads,
        int registersPerThread,
        RegisterMap registers,
        int localBytes,
        int sharedBytes,
        IntFunction<String> sharedNames,
        ProgramText text) {}
