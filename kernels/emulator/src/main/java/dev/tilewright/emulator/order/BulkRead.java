package dev.tilewright.emulator.order;

/** Asynchronous work that reads shared memory. */
public interface BulkRead {
    /** Its reading. */
    Access reading();

    /** What it reads of; other threads that take part must know of that too. */
    Needs needs();
}
