package dev.tilewright.ptx.instruction;

/** What compilers and other writers emit beside the forms of our builders. */
public sealed interface Ordinary extends Instruction
        permits BitField, CarryArithmetic, SetCompare, AsyncCopy, FunctionCall, WarpExchange {}
