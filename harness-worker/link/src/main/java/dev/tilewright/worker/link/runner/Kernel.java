package dev.tilewright.worker.link.runner;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.worker.link.Cubin;

/**
 * An assembled kernel and how it is launched.
 *
 * @param cubin the module; it has the entry that the launch names, or one alone
 * @param registers registers a thread, as the assembler said; the runner compares them with what it reads back. 0 if no
 *     assembler saw it
 */
public record Kernel(Cubin cubin, LaunchDescription launch, int registers) {}
