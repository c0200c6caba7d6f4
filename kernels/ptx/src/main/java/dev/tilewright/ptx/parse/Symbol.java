package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.type.StateSpace;

/**
 * A variable or parameter, under the name it has in the module.
 *
 * @param ofCall whether it is a parameter variable of a call (an argument or a result) and no parameter of a kernel
 */
record Symbol(String name, StateSpace space, boolean ofCall) {
    Symbol(String name, StateSpace space) {
        this(name, space, false);
    }
}
