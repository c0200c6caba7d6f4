package dev.tilewright.ptx;

import dev.tilewright.ptx.type.Suffix;

/** The visibility of a kernel, function or variable to other modules. PTX 11.6. */
public enum Linkage implements Suffix {
    /** Visible only in its module; written as nothing. */
    LOCAL,
    /** Other modules too. */
    VISIBLE,
    /** Other modules too; one of several of that name stands for all. */
    WEAK,
    /** Defined in another module. */
    EXTERN,
    /** Variables alone: all of that name are one. */
    COMMON
}
