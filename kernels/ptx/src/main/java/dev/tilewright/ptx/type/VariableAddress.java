package dev.tilewright.ptx.type;

/**
 * {@code [symbol+offset]} of a variable in shared, global, constant or local memory, or of a parameter. Our builders do
 * not make it.
 */
public record VariableAddress(StateSpace space, String symbol, int offset) implements Address {}
