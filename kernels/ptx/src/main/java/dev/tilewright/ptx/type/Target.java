package dev.tilewright.ptx.type;

/** The GPU a module is assembled for, and the limits of it that a kernel must keep. */
public enum Target {
    SM_90("sm_90", 90, false, new IsaVersion(7, 8)),
    SM_90A("sm_90a", 90, true, new IsaVersion(8, 0)),
    SM_100("sm_100", 100, false, new IsaVersion(8, 6)),
    SM_100A("sm_100a", 100, true, new IsaVersion(8, 6));

    private final String ptx;
    private final int capability;
    private final boolean architectureSpecific;
    private final IsaVersion since;

    Target(String ptx, int capability, boolean architectureSpecific, IsaVersion since) {
        this.ptx = ptx;
        this.capability = capability;
        this.architectureSpecific = architectureSpecific;
        this.since = since;
    }

    public String ptx() {
        return ptx;
    }

    /** Compute capability times ten. */
    public int capability() {
        return capability;
    }

    /** True for the "a" targets, whose instructions exist on this one architecture alone. */
    public boolean architectureSpecific() {
        return architectureSpecific;
    }

    /** The first PTX ISA that knows the target. */
    public IsaVersion since() {
        return since;
    }

    /** Shared memory that one CTA may use, bytes: 227 KiB. */
    public int sharedBytesPerCta() {
        return 232_448;
    }

    /** 32-bit registers of one SM. */
    public int registersPerSm() {
        return 65_536;
    }
}
