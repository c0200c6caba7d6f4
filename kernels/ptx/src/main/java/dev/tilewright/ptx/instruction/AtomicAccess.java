package dev.tilewright.ptx.instruction;

/** An atomic or a reduction of one thread, which reads and writes memory in one step before the thread goes on. */
public sealed interface AtomicAccess extends Instruction
        permits Memory.Atomic, Memory.Reduce, MemoryAccess.Atomic, Synchronisation.Exchange128 {}
