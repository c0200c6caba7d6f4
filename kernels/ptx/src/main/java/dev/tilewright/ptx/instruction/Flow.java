package dev.tilewright.ptx.instruction;

/** Control flow: branches and calls, with the declarations that calls need. */
public sealed interface Flow extends Instruction permits Control, FunctionCall, IndirectCall {}
