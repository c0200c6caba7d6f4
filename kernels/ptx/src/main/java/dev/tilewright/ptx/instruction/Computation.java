package dev.tilewright.ptx.instruction;

/** An instruction that computes registers of a thread from registers of the same thread, without side effects. */
public sealed interface Computation extends Instruction
        permits Arithmetic, BitField, CarryArithmetic, Compare, Convert, FloatMath, Move {}
