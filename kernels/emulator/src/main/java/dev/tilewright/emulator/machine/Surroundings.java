package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.program.Program;
import dev.tilewright.emulator.schedule.StrandScheduler;
import dev.tilewright.emulator.warp.Warp;

/**
 * The surroundings of the strands of a warp: everything that an instruction may reach.
 *
 * @param scheduler who is told when a strand can run
 */
record Surroundings(
        Warp warp, Cta cta, Cluster cluster, Device device, Program program, StrandScheduler<Strand> scheduler) {}
