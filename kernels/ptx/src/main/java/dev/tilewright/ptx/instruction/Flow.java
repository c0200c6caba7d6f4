package dev.tilewright.ptx.instruction;

/** What decides where a thread goes on, with what calls need beside it. */
public sealed interface Flow extends Instruction permits Control, FunctionCall, IndirectCall {}
