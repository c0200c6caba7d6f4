package dev.tilewright.ptx.type;

/** Rounding of a result. The ...I forms round to an integer. */
public enum Rounding {
    NONE(""),
    RN(".rn"),
    RZ(".rz"),
    RM(".rm"),
    RP(".rp"),
    RNI(".rni"),
    RZI(".rzi"),
    RMI(".rmi"),
    RPI(".rpi"),
    APPROX(".approx");

    private final String ptx;

    Rounding(String ptx) {
        this.ptx = ptx;
    }

    public String ptx() {
        return ptx;
    }
}
