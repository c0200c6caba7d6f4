package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.type.StateSpace;

/**
 * A variable or parameter, under the name it has in the module.
 *
 * @param place it is a place for an argument or result of a call, not a parameter of a kernel
 */
record Symbol(String name, StateSpace space, boolean place) {
    Symbol(String name, StateSpace space) {
        this(name, space, false);
    }
}
