package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B64;

/**
 * {@code [base+offset]} in local or constant memory, or among the parameters of the kernel. Our builders do not make
 * it.
 */
public record RegisterAddress(StateSpace space, Reg<B64> base, int offset) implements Address.InRegister {}
