package dev.tilewright.ptx.type;

/** Rounding of a result. The ...I forms round to an integer. */
public enum Rounding implements Suffix {
    NONE,
    RN,
    RZ,
    RM,
    RP,
    RNI,
    RZI,
    RMI,
    RPI,
    APPROX,
    /** At most 2 ulp wrong over the full range. */
    FULL;

    /** True if it rounds to a float in one of the four directions of IEEE 754. */
    public boolean ieee() {
        return this == RN || this == RZ || this == RM || this == RP;
    }

    /** True if it rounds to an integer. */
    public boolean integral() {
        return this == RNI || this == RZI || this == RMI || this == RPI;
    }
}
