package dev.tilewright.ptx.instruction;

/** What makes registers of a thread from registers of the same thread, and does nothing else. */
public sealed interface Computation extends Instruction
        permits Arithmetic, BitField, CarryArithmetic, Compare, Convert, FloatMath, Move {}
